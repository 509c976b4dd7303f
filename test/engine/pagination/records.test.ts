import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Position, readPosition, writePosition } from '../../../src/engine/pagination/cursor.ts'
import type { PageQuery } from '../../../src/engine/pagination/page.ts'
import type { RecordKeyOf } from '../../../src/engine/pagination/source.ts'
import { runs } from '../../support/property.ts'
import { countKey, type Reader, type ReadPage, readerOf, skippedBy } from './readerOf.ts'

interface Upstream {
  rows: number[]
  readonly cap: number
  readonly asked: PageQuery[]
}

/** A list that is found by counting, also by its keys. */
function answer({ rows, cap, asked }: Upstream, query: PageQuery) {
  asked.push(query)
  const ascending = rows.toSorted((a, b) => a - b)
  const left = (query.isReverse ? ascending.toReversed() : ascending).slice(skippedBy(query))
  const items = left.slice(0, Math.min(cap, query.limit))
  const isFull = items.length === Math.min(cap, query.limit)
  return { items, nextKey: isFull ? countKey(skippedBy(query) + items.length) : null, total: null }
}

const idOf = (row: number) => (row === 13 ? undefined : `{"id":${row}}`)

const listOf = (upstream: Upstream, isDescending: boolean, keyOf: RecordKeyOf<number> = idOf) =>
  readerOf((query) => answer(upstream, query), {
    isDescending,
    strategy: { kind: 'record', keyOf },
  })

/** All records from an end of the list, through cursors as clients get them. */
async function walk(list: Reader<number>, isForward: boolean, count: number, between: () => void = () => {}) {
  const read: number[] = []
  for (let position: Position | null = null; ; between()) {
    const page: ReadPage<number> | null = await list(position, isForward, count)
    if (!page) throw new Error('the list is served')
    read.push(...page.items.map(({ item }) => item))
    if (!page.hasMore) return read
    position = page.last && (readPosition(writePosition(page.last)) ?? null)
    expect(position).toEqual(page.last)
  }
}

const upstreams = fc.record({
  rows: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 30 }),
  cap: fc.constantFrom(1, 3, 1000),
  asked: fc.constant<PageQuery[]>([]),
})

test('every record is read once', async () => {
  await fc.assert(
    fc.asyncProperty(
      upstreams,
      fc.integer({ min: 1, max: 8 }),
      fc.boolean(),
      fc.boolean(),
      async (upstream, count, isDescending, isForward) => {
        const read = await walk(listOf(upstream, isDescending), isForward, count)
        const ascending = upstream.rows.toSorted((a, b) => a - b)
        expect(read).toEqual(isDescending === isForward ? ascending.toReversed() : ascending)
      },
    ),
    { numRuns: runs(200) },
  )
})

test('records added or removed between pages do not repeat or lose others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 20, max: 60 }), { minLength: 10, maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      fc.infiniteStream(fc.integer({ min: 20, max: 60 })),
      async (rows, count, isDescending, changes) => {
        const upstream: Upstream = { rows: [...rows], cap: 1000, asked: [] }
        const changed = new Set<number>()
        const read = await walk(listOf(upstream, isDescending), true, count, () => {
          const row = changes.next().value
          changed.add(row)
          const isThere = upstream.rows.includes(row)
          upstream.rows = isThere ? upstream.rows.filter((each) => each !== row) : [...upstream.rows, row]
        })
        expect(read).toEqual([...new Set(read)])
        const steady = rows.filter((row) => !changed.has(row)).toSorted((a, b) => a - b)
        const seen = read.filter((row) => steady.includes(row))
        expect(seen).toEqual(isDescending ? steady.toReversed() : steady)
      },
    ),
    { numRuns: runs(200) },
  )
})

test('the next page takes one request, and more only if its place has moved', async () => {
  const upstream: Upstream = { rows: [1, 2, 3, 4, 5, 6], cap: 1000, asked: [] }
  const list = listOf(upstream, false)
  // Two first pages of different lengths show what the keys are.
  await list(null, true, 1)
  const first = await list(null, true, 2)
  upstream.asked.splice(0)
  const second = await list(first?.last ?? null, true, 2)
  expect(second?.items.map(({ item }) => item)).toEqual([3, 4])
  expect(upstream.asked).toEqual([{ key: countKey(1), limit: 4, isReverse: false }])
  upstream.rows = [0, ...upstream.rows]
  upstream.asked.splice(0)
  const third = await list(second?.last ?? null, true, 2)
  expect(third?.items.map(({ item }) => item)).toEqual([5, 6])
  expect(upstream.asked).toHaveLength(3)
})

test('a record key that is too long for a cursor is replaced by an offset', async () => {
  const upstream: Upstream = { rows: [1, 2], cap: 1000, asked: [] }
  const page = await listOf(upstream, false, () => 'x'.repeat(2001))(null, true, 1)
  expect(page?.last).toMatchObject({ kind: 'offset', from: 'start', index: 0 })
})
