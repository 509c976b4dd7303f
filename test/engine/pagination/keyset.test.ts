import { expect, test } from 'vitest'
import type { Position } from '../../../src/engine/pagination/cursor.ts'
import type { PageQuery } from '../../../src/engine/pagination/page.ts'
import type { Strategy } from '../../../src/engine/pagination/source.ts'
import { type Answer, type Reader, type ReadPage, readerOf } from './readerOf.ts'

// The example in the head comment of src/engine/pagination/keyset.ts, with the keys as they are sent.

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Ten records with the sequences 1 to 10, newest first, and the requests for their pages. */
function tenRecords(strategy: Strategy<number> = { kind: 'keyset', field: 'sequence' }, leftOut?: number) {
  const requests: PageQuery[] = []
  const answer: Answer<number> = (query) => {
    requests.push(query)
    const key = Buffer.from(query.key ?? '', 'base64').toString()
    const bound = query.key ? Number(/\d+/.exec(key)) : undefined
    const all = Array.from({ length: 10 }, (_, i) => (query.isReverse ? 10 - i : i + 1))
    const items = all
      .filter((row) => bound === undefined || (query.isReverse ? row < bound : row > bound))
      .slice(0, query.limit)
    const last = items.at(-1)
    const nextKey = last === undefined ? null : base64(`{"sequence":${last}}`)
    return { items: items.filter((row) => row !== leftOut), nextKey, total: null }
  }
  return { list: readerOf(answer, { isDescending: true, strategy }), requests }
}

async function read(list: Reader<number>, from: Position | null, isForward: boolean, count: number) {
  const page = await list(from, isForward, count)
  return page && { ...page, items: page.items.map(({ item }) => item) }
}

test('example in keyset.ts: first page, next page and a page back', async () => {
  const { list, requests } = tenRecords()
  const first = await read(list, null, true, 3)
  expect(first).toEqual({
    items: [10, 9, 8],
    hasMore: true,
    last: { kind: 'keyset', key: 7n, offset: -1 },
  })
  const position = first?.last ?? null
  expect((await read(list, position, true, 3))?.items).toEqual([7, 6, 5])
  expect(await read(list, position, false, 2)).toMatchObject({ items: [9, 10], hasMore: false })
  expect(requests).toEqual([
    { key: undefined, limit: 4, isReverse: true },
    { key: 'eyJzZXF1ZW5jZSI6OH0=', limit: 4, isReverse: true },
    { key: 'eyJzZXF1ZW5jZSI6N30=', limit: 4, isReverse: false },
  ])
})

test('example in keyset.ts: a record at an offset from its key', async () => {
  const { list, requests } = tenRecords()
  const page = await read(list, { kind: 'keyset', key: 7n, offset: -2 }, true, 3)
  expect(page?.items).toEqual([8, 7, 6])
  expect(requests).toEqual([
    { key: 'eyJzZXF1ZW5jZSI6N30=', limit: 2, isReverse: false },
    { key: 'eyJzZXF1ZW5jZSI6OX0=', limit: 4, isReverse: true },
  ])
})

const positionsOf = (page: ReadPage<number> | null) =>
  page?.items.map(({ item, position }) =>
    position.kind === 'keyset' ? [item, Number(position.key), position.offset + 0] : undefined,
  )

test.each([true, false])('a page without missing numbers gives each record a key (forward: %s)', async (isForward) => {
  const { list, requests } = tenRecords()
  const page = await list({ kind: 'keyset', key: 5n, offset: 0 }, isForward, 3)
  const items = isForward ? [4, 3, 2] : [6, 7, 8]
  expect(positionsOf(page)).toEqual(items.map((item) => [item, item, 0]))
  requests.length = 0
  const amid = page?.items[1]?.position ?? null
  expect((await read(list, amid, isForward, 2))?.items).toEqual(isForward ? [2, 1] : [8, 9])
  expect(requests).toHaveLength(1)
})

test('a page with a missing number gives each record the offset from its nearer key', async () => {
  const { list: sparse, requests } = tenRecords(undefined, 6)
  const page = await sparse({ kind: 'keyset', key: 10n, offset: 0 }, true, 6)
  expect(positionsOf(page)).toEqual([
    [9, 10, 1],
    [8, 10, 2],
    [7, 3, -3],
    [5, 3, -2],
    [4, 3, -1],
    [3, 3, 0],
  ])
  requests.length = 0
  const amid = page?.items[1]?.position ?? null
  expect((await read(sparse, amid, true, 2))?.items).toEqual([7, 5])
  expect(requests[0]).toEqual({ key: 'eyJzZXF1ZW5jZSI6MTB9', limit: 5, isReverse: true })
})

test('an opaque list does not decode its page keys', async () => {
  const { list } = tenRecords({ kind: 'opaque' })
  const first = await read(list, null, true, 3)
  // The keys have the form of a keyset list, but the list does not claim that they bound its records.
  expect(first).toEqual({
    items: [10, 9, 8],
    hasMore: true,
    last: { kind: 'opaque', key: 'eyJzZXF1ZW5jZSI6OH0=', index: -1, isForward: true },
  })
  expect((await read(list, first?.last ?? null, true, 3))?.items).toEqual([7, 6, 5])
})

test('a keyset position is an invalid cursor for another strategy', async () => {
  const { list } = tenRecords({ kind: 'opaque' })
  const position: Position = { kind: 'keyset', key: 7n, offset: 0 }
  await expect(list(position, true, 3)).rejects.toThrow('Invalid cursor.')
})

test.each([
  ['repeats', '{"sequence":7}', 'The upstream returned the same page key twice.'],
  ['leads back', '{"sequence":9}', 'The upstream returned its page keys out of order.'],
  ['has another form', 'page 3', 'The upstream changed the form of its keys.'],
])('a page key that %s is an error', async (_claim, key, message) => {
  const broken = readerOf(() => ({ items: [3], nextKey: base64(key), total: null }), {
    isDescending: true,
  })
  const position: Position = { kind: 'keyset', key: 7n, offset: 0 }
  await expect(broken(position, true, 3)).rejects.toMatchObject({
    code: 'UPSTREAM_INVALID_RESPONSE',
    message,
  })
})
