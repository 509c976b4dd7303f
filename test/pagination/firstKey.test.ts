import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findFirstKey, type Point } from '../../src/pagination/firstKey.ts'

/** Records with gaps between keys, whose values repeat, or leap by anything. */
const lists = fc
  .array(
    fc.record({
      gap: fc.oneof(
        { weight: 5, arbitrary: fc.constant(1) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 1_000 }) },
      ),
      leap: fc.oneof(
        fc.constant(5),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 0, max: 1e9 }),
      ),
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

test('it is the first key that a scan finds, within log2(n) + 2 calls', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.nat(1_000), fc.boolean(), async (list, share, isKnown) => {
      const above = list.at(-1) ?? { key: 0n, value: 0n }
      const target = (above.value * BigInt(share)) / 1_000n
      const below = isKnown ? list.filter(({ value }) => value < target)[0] : undefined
      let calls = 0
      const found = await findFirstKey(target, { below, above }, async (key) => {
        calls += 1
        return list.find((point) => point.key >= key)
      })
      const first = list.findIndex(({ value }) => value >= target)
      expect(list.findIndex(({ key }) => key >= found)).toBe(first)
      expect(calls).toBeLessThanOrEqual(Math.ceil(Math.log2(Number(above.key))) + 1)
    }),
    { numRuns: 500 },
  )
})

test('regular values take few calls', async () => {
  let calls = 0
  const days = Array.from({ length: 50 }, (_, i) => (BigInt(i + 1) * 1_000_000n) / 51n)
  for (const day of days) {
    const above = { key: 1_000_000n, value: 5_000_000n }
    const found = await findFirstKey(day * 5n, { below: undefined, above }, async (key) => {
      calls += 1
      return { key, value: key * 5n + (key % 3n) - 1n }
    })
    expect(Math.abs(Number(found - day))).toBeLessThanOrEqual(1)
  }
  expect(calls / days.length).toBeLessThan(8)
})
