import { expect, test } from 'vitest'
import { encodeKey, isFinalPage } from '../../../src/engine/pagination/keys.ts'

const page = (length: number, nextKey: string | null) => ({
  items: Array.from({ length }, () => null),
  nextKey,
  total: null,
})
const height = (value: number) => encodeKey('height', BigInt(value))
const list = { field: 'height' } as const
const fromTen = { key: height(10), limit: 3, isReverse: true }

test('a full page from a key is final if its numbers are consecutive', () => {
  expect(isFinalPage(list, fromTen, page(3, height(7)))).toBe(true)
  const upwards = { ...fromTen, isReverse: false }
  expect(isFinalPage(list, upwards, page(3, height(13)))).toBe(true)
})

test.each([
  { why: 'has a gap', result: page(3, height(6)) },
  { why: 'is short', result: page(2, height(8)) },
  { why: 'is empty', result: page(0, null) },
  { why: 'has no key', result: page(3, null) },
  { why: 'has a key of another form', result: page(3, 'MTA=') },
  { why: 'has a key of another field', result: page(3, encodeKey('sequence', 7n)) },
])('a page from a key is not final if it $why', ({ result }) => {
  expect(isFinalPage(list, fromTen, result)).toBe(false)
})

test('a page from an unreadable key or an offset is not final', () => {
  const result = page(3, height(7))
  expect(isFinalPage(list, { ...fromTen, key: 'MTA=' }, result)).toBe(false)
  expect(isFinalPage(list, { ...fromTen, offset: 5 }, result)).toBe(false)
})

test('a page from the end of a list is final only if it has the whole list', () => {
  const fromEnd = { limit: 21, isReverse: false }
  const whole = { ...list, size: 3n }
  expect(isFinalPage(whole, fromEnd, page(3, height(3)))).toBe(true)
  expect(isFinalPage(whole, fromEnd, page(2, height(2)))).toBe(false)
  expect(isFinalPage(whole, fromEnd, page(4, height(4)))).toBe(false)
  expect(isFinalPage(whole, { ...fromEnd, offset: 1 }, page(3, height(3)))).toBe(false)
  expect(isFinalPage(list, fromEnd, page(21, height(21)))).toBe(false)
})
