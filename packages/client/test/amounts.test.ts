import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatAmount, formatDecimal, parseAmount } from '../src/amounts.ts'

const huge = 2n ** 256n - 1n

test.each([
  [0n, 6, '0'],
  [1n, 6, '0.000001'],
  [-1n, 18, '-0.000000000000000001'],
  [25_000_000n, 6, '25'],
  [1_500_000n, 6, '1.5'],
  [huge, 18, '115792089237316195423570985008687907853269984665640564039457.584007913129639935'],
  [7n, 0, '7'],
])('formatAmount writes %s with %i decimals as %s', (amount, decimals, text) => {
  expect(formatAmount(amount, decimals)).toBe(text)
  expect(formatAmount(String(amount), decimals)).toBe(text)
  expect(parseAmount(text, decimals)).toBe(amount)
})

test.each([
  ['1234567.891', 'en', '1,234,567.891'],
  ['1234567.891', 'de', '1.234.567,891'],
  ['-1234567.891', 'en-IN', '-12,34,567.891'],
  ['9007199254740993.5', 'en', '9,007,199,254,740,993.5'],
])('formatDecimal writes %s in %s as %s', (value, locale, text) => {
  expect(formatDecimal(value, { locale })).toBe(text)
})

test('maxPlaces truncates, and minPlaces pads with zeros', () => {
  expect(formatDecimal('1.999', { maxPlaces: 2 })).toBe('1.99')
  expect(formatDecimal('-1.999', { maxPlaces: 0 })).toBe('-1')
  expect(formatDecimal('1.5', { minPlaces: 2 })).toBe('1.50')
  expect(formatDecimal('3', { minPlaces: 2, maxPlaces: 2 })).toBe('3.00')
  expect(formatDecimal('007.10')).toBe('7.1')
})

test('an amount too small to show is "<0.01", not zero', () => {
  expect(formatDecimal('0.004', { maxPlaces: 2, locale: 'de' })).toBe('<0,01')
  expect(formatDecimal('-0.004', { maxPlaces: 2 })).toBe('>-0.01')
  expect(formatDecimal('0.4', { maxPlaces: 0 })).toBe('<1')
  expect(formatAmount(1n, 18, { maxPlaces: 6 })).toBe('<0.000001')
  expect(formatDecimal('-0.00', { maxPlaces: 2 })).toBe('0')
})

const locales = ['en', 'de', 'fr', 'de-CH', 'en-IN', 'hi-IN', 'ar-EG', 'sv', 'fa', 'pl', 'bn', undefined]

describe.each(locales)('in %s', (locale) => {
  test('a formatted amount parses back to the same amount', () => {
    const amounts = fc.bigInt({ min: -huge, max: huge })
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 30 }), (amount, decimals) => {
        const text = formatAmount(amount, decimals, { locale })
        expect(parseAmount(text, decimals, { locale })).toBe(amount)
      }),
    )
  })
})

test.each([
  ['1.000', 'de', 10_000n],
  ['1,000', 'de', 10n],
  ['1,000', 'en', 10_000n],
  ['1 000', 'fr', 10_000n],
  ['1000,5', 'fr', 10_005n],
  ['-1,00,000', 'en-IN', -1_000_000n],
  ['1’000', 'de-CH', 10_000n],
  ["1'000", 'de-CH', 10_000n],
  ['.5', undefined, 5n],
  ['5.', undefined, 50n],
])('%j is parsed exactly in %s', (text, locale, tenths) => {
  expect(parseAmount(text, 1, { locale })).toBe(tenths)
})

test.each([
  ['1,000', undefined],
  ['1,000.5', 'de'],
  ['10,00', 'en'],
  ['1,2345', 'en'],
  ['1,,000', 'en'],
  [',', 'en'],
  ['1e3', undefined],
  ['0x10', undefined],
  ['', undefined],
  ['.', undefined],
  ['-', undefined],
  ['--1', undefined],
  ['1..5', undefined],
  ['+1', undefined],
  ['Infinity', undefined],
])('%j in %s is a SyntaxError', (text, locale) => {
  expect(() => parseAmount(text, 1, { locale })).toThrow(SyntaxError)
})

test('too many decimal places are refused, except zeros', () => {
  expect(() => parseAmount('1.0000001', 6)).toThrow(RangeError)
  expect(parseAmount('1.0000000', 6)).toBe(1_000_000n)
  expect(() => parseAmount('1', -1)).toThrow(RangeError)
  expect(() => formatAmount(1n, 256)).toThrow(RangeError)
  expect(() => formatDecimal('1,5')).toThrow(SyntaxError)
})
