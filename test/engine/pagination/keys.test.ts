import { expect, test } from 'vitest'
import { decodeKey, encodeKey } from '../../../src/engine/pagination/keys.ts'

test('page keys hold at most 64-bit integers', () => {
  const largest = 2n ** 63n - 1n
  for (const field of ['height', 'sequence'] as const) {
    expect(decodeKey(field, encodeKey(field, largest))).toBe(largest)
    expect(decodeKey(field, encodeKey(field, 10n ** 19n))).toBeUndefined()
  }
})
