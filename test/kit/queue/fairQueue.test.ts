import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Requester } from '../../../src/engine/upstream/requester.ts'
import { FairQueue } from '../../../src/kit/queue/fairQueue.ts'

const operation = (client = 'a'): Requester => ({ client })
const urgent: Requester = { client: '', isUrgent: true }

/** A queue that named entries join, which records what becomes of them. */
function setUp(bounds: ConstructorParameters<typeof FairQueue>[0]) {
  const queue = new FairQueue(bounds)
  const events: string[] = []
  const join = (requester: Requester, name: string) =>
    queue.join(requester, {
      start: () => void events.push(name),
      refuse: () => void events.push(`${name} refused`),
    })
  /** The events since the last call. */
  const take = () => events.splice(0)
  return { queue, join, take }
}

/** All entries of one operation of a client, or each of another one. */
const one = (client: string) => {
  const requester = operation(client)
  return () => requester
}
const many = (client: string) => () => operation(client)

test.each<[string, Record<string, () => Requester>, string, string]>([
  [
    'clients take turns, and the entries of one operation keep their order',
    { a: one('a'), b: one('b'), c: one('c') },
    'a0 a1 a2 a3 b1 b2 c1',
    'a0 a1 b1 c1 a2 b2 a3',
  ],
  [
    'a client with many operations has no more turns than a client with one',
    { a: many('a'), b: one('b') },
    'a0 a1 a2 a3 b1 b2 b3',
    'a0 a1 b1 a2 b2 a3 b3',
  ],
  [
    'the operations of a client take turns of four entries, so that the first one ends soon',
    { a: one('a'), b: one('a'), x: one('a') },
    'x a1 a2 a3 a4 a5 b1 b2',
    'x a1 a2 a3 a4 b1 b2 a5',
  ],
])('%s', (_, requesters, joining, starting) => {
  const { join, take } = setUp({ slots: 1, maxWaiting: 20 })
  const leaves = new Map<string, () => void>()
  for (const name of joining.split(' ')) {
    leaves.set(name, join(requesters[name.charAt(0)]?.() ?? urgent, name))
  }
  const order = starting.split(' ')
  for (const name of order) leaves.get(name)?.()
  expect(take()).toEqual(order)
})

