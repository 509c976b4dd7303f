import { expect, test } from 'vitest'
import { decodeKey, encodeKey } from '../../src/pagination/keys.ts'

test('a key holds a number of at most 19 digits, as a 64-bit integer has', () => {
  const largest = 2n ** 63n - 1n
  for (const field of ['height', 'sequence'] as const) {
    expect(decodeKey(field, encodeKey(field, largest))).toBe(largest)
    expect(decodeKey(field, encodeKey(field, 10n ** 19n))).toBeUndefined()
  }
})
