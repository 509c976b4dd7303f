import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { OffsetPosition } from '../../src/pagination/cursor.ts'
import type { ListSource } from '../../src/pagination/listPage.ts'
import { fetchListPage } from '../../src/pagination/readList.ts'
import { pick } from '../../src/sandbox/random.ts'
import type { Upstream } from '../../src/upstream/client.ts'
import { createRequestScope } from '../../src/upstream/requestScope.ts'
import { type Listed, pageOf, UnreadableRecord } from '../../src/wire/decode.ts'
import { runs } from '../support/property.ts'
import { scopeSources } from '../support/scopeSources.ts'

interface Row {
  readonly name: string
  readonly key: number
}

const windowLimit = 20

/** An indexer whose list is ordered by key. Rows of equal keys come in another order for each request. */
function startIndexer(rows: readonly Row[], cap: number) {
  const limits: number[] = []
  const answer = (target: string) => {
    const query = new URL(target, 'http://x').searchParams
    const isReverse = query.get('pagination.reverse') === 'true'
    const asked = Number(query.get('pagination.limit'))
    const limit = Math.min(asked, Math.max(cap, asked === windowLimit ? windowLimit : 0))
    const offset = Number(query.get('pagination.offset') ?? 0)
    const place = ({ name }: Row) => pick(1_000, target, name)
    const sorted = rows.toSorted((a, b) => a.key - b.key || place(a) - place(b))
    const all = isReverse ? sorted.toReversed() : sorted
    const page = all.slice(offset, offset + limit)
    const isEnd = offset + page.length >= all.length
    return { rows: page, pagination: { next_key: isEnd ? null : 'more', total: '0' } }
  }
  const upstream: Upstream = {
    ...{ service: 'chain-1', source: 'chain-1' },
    send: async ({ target, read }) => {
      limits.push(Number(new URL(target, 'http://x').searchParams.get('pagination.limit')))
      return read(answer(target), '')
    },
  }
  const context = {
    scope: createRequestScope(new AbortController().signal, scopeSources()),
  }
  /** The order in which the indexer gives the list whole. */
  const whole = answer(
    `/rows?pagination.limit=${windowLimit}&pagination.reverse=false&pagination.count_total=false`,
  ).rows
  const read = async (from: OffsetPosition | null, isForward: boolean, count: number) => {
    const page = await fetchListPage(context, upstream, source, {
      ...{ order: 'ASC', count, isForward, from },
    })
    if (!page) throw new Error('no page')
    return page
  }
  return { whole, limits, read }
}

const isTied = (a: Listed<Row>, b: Listed<Row>) =>
  a instanceof UnreadableRecord || b instanceof UnreadableRecord || a.key === b.key

const source: ListSource<Listed<Row>> = {
  path: '/rows',
  page: pageOf('rows', z.object({ name: z.string(), key: z.number() })),
  strategy: { kind: 'offset' },
  window: { limit: windowLimit, anchor: 'first' },
  isTied,
  total: 'none',
}

const namesOf = (rows: readonly Listed<Row>[]) =>
  rows.map((row) => (row instanceof UnreadableRecord ? '' : row.name))

const lists = fc.array(fc.nat({ max: 3 }), { maxLength: windowLimit - 1 }).map((steps): Row[] => {
  let key = 0
  return steps.map((step, index) => {
    key += step
    return { name: `row ${index}`, key }
  })
})

test('each page from each place is a part of the one order that the whole list has', async () => {
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
      const { whole, read } = startIndexer(rows, cap)
      const names = namesOf(whole)
      for (const { from, index, isForward, count } of requests) {
        const isIn = from !== null && index < names.length
        const position = isIn ? { kind: 'offset' as const, from, index } : null
        const at = !isIn
          ? isForward
            ? -1
            : names.length
          : from === 'start'
            ? index
            : names.length - 1 - index
        const page = await read(position, isForward, count)
        const expected = isForward
          ? names.slice(at + 1, at + 1 + count)
          : names.slice(Math.max(0, at - count), at)
        expect(namesOf(page.items.map(({ item }) => item))).toEqual(expected)
        const hasMore = isForward ? page.hasNextPage : page.hasPreviousPage
        expect(hasMore).toBe(isForward ? at + 1 + count < names.length : at - count > 0)
        for (const [i, { position }] of page.items.entries()) {
          const next = await read(position as OffsetPosition, true, 1)
          const own = names.indexOf(expected[i] ?? '')
          expect(namesOf(next.items.map(({ item }) => item))).toEqual(names.slice(own + 1, own + 2))
          const before = await read(position as OffsetPosition, false, 1)
          expect(namesOf(before.items.map(({ item }) => item))).toEqual(
            names.slice(Math.max(0, own - 1), own),
          )
        }
      }
    },
  )
  await fc.assert(property, { numRuns: runs(150) })
})

test('a list without equal records is never read whole, and a page takes a few records more', async () => {
  const rows = Array.from({ length: 15 }, (_, key): Row => ({ name: `row ${key}`, key }))
  const { read, limits } = startIndexer(rows, 1_000)
  for (let from: OffsetPosition | null = null; ; ) {
    const page = await read(from, true, 4)
    if (!page.hasNextPage) break
    from = page.end as OffsetPosition
  }
  expect(limits).toEqual([6, 7, 7, 7])
})

test('only a page with equal records on it, or at its ends, is read from the whole list', async () => {
  const keys = [0, 1, 2, 3, 3, 4, 5, 6, 7, 8]
  const rows = keys.map((key, index): Row => ({ name: `row ${index}`, key }))
  const asked = async (index: number, count: number) => {
    const { read, limits, whole } = startIndexer(rows, 1_000)
    const page = await read({ kind: 'offset', from: 'start', index }, true, count)
    expect(namesOf(page.items.map(({ item }) => item))).toEqual(
      namesOf(whole.slice(index + 1, index + 1 + count)),
    )
    return limits.includes(windowLimit)
  }
  expect(await asked(4, 3)).toBe(false)
  expect(await asked(0, 1)).toBe(false)
  expect(await asked(0, 3)).toBe(true)
  expect(await asked(3, 2)).toBe(true)
})
