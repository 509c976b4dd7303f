import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairQueue } from '../../../src/kit/queue/fairQueue.ts'
import type { Requester } from '../../../src/upstream/requester.ts'

const operation = (client = 'a'): Requester => ({ client })

/** Lets named entries join a queue, and records what becomes of them. */
function recorder(queue: FairQueue) {
  const events: string[] = []
  const join = (requester: Requester, name: string) =>
    queue.join(requester, {
      start: () => void events.push(name),
      refuse: () => void events.push(`${name} refused`),
    })
  /** The events since the last call. */
  const take = () => events.splice(0)
  return { join, take }
}

test('an entry starts at once if a slot is free, and when one becomes free otherwise', () => {
  const { join, take } = recorder(new FairQueue({ slots: 2, maxWaiting: 10 }))
  const requester = operation()
  const leave = join(requester, 'a')
  join(requester, 'b')
  join(requester, 'c')
  expect(take()).toEqual(['a', 'b'])
  leave()
  expect(take()).toEqual(['c'])
})

/** Frees the slot of each entry in this order. */
function leaveInOrder(leaves: ReadonlyMap<string, () => void>, order: readonly string[]) {
  for (const name of order) leaves.get(name)?.()
}

test('clients take turns, and the entries of one operation keep their order', () => {
  const { join, take } = recorder(new FairQueue({ slots: 1, maxWaiting: 10 }))
  const [first, second, third] = [operation('a'), operation('b'), operation('c')]
  const leaves = new Map(['a0', 'a1', 'a2', 'a3'].map((name) => [name, join(first, name)] as const))
  for (const name of ['b1', 'b2']) leaves.set(name, join(second, name))
  leaves.set('c1', join(third, 'c1'))
  const order = ['a0', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']
  leaveInOrder(leaves, order)
  expect(take()).toEqual(order)
})

test('a client with many operations has no more turns than a client with one', () => {
  const { join, take } = recorder(new FairQueue({ slots: 1, maxWaiting: 10 }))
  const leaves = new Map<string, () => void>()
  for (const name of ['a0', 'a1', 'a2', 'a3']) leaves.set(name, join(operation('a'), name))
  const only = operation('b')
  for (const name of ['b1', 'b2', 'b3']) leaves.set(name, join(only, name))
  const order = ['a0', 'a1', 'b1', 'a2', 'b2', 'a3', 'b3']
  leaveInOrder(leaves, order)
  expect(take()).toEqual(order)
})

test('the operations of a client take turns of four entries, so that the first one ends soon', () => {
  const { join, take } = recorder(new FairQueue({ slots: 1, maxWaiting: 20 }))
  const leaves = new Map([['x', join(operation(), 'x')]])
  const [first, second] = [operation(), operation()]
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) leaves.set(name, join(first, name))
  for (const name of ['b1', 'b2']) leaves.set(name, join(second, name))
  const order = ['x', 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'a5']
  leaveInOrder(leaves, order)
  expect(take()).toEqual(order)
})

test('one client never holds all slots, so a request of another starts at once', () => {
  const queue = new FairQueue({ slots: 32, maxWaiting: 10_000 })
  const { join, take } = recorder(queue)
  for (let count = 0; count < 8; count += 1) {
    const attack = operation('attacker')
    for (let block = 0; block < 300; block += 1) join(attack, 'attack')
  }
  expect(take()).toHaveLength(28)
  const victim = operation('victim')
  for (const name of ['v1', 'v2']) join(victim, name)
  expect(take()).toEqual(['v1', 'v2'])
  expect(queue.waiting).toBe(8 * 300 - 28)
})

test('a client that holds more than its share waits until the others have theirs', () => {
  const { join, take } = recorder(new FairQueue({ slots: 8, maxWaiting: 1_000 }))
  const slow = Array.from({ length: 20 }, () => join(operation('a'), 'a'))
  for (let count = 0; count < 20; count += 1) {
    join(operation('b'), 'b')
    join(operation('c'), 'c')
  }
  // One eighth was free for the next client.
  expect(take()).toEqual([...Array(7).fill('a'), 'b'])
  for (const leave of slow.slice(0, 4)) leave()
  // Three clients share eight slots: three for each, as far as they go.
  expect(take()).toEqual(['c', 'b', 'c', 'b'])
  for (const leave of slow.slice(4, 6)) leave()
  expect(take().toSorted()).toEqual(['a', 'c'])
})

