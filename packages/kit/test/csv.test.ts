import { expect, test } from 'vitest'
import { byteOrderMark, csvHead, csvRow } from '../src/csv.ts'
import { toColumns } from '../src/table.ts'

const text = toColumns({ a: 'text' })

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\0x', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
  'text that a spreadsheet would run as a formula gets an apostrophe: %j',
  (value) => {
    expect(csvRow(text, [value])).toBe(`'${value}\r\n`)
  },
)

test.each(['\rx', '\nx', '=HYPERLINK("x","y")'])('an apostrophe stands inside the quotes: %j', (value) => {
  expect(csvRow(text, [value])).toBe(`"'${value.replaceAll('"', '""')}"\r\n`)
})

test.each(['', '1.5', 'a=b', "'=1", '$5', '₮'])('other text stays as it is: %j', (value) => {
  expect(csvRow(text, [value])).toBe(`${value}\r\n`)
})

test('numbers, hashes and times are left as they are', () => {
  const columns = toColumns({ a: 'amount', b: 'decimal', c: 'code', d: 'time', e: 'integer', f: 'boolean' })
  expect(csvRow(columns, ['-1', '-0.5', 'AB', '2026-11-21T11:44:39Z', 7, false])).toBe(
    '-1,-0.5,AB,2026-11-21T11:44:39Z,7,false\r\n',
  )
})

test('cells with separators, quotes and line ends are quoted, and a line ends as RFC 4180 says', () => {
  const columns = toColumns({ a: 'text', b: 'text', c: 'text', d: 'text', e: 'text' })
  expect(csvHead(columns)).toBe('a,b,c,d,e\r\n')
  expect(csvRow(columns, ['a "b"', 'c, d', 'e\nf', null, 'g'])).toBe('"a ""b""","c, d","e\nf",,g\r\n')
})

test('the mark of byte order is that of UTF-8', () => {
  expect([...Buffer.from(byteOrderMark)]).toEqual([0xef, 0xbb, 0xbf])
})
