import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  findFirstKey,
  type NeighborReader,
  type Neighbors,
  type Point,
} from '../../../src/engine/pagination/firstKey.ts'
import { runs } from '../../support/property.ts'

/** Records with gaps between keys, whose values repeat, or leap by anything. */
const lists = fc
  .array(
    fc.record({
      gap: fc.oneof(
        { weight: 5, arbitrary: fc.constant(1) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 1_000 }) },
      ),
      leap: fc.oneof(fc.constant(5), fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 1e9 })),
    }),
    { minLength: 1, maxLength: 300 },
  )
  .map((steps) => {
    let [key, value] = [0, 0]
    return steps.map(({ gap, leap }): Point => {
      key += gap
      value += leap
      return { key: BigInt(key), value: BigInt(value) }
    })
  })

/** A reader of a list as an indexer with pages of so many records, and the number of its requests. */
function readerOf(list: readonly Point[], size: number) {
  const counter = { requests: 0 }
  const keyAt = (page: readonly Point[], index: number) => {
    if (index < page.length - 1) counter.requests += 1
    return page[index]?.key ?? 0n
  }
  const neighbors = (page: readonly Point[]): Neighbors | undefined => {
    counter.requests += 1
    const last = page.at(-1)
    return (
      last && {
        values: page.map(({ value }) => value),
        lastKey: last.key,
        keyAt: (index) => keyAt(page, index),
      }
    )
  }
  const read: NeighborReader = {
    async from(key) {
      const start = list.findIndex((point) => point.key >= key)
      return neighbors(start < 0 ? [] : list.slice(start, start + size))
    },
    async before(key) {
      const end = list.findIndex((point) => point.key >= key)
      const before = end < 0 ? list : list.slice(0, end)
      return neighbors(before.slice(-size).toReversed())
    },
  }
  return { read, counter }
}

test('findFirstKey finds a key up to the first record that reaches the target', async () => {
  await fc.assert(
    fc.asyncProperty(
      lists,
      fc.nat(1_000),
      fc.boolean(),
      fc.constantFrom(1, 2, 7, 20),
      async (list, share, isKnown, size) => {
        const above = list.at(-1) ?? { key: 0n, value: 0n }
        const target = (above.value * BigInt(share)) / 1_000n
        const below = isKnown ? list.find(({ value }) => value < target) : undefined
        const found = await findFirstKey(target, { below, above }, readerOf(list, size).read)
        const first = list.findIndex(({ value }) => value >= target)
        expect(list.findIndex(({ key }) => key >= found)).toBe(first)
      },
    ),
    { numRuns: runs(500) },
  )
})

/** A list of so many records, by the gap before each key and by the leap to its value. */
function listOf(count: number, gapOf: (index: number) => number, leapOf: (index: number) => number): Point[] {
  let [key, value] = [0, 0]
  return Array.from({ length: count }, (_, index) => {
    key += gapOf(index)
    value += leapOf(index)
    return { key: BigInt(key), value: BigInt(Math.floor(value)) }
  })
}

/** A number that looks random, from 0 to 1. */
const noise = (index: number) => (Math.imul(index + 1, 2_654_435_761) >>> 0) / 2 ** 32

const one = () => 1
const lists3014 = {
  'regular times': listOf(3_014, one, () => 5),
  'several records of a second': listOf(3_014, one, (i) => (i % 7 === 0 ? 1 : 0)),
  'holes up to 900': listOf(
    3_014,
    (i) => 1 + Math.floor(900 * noise(i)),
    () => 5,
  ),
  'holes up to 10^9': listOf(
    3_014,
    (i) => 1 + Math.floor(1e9 * noise(i)),
    (i) => 10 * noise(i + 7),
  ),
  'two parts, 10^12 apart': listOf(
    3_014,
    (i) => (i === 1_000 ? 1e12 : 1),
    () => 5,
  ),
  'a halt of a year': listOf(3_014, one, (i) => (i === 2_000 ? 31_536_000 : 5)),
  'most records in a tenth of the time': listOf(3_014, one, (i) => (i < 2_700 ? 1 : 80)),
}

test.each(Object.entries(lists3014).map(([name, list]) => ({ name, list })))(
  'findFirstKey takes at most 17 requests in a list with $name',
  async ({ list }) => {
    const above = list.at(-1) ?? { key: 0n, value: 0n }
    for (let share = 1n; share < 200n; share += 1n) {
      const target = (above.value * share) / 200n
      const { read, counter } = readerOf(list, 20)
      await findFirstKey(target, { below: undefined, above }, read)
      expect(counter.requests).toBeLessThanOrEqual(17)
    }
  },
)

test.each([
  { name: 'regular values', leapOf: (i: number) => 4 + (i % 3), from: 0n, most: 5.1 },
  { name: 'recent values', leapOf: (i: number) => 4 + (i % 3), from: 99n, most: 5.3 },
  {
    name: 'recent values of a list that grew',
    leapOf: (i: number) => 100 - Math.floor((95 * i) / 10_000),
    from: 99n,
    most: 5,
  },
])('findFirstKey takes at most $most requests on average for $name', async ({ leapOf, from, most }) => {
  const list = listOf(10_000, one, leapOf)
  const above = list.at(-1) ?? { key: 0n, value: 0n }
  let requests = 0
  for (let share = 1n; share < 50n; share += 1n) {
    const { read, counter } = readerOf(list, 20)
    const target = (above.value * (50n * from + (100n - from) * share)) / 5_000n
    await findFirstKey(target, { below: undefined, above }, read)
    requests += counter.requests
  }
  expect(requests / 49).toBeLessThanOrEqual(most)
})