test('urgent entries go first, in at most half of the slots', () => {
  const { join, take } = recorder(new FairQueue({ slots: 4, maxWaiting: 100 }))
  const urgent: Requester = { client: '', isUrgent: true }
  const people = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5'].map((name) => join(operation(), name))
  take()
  const polls = ['u0', 'u1', 'u2', 'u3'].map((name) => join(urgent, name))
  for (const leave of people.slice(0, 3)) leave()
  expect(take()).toEqual(['u0', 'u1', 'p4'])
  polls[0]?.()
  expect(take()).toEqual(['u2'])
  people[3]?.()
  expect(take()).toEqual(['p5'])
})

test('slots that people leave free stay closed to urgent entries beyond their half', () => {
  const { join, take } = recorder(new FairQueue({ slots: 4, maxWaiting: 100 }))
  const urgent: Requester = { client: '', isUrgent: true }
  for (const name of ['u0', 'u1', 'u2']) join(urgent, name)
  expect(take()).toEqual(['u0', 'u1'])
  join(operation(), 'p0')
  expect(take()).toEqual(['p0'])
})

test('heavy entries go last, in an eighth of the slots, of which one is always theirs', () => {
  const { join, take } = recorder(new FairQueue({ slots: 16, maxWaiting: 1_000 }))
  const heavy = (client: string): Requester => ({ client, isHeavy: true })
  const first = join(heavy('a'), 'h0')
  for (const name of ['h1', 'h2', 'h3']) join(heavy('a'), name)
  join(heavy('b'), 'h4')
  expect(take()).toEqual(['h0', 'h4'])
  const people = Array.from({ length: 30 }, (_, i) => join(operation(`c${i}`), 'p'))
  expect(take()).toEqual(Array(14).fill('p'))
  first()
  expect(take()).toEqual(['p'])
  people[0]?.()
  expect(take()).toEqual(['p'])
})

test('heavy entries do not wait for ever behind others', () => {
  const { join, take } = recorder(new FairQueue({ slots: 8, maxWaiting: 1_000 }))
  const people = Array.from({ length: 30 }, (_, i) => join(operation(`c${i}`), 'p'))
  take()
  join({ client: 'a', isHeavy: true }, 'h')
  people[0]?.()
  expect(take()).toEqual(['h'])
})

test('an requester that comes back takes its turn after those that wait', () => {
  const { join, take } = recorder(new FairQueue({ slots: 1, maxWaiting: 10 }))
  const [first, second] = [operation('a'), operation('b')]
  const leave = join(operation('x'), 'x')
  const leaveFirst = join(first, 'a1')
  join(second, 'b1')
  leaveFirst()
  join(first, 'a2')
  take()
  leave()
  expect(take()).toEqual(['b1'])
})

test('an entry that leaves while it waits never starts, and leaves the queue at once', () => {
  const queue = new FairQueue({ slots: 1, maxWaiting: 10 })
  const { join, take } = recorder(queue)
  const requester = operation()
  const leave = join(requester, 'a')
  const leaveWaiting = join(requester, 'b')
  join(requester, 'c')
  expect([queue.active, queue.waiting]).toEqual([1, 2])
  leaveWaiting()
  expect([queue.active, queue.waiting]).toEqual([1, 1])
  leave()
  expect(take()).toEqual(['a', 'c'])
})

test('to leave again has no effect', () => {
  const queue = new FairQueue({ slots: 1, maxWaiting: 10 })
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
  const queue = new FairQueue({ slots: 32, maxWaiting: 50_000 })
  const { join, take } = recorder(queue)
  const aborted = operation()
  const leaves = Array.from({ length: 288 }, () => join(aborted, 'dead'))
  for (const leave of leaves) leave()
  expect([queue.active, queue.waiting]).toEqual([0, 0])
  take()
  const live = Array.from({ length: 64 }, () => join(operation('b'), 'live'))
  for (const leave of live) leave()
  expect(take()).toEqual(Array(64).fill('live'))
})

