import { expect, test } from 'vitest'
import { decimalProduct, inWholeUnits, sumDecimals, toPercent } from '../../../src/schema/amount/decimal.ts'

test('sumOf adds decimals exactly', () => {
  expect(sumDecimals([])).toBe('0')
  expect(sumDecimals(['1', '2'])).toBe('3')
  expect(sumDecimals(['0.1', '0.2', '12345678901234567890'])).toBe('12345678901234567890.3')
  expect(sumDecimals(['-0.25', '0.1'])).toBe('-0.15')
})

test.each([
  ['350000.00', '0.000001', '0.35'],
  ['3200000000.00', '0.000001', '3200'],
  ['0.01', '0.000001', '0.00000001'],
  ['0', '0.000001', '0'],
  ['12345678901234567890.5', '2', '24691357802469135781'],
  ['-1.5', '0.5', '-0.75'],
])('decimalProduct(%s, %s) is %s', (left, right, product) => {
  expect(decimalProduct(left, right)).toBe(product)
})

test.each([
  [1_500_000n, 6, '1.5'],
  [1n, 18, '0.000000000000000001'],
  [0n, 6, '0'],
  [7n, 0, '7'],
  [100n, 0, '100'],
  [100n, 2, '1'],
  [-25n, 1, '-2.5'],
  [2n ** 256n - 1n, 18, `${'115792089237316195423570985008687907853269984665640564039457'}.584007913129639935`],
  [1n, -1, null],
  [1n, 256, null],
])('inWholeUnits(%s, %s) is %s', (amount, decimals, text) => {
  expect(inWholeUnits(amount, decimals)).toBe(text)
})

test.each([
  [1n, 4n, '25'],
  [1n, 3n, '33.3333333333333333'],
  [4n, 4n, '100'],
  [0n, 4n, '0'],
  [0n, 0n, null],
])('percentOf(%s, %s) is %s', (part, whole, share) => {
  expect(toPercent(part, whole)).toBe(share)
})
