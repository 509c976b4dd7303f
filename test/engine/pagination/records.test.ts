import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Position, readPosition, writePosition } from '../../../src/engine/pagination/cursor.ts'
import type { PageQuery } from '../../../src/engine/pagination/page.ts'
import type { RecordKeyOf } from '../../../src/engine/pagination/source.ts'
import { UpstreamHttpError } from '../../../src/engine/upstream/upstreamError.ts'
import { runs } from '../../support/property.ts'
import { type Reader, type ReadPage, readerOf } from './readerOf.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

interface Upstream {
  rows: number[]
  readonly cap: number
  readonly takesKeys: boolean
  readonly refusesKeys?: boolean
  readonly asked: PageQuery[]
}

function answer({ rows, cap, takesKeys, refusesKeys, asked }: Upstream, query: PageQuery) {
  asked.push(query)
  if (refusesKeys && query.key) throw new UpstreamHttpError('chain', 400, 'no such key')
  const ascending = rows.toSorted((a, b) => a - b)
  const ordered = query.isReverse ? ascending.toReversed() : ascending
  const key = takesKeys && query.key ? Buffer.from(query.key, 'base64').toString() : undefined
  const bound = key === undefined ? undefined : Number(JSON.parse(key).id)
  const beyond = (row: number) => (query.isReverse ? row < Number(bound) : row > Number(bound))
  const left = bound === undefined ? ordered.slice(query.offset ?? 0) : ordered.filter(beyond)
  const items = left.slice(0, Math.min(cap, query.limit))
  const counted = items.length === Math.min(cap, query.limit) ? base64('7') : null
  const last = items.at(-1)
  const keyed = last === undefined ? null : base64(`{"id": ${last}}`)
  return { items, nextKey: bound === undefined ? counted : keyed, total: null }
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
  takesKeys: fc.boolean(),
  asked: fc.constant<PageQuery[]>([]),
})

test('every record is read once, whether or not the upstream accepts record keys', async () => {
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
        const upstream: Upstream = { rows: [...rows], cap: 1000, takesKeys: true, asked: [] }
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

test('the next page takes one request, and two if its key is ignored or refused', async () => {
  for (const [takesKeys, refusesKeys] of [[true], [false], [false, true]]) {
    const rows = [1, 2, 3, 4, 5, 6]
    const upstream: Upstream = {
      rows,
      cap: 1000,
      takesKeys: takesKeys === true,
      refusesKeys: refusesKeys === true,
      asked: [],
    }
    const list = listOf(upstream, false)
    const first = await list(null, true, 2)
    await list(first?.last ?? null, true, 2)
    const [, ...next] = upstream.asked
    expect(next).toEqual([
      { key: base64('{"id":2}'), limit: 3, isReverse: false },
      ...(takesKeys ? [] : [{ offset: 2, limit: 3, isReverse: false }]),
    ])
  }
})

test('a record key that is too long for a cursor is replaced by an offset', async () => {
  const upstream: Upstream = { rows: [1, 2], cap: 1000, takesKeys: true, asked: [] }
  const page = await listOf(upstream, false, () => 'x'.repeat(2001))(null, true, 1)
  expect(page?.last).toEqual({ kind: 'offset', from: 'start', index: 0 })
})
