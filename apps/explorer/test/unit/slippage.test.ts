import { expect, test } from 'vitest'
import { leastOf, leastWorth } from '../../src/pages/quote/slippage.ts'

test('leastOf is 99 %, exact and rounded down', () => {
  expect(leastOf('1000')).toBe('990')
  expect(leastOf('101')).toBe('99')
  expect(leastOf('4358706311319868069373')).toBe('4315119248206669388679')
  expect(leastOf('0')).toBe('0')
})

test('the least is worth as much less, and nothing without a worth', () => {
  expect(leastWorth('250')).toBe('247.5')
  expect([null, undefined].map(leastWorth)).toEqual([undefined, undefined])
})
