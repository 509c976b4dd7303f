import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PageQuery } from '../../../src/engine/pagination/page.ts'
import type { ListSource } from '../../../src/engine/pagination/source.ts'
import { GatewayError } from '../../../src/engine/upstream/error.ts'
import { runs } from '../../support/property.ts'
import { countKey, readAll, readerOf, skippedBy } from './readerOf.ts'

type Window = NonNullable<ListSource<number>['window']>

const numbers = (length: number) => Array.from({ length }, (_, i) => i)
const window: Window = { limit: 10, anchor: 'first' }

/** A list of rows that is read whole if it is short, and the requests for its pages. */
function openList(rows: number[], { window: read = window, isDescending = false, fails = false } = {}) {
  const requests: PageQuery[] = []
  const list = readerOf<number>(
    (query) => {
      requests.push(query)
      if (fails) throw new GatewayError('UPSTREAM_INVALID_RESPONSE', 'too large')
      const { limit, isReverse } = query
      const left = (isReverse ? rows.toReversed() : rows).slice(skippedBy(query))
      const items = left.slice(0, limit)
      const next = countKey(skippedBy(query) + items.length)
      return { items, nextKey: items.length < left.length ? next : null, total: null }
    },
    { isDescending, window: read, strategy: { kind: 'offset' } },
  )
  return { list, requests }
}

const itemsOf = (page: { items: readonly { item: number }[] } | null) => page?.items.map(({ item }) => item)

test('a short list is read in one request, in the requested order', async () => {
  const { list, requests } = openList(numbers(5), { isDescending: true })
  expect(itemsOf(await list(null, true, 3))).toEqual([4, 3, 2])
  expect(requests).toMatchObject([{ limit: 10, isReverse: true }])
})

test('a list that fills its window is not read whole again', async () => {
  const { list, requests } = openList(numbers(10))
  await list(null, true, 3)
  expect(itemsOf(await list(null, true, 3))).toEqual([0, 1, 2])
  expect(requests.filter(({ limit }) => limit === 10)).toHaveLength(1)
})

test('a list whose window fails is read by pages, unless the upstream refuses it', async () => {
  const { list, requests } = openList(numbers(5), { fails: true })
  await expect(list(null, true, 3)).rejects.toMatchObject({ code: 'UPSTREAM_INVALID_RESPONSE' })
  expect(requests.map(({ limit }) => limit)).toEqual([10, 4])
  let refusals = 0
  const refused = readerOf<number>(
    () => {
      refusals += 1
      throw new GatewayError('UPSTREAM_REJECTED', 'no')
    },
    { window, strategy: { kind: 'offset' } },
  )
  await expect(refused(null, true, 3)).rejects.toMatchObject({ code: 'UPSTREAM_REJECTED' })
  expect(refusals).toBe(1)
})

test('pages of a window have each record once, in both directions and orders', async () => {
  const property = fc.asyncProperty(
    fc.integer({ min: 0, max: 30 }),
    fc.integer({ min: 1, max: 9 }),
    fc.record({ isForward: fc.boolean(), isDescending: fc.boolean() }),
    fc.constantFrom('first' as const, 'last' as const),
    async (length, count, { isForward, isDescending }, anchor) => {
      const read = { limit: 100, anchor }
      const { list } = openList(numbers(length), { isDescending, window: read })
      const found = await readAll(list, { count, isForward })
      const isAscending = isForward !== isDescending
      expect(found.map(({ item }) => item)).toEqual(isAscending ? numbers(length) : numbers(length).toReversed())
    },
  )
  await fc.assert(property, { numRuns: runs(200) })
})

test('a position from the start is stable when records are added at the end', async () => {
  const rows = numbers(3)
  const { list } = openList(rows, { isDescending: true })
  const first = await list(null, true, 1)
  rows.push(3, 4)
  expect(itemsOf(await list(first?.last ?? null, true, 2))).toEqual([1, 0])
})

test('a position beyond the end of a list is at its end', async () => {
  const { list } = openList(numbers(3))
  const gone = { kind: 'offset', from: 'start', index: 9 } as const
  const back = await list(gone, false, 2)
  expect(itemsOf(back)).toEqual([2, 1])
  expect(back?.hasMore).toBe(true)
  expect(await list(gone, true, 2)).toMatchObject({ items: [], hasMore: false })
})
