import { expect, test } from 'vitest'
import {
  createPendingReads,
  deliver,
} from '../../../../src/fleet/sharedReads/redis/pendingReads.ts'

test('a read that ends late does not drop the entry of a later read', () => {
  const dropped: string[] = []
  const entries = createPendingReads((id) => dropped.push(id))
  const before = entries.open('read')
  before.waiters.add(() => {})
  before.waiters.add(() => {})
  deliver(before, { outcome: { body: null }, ageMs: 0 })
  entries.release('read', before)
  const later = entries.open('read')
  later.waiters.add(() => {})
  // The second of the two reads ends only now.
  entries.release('read', before)
  expect(entries.get('read')).toBe(later)
  expect(dropped).toEqual(['read'])
})
