import { expect, test } from 'vitest'
import { byteOrderMark, csvLine, guardFormula } from '../src/csv.ts'

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '\0x', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
  'text that a spreadsheet would run as a formula gets an apostrophe: %j',
  (text) => {
    expect(guardFormula(text)).toBe(`'${text}`)
  },
)

test.each(['', '1.5', 'a=b', 'two\nlines', "'=1", '$5', '₮'])('other text stays as it is: %j', (text) => {
  expect(guardFormula(text)).toBe(text)
})

test('cells with separators, quotes and line ends are quoted, and a line ends as RFC 4180 says', () => {
  expect(csvLine(['a "b"', 'c, d', 'e\nf', 'g\rh', '', "'x", 'i'])).toBe('"a ""b""","c, d","e\nf","g\rh",,\'x,i\r\n')
})

test('the mark of byte order is that of UTF-8', () => {
  expect([...Buffer.from(byteOrderMark)]).toEqual([0xef, 0xbb, 0xbf])
})
