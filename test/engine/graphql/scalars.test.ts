import { assertScalarType, parseValue } from 'graphql'
import { expect, test } from 'vitest'
import { jsonText, parseJson } from '../../../src/engine/wire/exactJson.ts'
import { schema } from '../../../src/schema/schema.ts'

const scalar = (name: string) => assertScalarType(schema.getType(name))

test('UInt53 is a JSON number for any number type of the resolver', () => {
  expect(scalar('UInt53').serialize(2n ** 53n - 1n)).toBe(Number.MAX_SAFE_INTEGER)
  expect(scalar('UInt53').serialize(7)).toBe(7)
})

test.each([2n ** 53n, -1n, 1.5, Number.NaN])('UInt53 %s from a resolver is an error', (value) => {
  expect(() => scalar('UInt53').serialize(value)).toThrow('between 0 and 2^53 - 1')
})

test.each([
  [7, 7n],
  ['007', 7n],
  [0, 0n],
  ['9007199254740991', 2n ** 53n - 1n],
] as const)('UInt53 accepts %j', (value, expected) => {
  expect(scalar('UInt53').parseValue(value)).toBe(expected)
})

test.each([-1, 1.5, 2 ** 53, '9007199254740992', '-1', '', ' 1', '1e3', '0x1', null, true, [1]])(
  'UInt53 refuses %j',
  (value) => {
    expect(() => scalar('UInt53').parseValue(value)).toThrow('UInt53 must be a whole number')
  },
)

test.each(['BigInt', 'UInt53', 'Decimal', 'DateTime', 'JSON'])('%s has a specifiedBy URL', (name) => {
  expect(scalar(name).specifiedByURL).toMatch(/^https:\/\//)
})

test.each([
  ['.5', '0.5'],
  ['5.', '5'],
  ['-.25', '-0.25'],
  ['0.50', '0.50'],
  [7, '7'],
])('Decimal accepts %j', (value, expected) => {
  expect(scalar('Decimal').parseValue(value)).toBe(expected)
})

test.each(['', '.', '-', '-.', '1.2.3', '1e5', ' 1', '+1', null])('Decimal refuses %j', (value) => {
  expect(() => scalar('Decimal').parseValue(value)).toThrow('Decimal must be')
})

test.each(['ChainId', 'Denom', 'Address', 'Hash'])('%s accepts any text, which its field checks', (name) => {
  expect(scalar(name).parseValue('no such chain!')).toBe('no such chain!')
  for (const value of [1, true, null, ['a'], {}]) {
    expect(() => scalar(name).parseValue(value)).toThrow(`${name} must be a string.`)
  }
})

test('long numbers are exact in variables and in JSON literals', () => {
  const long = parseJson('18446744073709551615')
  expect(scalar('BigInt').parseValue(long)).toBe(2n ** 64n - 1n)
  expect(scalar('Decimal').parseValue(parseJson('0.12345678901234567890'))).toBe('0.12345678901234567890')
  expect(() => scalar('UInt53').parseValue(long)).toThrow('UInt53 must be')
  const literal = scalar('JSON').parseLiteral(
    parseValue('{ a: [18446744073709551615, 1, 1.5], b: { c: "x", d: null, e: true, f: $v } }'),
    { v: [long] },
  )
  expect(jsonText(literal)).toBe(
    '{"a":[18446744073709551615,1,1.5],"b":{"c":"x","d":null,"e":true,"f":[18446744073709551615]}}',
  )
})