test('one client cannot hold all slots, so others start at once', () => {
  const { queue, join, take } = setUp({ slots: 32, maxWaiting: 10_000 })
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

test('a client over its share waits until other clients have their shares', () => {
  const { join, take } = setUp({ slots: 8, maxWaiting: 1_000 })
  const slow = Array.from({ length: 20 }, () => join(operation('a'), 'a'))
  for (let count = 0; count < 20; count += 1) {
    for (const client of ['b', 'c']) join(operation(client), client)
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
  const { join, take } = setUp({ slots: 4, maxWaiting: 100 })
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

test('free slots stay closed to urgent entries beyond their half', () => {
  const { join, take } = setUp({ slots: 4, maxWaiting: 100 })
  for (const name of ['u0', 'u1', 'u2']) join(urgent, name)
  expect(take()).toEqual(['u0', 'u1'])
  join(operation(), 'p0')
  expect(take()).toEqual(['p0'])
})

test('reserved slots are used only by urgent entries', () => {
  const { join, take } = setUp({ slots: 8, reservedSlots: 2, maxWaiting: 100 })
  for (let client = 0; client < 20; client += 1) join(operation(`c${client}`), 'p')
  expect(take()).toEqual(Array(6).fill('p'))
  for (const name of ['u0', 'u1']) join(urgent, name)
  expect(take()).toEqual(['u0', 'u1'])
})

test('heavy entries go last, in at most an eighth of the slots', () => {
  const { join, take } = setUp({ slots: 16, maxWaiting: 1_000 })
  const heavy = (client: string): Requester => ({ client, isHeavy: true })
  const first = join(heavy('a'), 'h0')
  for (const name of ['h1', 'h2', 'h3']) join(heavy('a'), name)
  join(heavy('b'), 'h4')
  expect(take()).toEqual(['h0', 'h4'])
  const people = Array.from({ length: 30 }, (_, i) => join(operation(`c${i}`), 'p'))
  expect(take()).toEqual(Array(14).fill('p'))
  for (const leave of [first, people[0]]) {
    leave?.()
    expect(take()).toEqual(['p'])
  }
})

test('heavy entries are not starved', () => {
  const { join, take } = setUp({ slots: 8, maxWaiting: 1_000 })
  const people = Array.from({ length: 30 }, (_, i) => join(operation(`c${i}`), 'p'))
  take()
  join({ client: 'a', isHeavy: true }, 'h')
  people[0]?.()
  expect(take()).toEqual(['h'])
})

test('a requester that returns goes to the end of the line', () => {
  const { join, take } = setUp({ slots: 1, maxWaiting: 10 })
  const first = operation('a')
  const leave = join(operation('x'), 'x')
  const leaveFirst = join(first, 'a1')
  join(operation('b'), 'b1')
  leaveFirst()
  join(first, 'a2')
  leave()
  expect(take()).toEqual(['x', 'b1'])
})

test('the last entry of the longest line is refused when the queue is full', () => {
  const { queue, join, take } = setUp({ slots: 1, maxWaiting: 3 })
  const [long, short] = [operation(), operation()]
  for (const name of ['a0', 'a1', 'a2', 'a3']) join(long, name)
  join(short, 'b1')
  join(long, 'a4')
  expect(take()).toEqual(['a0', 'a3 refused', 'a4 refused'])
  expect(queue.waiting).toBe(3)
})

test('thousands of entries that leave as they start do not block the queue', () => {
  const { queue, join } = setUp({ slots: 1, maxWaiting: 50_000 })
  const leave = join(operation(), 'a')
  let started = 0
  const start = (free: () => void) => {
    started += 1
    free()
  }
  const requester = operation()
  for (let entry = 0; entry < 20_000; entry += 1) queue.join(requester, { start, refuse() {} })
  leave()
  expect([started, queue.active, queue.waiting]).toEqual([20_000, 0, 0])
})

/** One step of a random history: an entry of a requester joins, or the n-th entry so far leaves. */
const step = fc.oneof(fc.record({ requester: fc.nat(4) }), fc.record({ leaves: fc.nat(60) }))

interface Entry {
  readonly requester: number
  starts: number
  hasLeft: boolean
  leave: () => void
}

test('random use: no slot is idle, entries start once and in order, shares are kept', () => {
  const property = fc.property(fc.integer({ min: 1, max: 7 }), fc.array(step, { maxLength: 80 }), (slots, steps) => {
    const queue = new FairQueue({ slots, maxWaiting: 1_000 })
    // Requesters 0 and 1 are operations of one client.
    const requesters = ['1', '1', '2', '3', '4'].map(operation)
    const entries: Entry[] = []
    const clientOf = ({ requester }: Entry) => requesters[requester]?.client
    const active = () => entries.filter(({ hasLeft, starts }) => !hasLeft && starts > 0)
    const waiting = () => entries.filter(({ hasLeft, starts }) => !hasLeft && starts === 0)
    const check = () => {
      expect([queue.active, queue.waiting]).toEqual([active().length, waiting().length])
      expect(queue.active).toBeLessThanOrEqual(slots)
      if (queue.waiting > 0) expect(queue.active).toBe(slots)
      // Within a requester, none starts before an earlier one.
      for (const first of waiting()) {
        const later = entries.slice(entries.indexOf(first))
        const mine = later.filter((entry) => entry.requester === first.requester)
        expect(mine.filter(({ hasLeft, starts }) => !hasLeft && starts > 0)).toEqual([])
      }
    }
    /** A client gets more than its share of the slots only if each that waits has its own. */
    const checkShare = (entry: Entry) => {
      const open = [...active(), ...waiting()]
      const share = Math.ceil(slots / new Set(open.map(clientOf)).size)
      const held = (of: Entry) => active().filter((each) => clientOf(each) === clientOf(of)).length
      if (held(entry) <= share) return
      for (const each of waiting()) expect(held(each)).toBeGreaterThanOrEqual(share)
    }
    const leave = (entry: Entry | undefined) => {
      if (!entry) return
      entry.hasLeft = true
      entry.leave()
    }
    const join = (requester: number) => {
      const entry: Entry = { requester, starts: 0, hasLeft: false, leave: () => {} }
      entries.push(entry)
      entry.leave = queue.join(requesters[requester] ?? operation(), {
        start() {
          entry.starts += 1
          checkShare(entry)
        },
        refuse: () => expect.unreachable(),
      })
    }
    for (const next of steps) {
      if ('leaves' in next) leave(entries[next.leaves])
      else join(next.requester)
      check()
    }
    while (queue.waiting > 0) leave(active()[0])
    for (const entry of entries) leave(entry)
    check()
    expect(Math.max(0, ...entries.map(({ starts }) => starts))).toBeLessThanOrEqual(1)
  })
  fc.assert(property)
})
