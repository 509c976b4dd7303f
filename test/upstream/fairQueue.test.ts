import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFairQueue, type FairQueue, type Owner } from '../../src/upstream/fairQueue.ts'

const operation = (): Owner => ({ kind: 'operation', client: 'a' })

/** Lets named entries join a queue, and records what becomes of them. */
function recorder(queue: FairQueue) {
  const events: string[] = []
  const join = (owner: Owner, name: string) =>
    queue.join(owner, {
      start: () => void events.push(name),
      refuse: () => void events.push(`${name} refused`),
    })
  /** The events since the last call. */
  const take = () => events.splice(0)
  return { join, take }
}

test('an entry starts at once if a slot is free, and when one becomes free otherwise', () => {
  const { join, take } = recorder(createFairQueue({ slots: 2, maxWaiting: 10 }))
  const owner = operation()
  const leave = join(owner, 'a')
  join(owner, 'b')
  join(owner, 'c')
  expect(take()).toEqual(['a', 'b'])
  leave()
  expect(take()).toEqual(['c'])
})

test('owners take turns, and the entries of one owner keep their order', () => {
  const { join, take } = recorder(createFairQueue({ slots: 1, maxWaiting: 10 }))
  const [first, second, third] = [operation(), operation(), operation()]
  const leaves = [join(first, 'a0')]
  for (const name of ['a1', 'a2', 'a3']) leaves.push(join(first, name))
  for (const name of ['b1', 'b2']) leaves.push(join(second, name))
  leaves.push(join(third, 'c1'))
  const order = ['a0', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']
  const byName = new Map(
    ['a0', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name, i) => [name, leaves[i]]),
  )
  for (const name of order) byName.get(name)?.()
  expect(take()).toEqual(order)
})

test('an owner that comes back takes its turn after those that wait', () => {
  const { join, take } = recorder(createFairQueue({ slots: 1, maxWaiting: 10 }))
  const [first, second] = [operation(), operation()]
  const leave = join(operation(), 'x')
  const leaveFirst = join(first, 'a1')
  join(second, 'b1')
  leaveFirst()
  join(first, 'a2')
  take()
  leave()
  expect(take()).toEqual(['b1'])
})

test('an entry that leaves while it waits never starts, and leaves the queue at once', () => {
  const queue = createFairQueue({ slots: 1, maxWaiting: 10 })
  const { join, take } = recorder(queue)
  const owner = operation()
  const leave = join(owner, 'a')
  const leaveWaiting = join(owner, 'b')
  join(owner, 'c')
  expect([queue.active, queue.waiting]).toEqual([1, 2])
  leaveWaiting()
  expect([queue.active, queue.waiting]).toEqual([1, 1])
  leave()
  expect(take()).toEqual(['a', 'c'])
})

test('to leave again has no effect', () => {
  const queue = createFairQueue({ slots: 1, maxWaiting: 10 })
  const { join } = recorder(queue)
  const leave = join(operation(), 'a')
  leave()
  const leaveWaiting = join(operation(), 'b')
  join(operation(), 'c')
  leave()
  expect([queue.active, queue.waiting]).toEqual([1, 1])
  leaveWaiting()
  leaveWaiting()
  expect([queue.active, queue.waiting]).toEqual([1, 0])
})

test('an operation that is aborted with all its requests keeps no slot from others', () => {
  const queue = createFairQueue({ slots: 32, maxWaiting: 50_000 })
  const { join, take } = recorder(queue)
  const aborted = operation()
  const leaves = Array.from({ length: 288 }, () => join(aborted, 'dead'))
  for (const leave of leaves) leave()
  expect([queue.active, queue.waiting]).toEqual([0, 0])
  take()
  const live = Array.from({ length: 64 }, () => join(operation(), 'live'))
  for (const leave of live) leave()
  expect(take()).toEqual(Array(64).fill('live'))
})

test('an aborted operation whose requests leave one by one lets the next operation start', () => {
  const queue = createFairQueue({ slots: 1, maxWaiting: 10 })
  const { join, take } = recorder(queue)
  const aborted = operation()
  const leaves = ['a', 'b', 'c'].map((name) => join(aborted, name))
  join(operation(), 'live')
  for (const leave of leaves.toReversed()) leave()
  expect(take()).toEqual(['a', 'live'])
})