test('an aborted operation whose requests leave one by one lets the next operation start', () => {
  const queue = new FairQueue({ slots: 1, maxWaiting: 10 })
  const { join, take } = recorder(queue)
  const aborted = operation()
  const leaves = ['a', 'b', 'c'].map((name) => join(aborted, name))
  join(operation(), 'live')
  for (const leave of leaves.toReversed()) leave()
  expect(take()).toEqual(['a', 'live'])
})

test('beyond the bound, the last entry of the longest line is refused', () => {
  const queue = new FairQueue({ slots: 1, maxWaiting: 3 })
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
  const queue = new FairQueue({ slots: 1, maxWaiting: 50_000 })
  const leave = queue.join(operation(), { start() {}, refuse() {} })
  let started = 0
  const requester = operation()
  for (let entry = 0; entry < 20_000; entry += 1) {
    queue.join(requester, {
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

/** One step of a random history: an requester's entry joins, or the n-th entry so far leaves. */
const step = fc.oneof(fc.record({ requester: fc.nat(4) }), fc.record({ leaves: fc.nat(60) }))

test('in any history, no slot is idle while an entry waits, and every entry that stays starts once, by share', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7 }),
      fc.array(step, { maxLength: 80 }),
      (slots, steps) => {
        const queue = new FairQueue({ slots, maxWaiting: 1_000 })
        // Owners 0 and 1 are operations of one client.
        const owners = Array.from({ length: 5 }, (_, index) => operation(`${Math.max(1, index)}`))
        const entries: {
          requester: number
          starts: number
          hasLeft: boolean
          leave: () => void
        }[] = []
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
            const waits = entries.filter(
              ({ requester, hasLeft }) => requester === index && !hasLeft,
            )
            // Within an requester, none starts before an earlier one.
            const firstWaiting = waits.findIndex(({ starts }) => starts === 0)
            if (firstWaiting >= 0) {
              expect(waits.slice(firstWaiting).every(({ starts }) => starts === 0)).toBe(true)
            }
          }
        }
        /** A client gets more than its share of the slots only if each that waits has its own. */
        const checkShare = (requester: number) => {
          const open = entries.filter(({ hasLeft }) => !hasLeft)
          const clientOf = (index: number) => owners[index]?.client
          const activeOf = (client: string | undefined) =>
            open.filter((entry) => entry.starts > 0 && clientOf(entry.requester) === client).length
          const share = Math.ceil(
            slots / new Set(open.map((entry) => clientOf(entry.requester))).size,
          )
          if (activeOf(clientOf(requester)) <= share) return
          for (const waiting of open.filter(({ starts }) => starts === 0)) {
            expect(activeOf(clientOf(waiting.requester))).toBeGreaterThanOrEqual(share)
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
            const entry = { requester: next.requester, starts: 0, hasLeft: false, leave: () => {} }
            entries.push(entry)
            entry.leave = queue.join(owners[next.requester] ?? operation(), {
              start() {
                entry.starts += 1
                checkShare(entry.requester)
              },
              refuse: () => expect.unreachable(),
            })
          }
          check()
        }
        while (queue.waiting > 0) leave(entries.find((e) => !e.hasLeft && e.starts > 0))
        for (const entry of entries) leave(entry)
        check()
        const stayed = entries.filter(({ starts }) => starts > 0)
        expect(stayed.every(({ starts }) => starts === 1)).toBe(true)
      },
    ),
  )
})

test('slots that are reserved are for urgent entries only, however many others wait', () => {
  const started: string[] = []
  const queue = new FairQueue({ slots: 8, reservedSlots: 2, maxWaiting: 100 })
  const join = (name: string, isUrgent: boolean) =>
    queue.join({ client: name, isUrgent }, { start: () => started.push(name), refuse() {} })
  for (let client = 0; client < 20; client += 1) join(`client ${client}`, false)
  expect(started).toHaveLength(6)
  join('poll 1', true)
  join('poll 2', true)
  expect(started.slice(6)).toEqual(['poll 1', 'poll 2'])
})
