import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { decode } from '../../../src/engine/wire/compiledSchema.ts'
import { integer, number } from '../../../src/engine/wire/decode.ts'
import { isLongNumber, jsonText, parseJson, partBounds, tooManyParts } from '../../../src/engine/wire/exactJson.ts'
import { lenientNumber, lenientString } from '../../../src/engine/wire/lenient.ts'
import { heapInUse } from '../../support/heap.ts'
import { runs } from '../../support/property.ts'

const long = [
  '18446744073709551615',
  '-9223372036854775808',
  '9007199254740993',
  '0.12345678901234567890123',
  '-1.00000000000000000001',
  '1.2345678901234567890e-30',
  '12345678901234567890E+5',
  '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  // Beyond what a JavaScript number can be, and a zero whose sign would be lost.
  ...['1e400', '1e1234567890123456', '-1e400', '1e-400', '0.1e-400', '-0', '-0.0'],
]

test.each(long)('%s keeps its digits in any position', (digits) => {
  for (const text of [
    digits,
    `[${digits}]`,
    `[1,${digits},"${digits}",${digits}]`,
    `{"a":{"b":[${digits}]},"c":${digits},"d":null}`,
  ]) {
    expect(jsonText(parseJson(text))).toBe(text)
    expect(jsonText(parseJson(` ${text.replaceAll(':', ' :\n\t')} `))).toBe(text)
  }
})

test('a long number is found at any offset', () => {
  for (let length = 0; length < 100; length++) {
    const text = `["${'x'.repeat(length)}",18446744073709551615,"${'7'.repeat(length)}"]`
    expect(jsonText(parseJson(text))).toBe(text)
  }
})

test.each([
  ...['9007199254740991', '-9007199254740991', '1000000000000000.0', '0.1', '2.0123456789012346'],
  ...['1e18', '0', '-1', '1e-7', '1.5E+3', '"18446744073709551615"'],
  ...['1216806221722e+76', '10e0000000000000'],
])('%s is a plain number, also beside a long number', (text) => {
  const value = JSON.parse(text)
  expect(parseJson(`[${text}]`)).toEqual([value])
  expect(parseJson(`[18446744073709551615,${text}]`)).toMatchObject([{}, value])
})

test('other JSON is parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      expect(parseJson(`[${text},18446744073709551615]`)).toMatchObject([JSON.parse(text), {}])
    }),
    { numRuns: runs(300) },
  )
  for (const text of ['[18446744073709551615', '[018446744073709551615]', '[1844674407370955161.]']) {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  }
})

test('malformed numbers are syntax errors', () => {
  const numeral = '18446744073709551615'
  const malformed = [
    ...[`+${numeral}`, `--${numeral}`, `0${numeral}`, `0x${numeral}`, `${numeral}n`, `.${numeral}`],
    ...[`${numeral}.`, `${numeral}.1.1`, `1.e${numeral}`, `${numeral}e`, `true${numeral}`],
    ...[`{${numeral}:1}`, `{${numeral} :1}`, `{${numeral}\n:"a"}`, `"a"${numeral}`, `"${numeral}`],
    ...[`${numeral}"a"`, `"a\\"${numeral}`, `"\\\\"${numeral}"`],
  ]
  for (const text of malformed) expect(() => parseJson(`[${text}]`), text).toThrow(SyntaxError)
})

test('strings beside a long number are unchanged', () => {
  for (const string of ['\\', '\\"', '":', ',18446744073709551615', 'é😀', '\\\\":[']) {
    const text = JSON.stringify([string, string])
    expect(parseJson(`{"a":${text},"b":18446744073709551615}`)).toMatchObject({
      a: [string, string],
    })
  }
  const odd = parseJson('{"__proto__":18446744073709551615,"__proto__":{"n":18446744073709551615}}')
  expect(jsonText(odd)).toBe('{"__proto__":{"n":18446744073709551615}}')
})

test('nesting deeper than the stack is parsed', () => {
  const depth = 100_000
  let value = parseJson(`${'['.repeat(depth)}18446744073709551615${']'.repeat(depth)}`)
  for (let i = 0; i < depth; i += 1) value = (value as unknown[])[0]
  expect(String(value)).toBe('18446744073709551615')
})

