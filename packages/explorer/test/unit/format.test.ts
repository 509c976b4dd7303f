import { expect, test } from 'vitest'
import { brief, byNumber, exact, localTime, percent, scaled, shortened, zoneName } from '../../src/app/format.ts'

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
