import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pick } from '../../../packages/sandbox/src/random.ts'
import type { OffsetPosition } from '../../../src/engine/pagination/cursor.ts'
import { runs } from '../../support/property.ts'
import { type Answer, countKey, type Reader, readerOf, skippedBy } from './readerOf.ts'

interface Row {
  readonly name: string
  readonly key: number
}

const windowLimit = 20

/** An indexer whose list is ordered by key. Rows of equal keys come in another order for each request. */
function startIndexer(rows: readonly Row[], cap: number) {
  const limits: number[] = []
  const answer: Answer<Row> = (query, target) => {
    const { limit: wanted, isReverse } = query
    const skipped = skippedBy(query)
    limits.push(wanted)
    const limit = Math.min(wanted, Math.max(cap, wanted === windowLimit ? windowLimit : 0))
    const place = ({ name }: Row) => pick(1_000, target, name)
    const sorted = rows.toSorted((a, b) => a.key - b.key || place(a) - place(b))
    const all = isReverse ? sorted.toReversed() : sorted
    const items = all.slice(skipped, skipped + limit)
    const end = skipped + items.length
    return { items, nextKey: end >= all.length ? null : countKey(end), total: null }
  }
  const readPage = readerOf(answer, {
    path: '/rows',
    strategy: { kind: 'offset' },
    window: { limit: windowLimit, anchor: 'first' },
    isTied: (a, b) => a.key === b.key,
  })
  const read = async (...[from, isForward, count]: Parameters<Reader<Row>>) => {
    const page = await readPage(from, isForward, count)
    if (!page) throw new Error('no page')
    return page
  }
  /** The order in which the indexer gives the list whole. */
  const inOrder = () => answer({ limit: windowLimit, isReverse: false }, wholeTarget)?.items ?? []
  return { inOrder, limits, read }
}

const wholeTarget = `/rows?pagination.limit=${windowLimit}&pagination.reverse=false&pagination.count_total=false`

const namesOf = (rows: readonly Row[]) => rows.map(({ name }) => name)

const lists = fc.array(fc.nat({ max: 3 }), { maxLength: windowLimit - 1 }).map((steps): Row[] => {
  let key = 0
  return steps.map((step, index) => {
    key += step
    return { name: `row ${index}`, key }
  })
})

test('pages of a list with ties have the order of the whole list', async () => {
  const property = fc.asyncProperty(
    lists,
    fc.constantFrom(1, 3, 1_000),
    fc.array(
      fc.record({
        from: fc.option(fc.constantFrom('start' as const, 'end' as const)),
        index: fc.nat({ max: windowLimit }),
        isForward: fc.boolean(),
        count: fc.integer({ min: 1, max: 6 }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    async (rows, cap, requests) => {
      const { inOrder, read } = startIndexer(rows, cap)
      const names = namesOf(inOrder())
      for (const { from, index, isForward, count } of requests) {
        const isIn = from !== null && index < names.length
        const position = isIn ? { kind: 'offset' as const, from, index } : null
        const at = !isIn ? (isForward ? -1 : names.length) : from === 'start' ? index : names.length - 1 - index
        const page = await read(position, isForward, count)
        const expected = isForward ? names.slice(at + 1, at + 1 + count) : names.slice(Math.max(0, at - count), at)
        const found = page.items.map(({ item }) => item)
        expect(namesOf(isForward ? found : found.toReversed())).toEqual(expected)
        expect(page.hasMore).toBe(isForward ? at + 1 + count < names.length : at - count > 0)
        for (const { item, position } of page.items) {
          const next = await read(position as OffsetPosition, true, 1)
          const own = names.indexOf(item.name)
          expect(namesOf(next.items.map(({ item }) => item))).toEqual(names.slice(own + 1, own + 2))
          const before = await read(position as OffsetPosition, false, 1)
          expect(namesOf(before.items.map(({ item }) => item))).toEqual(names.slice(Math.max(0, own - 1), own))
        }
      }
    },
  )
  await fc.assert(property, { numRuns: runs(150) })
})

test('a list without ties is not read whole', async () => {
  const rows = Array.from({ length: 15 }, (_, key): Row => ({ name: `row ${key}`, key }))
  const { read, limits } = startIndexer(rows, 1_000)
  for (let from: OffsetPosition | null = null; ; ) {
    const page = await read(from, true, 4)
    if (!page.hasMore) break
    from = page.last as OffsetPosition
  }
  expect(limits).toEqual([6, 7, 7, 7])
})

test('only pages with ties on them or at their ends are read from the whole list', async () => {
  const keys = [0, 1, 2, 3, 3, 4, 5, 6, 7, 8]
  const rows = keys.map((key, index): Row => ({ name: `row ${index}`, key }))
  const asked = async (index: number, count: number) => {
    const { read, limits, inOrder } = startIndexer(rows, 1_000)
    const page = await read({ kind: 'offset', from: 'start', index }, true, count)
    const isWhole = limits.includes(windowLimit)
    expect(namesOf(page.items.map(({ item }) => item))).toEqual(namesOf(inOrder().slice(index + 1, index + 1 + count)))
    return isWhole
  }
  expect(await asked(4, 3)).toBe(false)
  expect(await asked(0, 1)).toBe(false)
  expect(await asked(0, 3)).toBe(true)
  expect(await asked(3, 2)).toBe(true)
})