test('parsed strings do not retain the source text in memory', () => {
  const text = JSON.stringify({ key: 'k'.repeat(40), filling: 'é…'.repeat(50_000) })
  const before = heapInUse()
  const kept = Array.from({ length: 50 }, (_, i) => {
    const value = parseJson(`[${text},18446744073709551615,${i}]`) as [{ key: string }]
    return value[0].key
  })
  const grown = heapInUse() - before
  expect(kept).toHaveLength(50)
  expect(grown).toBeLessThan(10 * text.length)
})

test('a string of digits stays a string', () => {
  const [digits] = parseJson('[18446744073709551615]') as unknown[]
  expect(jsonText(['18446744073709551615', digits])).toBe('["18446744073709551615",18446744073709551615]')
})

test('inspect and JSON.stringify show the digits of a long number', () => {
  const number = parseJson('[12345678901234567890]') as [unknown]
  expect(inspect(number[0])).toBe('12345678901234567890')
  // Node.js before 21 has no way to write the number itself.
  const written = JSON.stringify(number)
  expect(['[12345678901234567890]', '["12345678901234567890"]']).toContain(written)
})

test('jsonText writes values beside a long number as JSON.stringify does', () => {
  const [long] = parseJson('[12345678901234567890]') as [unknown]
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, text) => {
      const plain = {
        a: value,
        [text]: [value, undefined, () => 0],
        at: new Date(0),
        none: undefined,
      }
      const written = jsonText({ ...plain, long, list: [long] })
      const parsed = JSON.parse(written)
      expect(parsed).toEqual({
        ...JSON.parse(JSON.stringify(plain)),
        long: Number('12345678901234567890'),
        list: [Number('12345678901234567890')],
      })
      expect(written.match(/12345678901234567890/g)).toHaveLength(2)
    }),
  )
})

test.each([
  ['lists', `[${'[],'.repeat(partBounds.nested)}0]`],
  ['objects', `[${'{},'.repeat(partBounds.nested)}0]`],
  ['lists in lists', '['.repeat(partBounds.nested + 1) + ']'.repeat(partBounds.nested + 1)],
  ['numbers', `[${'1,'.repeat(partBounds.values + 1)}0]`],
])('JSON with too many %s is refused before it is parsed', (_, text) => {
  expect(() => parseJson(text)).toThrow(tooManyParts())
})

/** A text of so many objects with two names each, which `nameOf` chooses. */
const textOfNames = (objects: number, nameOf: (i: number) => string) =>
  `[${Array.from({ length: objects }, (_, i) => `{"${nameOf(2 * i)}" :1,"${nameOf(2 * i + 1)}":2}`).join()}]`

test('JSON with too many distinct names is refused', () => {
  expect(() => parseJson(textOfNames(partBounds.names / 2 + 1, (i) => `name${i}`))).toThrow(tooManyParts())
})

test('JSON with many equal names is parsed', () => {
  const texts = [textOfNames(100_000, (i) => `name${i % 1000}`), textOfNames(partBounds.names / 2, (i) => `n${i}`)]
  for (const text of texts) expect(parseJson(text)).toEqual(JSON.parse(text))
})

test('brackets in strings do not count as parts', () => {
  const text = JSON.stringify({ log: '[{,\\"'.repeat(300_000), end: '\\' })
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

test('a long number in a list of a million numbers is parsed', () => {
  const items = '1,'.repeat(partBounds.values)
  const list = parseJson(`[${items}12345678901234567890]`) as unknown[]
  expect(list).toHaveLength(partBounds.values + 1)
  expect(String(list.at(-1))).toBe('12345678901234567890')
  expect(list[0]).toBe(1)
})

test('schemas read long numbers as numbers or as exact strings', () => {
  const value = parseJson('{"n":18446744073709551615,"d":1.50000000000000000001}')
  const read = (schema: z.ZodType) =>
    [decode(z.object({ n: schema, d: schema }), value)].map((fields) => Object.values(fields))[0]
  expect(read(number)).toEqual([2 ** 64, 1.5])
  expect(read(lenientNumber)).toEqual([2 ** 64, 1.5])
  expect(read(lenientString)).toEqual(['18446744073709551615', '1.50000000000000000001'])
  expect(() => read(integer)).toThrow()
  expect(() => read(z.record(z.string(), z.unknown()))).toThrow()
  expect(read(z.unknown())?.every(isLongNumber)).toBe(true)
})