test('beyond the bound, the last entry of the longest line is refused', () => {
  const queue = createFairQueue({ slots: 1, maxWaiting: 3 })
  const { join, take } = recorder(queue)
  const [long, short] = [operation(), operation()]
  for (const name of ['a0', 'a1', 'a2', 'a3']) join(long, name)
  take()
  join(short, 'b1')
  expect(take()).toEqual(['a3 refused'])
  join(long, 'a4')
  expect(take()).toEqual(['a4 refused'])
  expect(queue.waiting).toBe(3)
})

test('entries that leave while they start let thousands behind them start', () => {
  const queue = createFairQueue({ slots: 1, maxWaiting: 50_000 })
  const leave = queue.join(operation(), { start() {}, refuse() {} })
  let started = 0
  const owner = operation()
  for (let entry = 0; entry < 20_000; entry += 1) {
    queue.join(owner, {
      start(free) {
        started += 1
        free()
      },
      refuse() {},
    })
  }
  leave()
  expect(started).toBe(20_000)
  expect([queue.active, queue.waiting]).toEqual([0, 0])
})

/** One step of a random history: an owner's entry joins, or the n-th entry so far leaves. */
const step = fc.oneof(fc.record({ owner: fc.nat(4) }), fc.record({ leaves: fc.nat(60) }))

test('in any history, no slot is idle while an entry waits, and every entry that stays starts once, in turn', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(step, { maxLength: 80 }),
      (slots, steps) => {
        const queue = createFairQueue({ slots, maxWaiting: 1_000 })
        const owners = Array.from({ length: 5 }, operation)
        const entries: { owner: number; starts: number; hasLeft: boolean; leave: () => void }[] = []
        const count = (state: 'active' | 'waiting') =>
          entries.filter(
            ({ starts, hasLeft }) => !hasLeft && (state === 'active' ? starts > 0 : starts === 0),
          ).length
        const check = () => {
          expect(queue.active).toBe(count('active'))
          expect(queue.waiting).toBe(count('waiting'))
          expect(queue.active).toBeLessThanOrEqual(slots)
          if (queue.waiting > 0) expect(queue.active).toBe(slots)
          for (const [index] of owners.entries()) {
            const waits = entries.filter(({ owner, hasLeft }) => owner === index && !hasLeft)
            // Within an owner, none starts before an earlier one.
            const firstWaiting = waits.findIndex(({ starts }) => starts === 0)
            if (firstWaiting >= 0) {
              expect(waits.slice(firstWaiting).every(({ starts }) => starts === 0)).toBe(true)
            }
          }
        }
        const leave = (entry: (typeof entries)[number] | undefined) => {
          if (!entry) return
          entry.hasLeft = true
          entry.leave()
        }
        for (const next of steps) {
          if ('leaves' in next) {
            leave(entries[next.leaves])
          } else {
            const entry = { owner: next.owner, starts: 0, hasLeft: false, leave: () => {} }
            entries.push(entry)
            entry.leave = queue.join(owners[next.owner] ?? operation(), {
              start() {
                entry.starts += 1
              },
              refuse: () => expect.unreachable(),
            })
          }
          check()
        }
        // Between two entries of one owner, each other owner that waits has a turn.
        const waitingOwners = () =>
          new Set(
            entries
              .filter((entry) => !entry.hasLeft && entry.starts === 0)
              .map(({ owner }) => owner),
          )
        while (queue.waiting > 0) {
          const before = waitingOwners()
          const startedOwners: number[] = []
          for (let turn = 0; turn < before.size; turn += 1) {
            const waiting = entries.filter((entry) => !entry.hasLeft && entry.starts === 0)
            leave(entries.find((entry) => !entry.hasLeft && entry.starts > 0))
            startedOwners.push(
              ...waiting.filter((entry) => entry.starts > 0).map(({ owner }) => owner),
            )
            check()
          }
          expect(startedOwners.toSorted()).toEqual([...before].toSorted())
        }
        for (const entry of entries) leave(entry)
        check()
        const stayed = entries.filter(({ starts }) => starts > 0)
        expect(stayed.every(({ starts }) => starts === 1)).toBe(true)
      },
    ),
  )
})
