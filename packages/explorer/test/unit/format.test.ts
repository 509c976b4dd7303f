import { expect, test } from 'vitest'
import { exact, percent, scaled } from '../../src/app/format.ts'

test('all digits of an amount are shown, grouped as the reader groups them', () => {
  expect(exact(scaled('1234567890123456789012', 18))).toMatch(/^1\D234\D567890123456789012$/)
  expect(exact('0.000000000000000001')).toMatch(/^0.0{17}1$/)
  expect(exact('9007199254740993')).toMatch(/^9\D007\D199\D254\D740\D993$/)
})

test('a share has two digits at least, and those of a small one', () => {
  expect(percent('3.3333333')).toMatch(/^3.3333\s?%$/)
  expect(percent('50')).toMatch(/^50.00\s?%$/)
  expect(percent('0.0012')).toMatch(/^0.0012\s?%$/)
})
