import { describe, expect, test } from 'vitest'
import { text } from '../../src/text.ts'
import {
  ageOf,
  ago,
  brief,
  byNumber,
  decimal,
  exact,
  localTime,
  percent,
  scaled,
  scaledDecimal,
  shortened,
  zoneName,
} from '../../src/values/format.ts'

test('amounts are shown with all digits and group separators', () => {
  expect(exact(scaled('1234567890123456789012', 18))).toMatch(/^1\D234\D567890123456789012$/)
  expect(exact('0.000000000000000001')).toMatch(/^0.0{17}1$/)
  expect(exact('9007199254740993')).toMatch(/^9\D007\D199\D254\D740\D993$/)
})

test('percentages have two digits, and tiny ones are "<0.01 %", not zero', () => {
  expect(percent('3.3333333')).toMatch(/^3.33\s?%$/)
  expect(percent('50')).toMatch(/^50.00\s?%$/)
  expect(percent('0')).toMatch(/^0.00\s?%$/)
  expect(percent('0.0012')).toMatch(/^<0.01\s?%$/)
  expect(percent('-0.0012')).toMatch(/^>-0.01\s?%$/)
})

test('times are shown with the time zone', () => {
  expect(zoneName()).not.toBe('')
  expect(localTime('2026-01-02T03:04:05Z')).toContain(zoneName())
})

test('titles shorten hashes, but not names', () => {
  expect(shortened('82F15C4FB1E4A968B5F5F74298DE224C3FA5BC4D68ED00778222E5F6DCB5CA39')).toBe('82F15C4F…B5CA39')
  expect(shortened('galley-1')).toBe('galley-1')
})

test('byNumber sorts numbers in texts by value', () => {
  expect(['50', '9', '6', 'a10', 'a9'].toSorted(byNumber)).toEqual(['6', '9', '50', 'a9', 'a10'])
})

test.each([
  ['17.447249264278763353', /^17.4472$/],
  ['1234567.891', /^1\D234\D567$/],
  ['0.000099982', /^0.000099982$/],
  ['0.0000123456789', /^0.0000123456$/],
  ['0.9999999', /^0.999999$/],
  ['4000', /^4\D000$/],
])('%s is shown with at most six significant digits, rounded down', (value, shown) => {
  expect(brief(value)).toMatch(shown)
})

test.each([
  ['0.000099982', '0.000099982'],
  ['0.00000001234567', '0.0000000123456'],
  ['2.9999999', '2.999999'],
  ['1234567.1234567', '1,234,567.123456'],
  ['-0.9999999', '−0.999999'],
  ['5', '5'],
])('the amount %s is shown as %s: never as nothing, and never as more', (value, shown) => {
  const { whole, fraction } = decimal(value)
  expect(whole + fraction).toBe(shown)
})

test('exact gives all digits of a fee, with a sign if it is a change', () => {
  expect(exact('0.000099982')).toBe('0.000099982')
  expect(exact('-0.000099982', true)).toBe('−0.000099982')
  expect(exact('0.000099982', true)).toBe('+0.000099982')
})

describe('ages', () => {
  const now = Date.parse('2026-01-02T00:00:00Z')
  const ageAt = (seconds: number) => ageOf(new Date(now - seconds * 1000).toISOString(), now)
  const told = (seconds: number) => ago(ageAt(seconds))

  test.each([
    [0, 'now'],
    [-1.9, 'now'],
    [-5, 'in 5s'],
    [2, '2s ago'],
    [59.9, '59s ago'],
    [60, '1m ago'],
    [119.9, '1m ago'],
    [120, '2m ago'],
    [3_599, '59m ago'],
    [3_600, '1h ago'],
    [86_399, '23h ago'],
    [86_400, '1d ago'],
    [40 * 86_400, '40d ago'],
  ])('%s seconds are %j', (seconds, words) => {
    expect(told(seconds)).toBe(words)
  })

  test('never run backwards in a list', () => {
    const ages = Array.from({ length: 4_000 }, (_, index) => ageAt(index * 31.7))
    expect(ages).toEqual(ages.toSorted((a, b) => a - b))
  })
})

test.each([
  ['0.015', 0, '0.015'],
  ['0.015', 12, '0.000000000000015'],
  ['0.015', -6, '15000'],
  ['1.5', -1, '15'],
  ['1500', 3, '1.5'],
  ['7', -2, '700'],
])('the point of %s is moved by %i', (value, decimals, moved) => {
  expect(Number(scaledDecimal(value, decimals))).toBe(Number(moved))
  expect(exact(scaledDecimal(value, decimals)).replaceAll(',', '')).toBe(moved)
})

test('a failure is said in words, with its code', () => {
  expect(text.failure('sdk', 11)).toBe('out of gas (sdk 11)')
  expect(text.failure('move', 7)).toBe('move 7')
  expect(text.failure(null, 3)).toBe('code 3')
})
