import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from '../../../src/engine/pagination/cursor.ts'
import type { PageQuery } from '../../../src/engine/pagination/page.ts'
import type { ListSource } from '../../../src/engine/pagination/source.ts'
import { UpstreamHttpError } from '../../../src/engine/upstream/upstreamError.ts'
import type { Page } from '../../../src/engine/wire/decode.ts'
import { runs } from '../../support/property.ts'
import { testSigner } from '../../support/testSigner.ts'
import { type Answer, countKey, readAll, readerOf, skippedBy } from './readerOf.ts'

// A small upstream with a known list, to check every strategy against.

interface Upstream {
  /** Sequences, ascending; sparse, as those of one account are. */
  readonly rows: number[]
  readonly keys: 'keyset' | 'keyset, null at the end' | 'offset' | 'decimal' | 'opaque' | 'opaque, null at the end'
  readonly cap: number
  readonly overCap: 'cuts' | 'refuses'
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

function answer(upstream: Upstream, query: PageQuery): Page<number> {
  const { rows, keys, cap, overCap } = upstream
  if (query.limit > cap && overCap === 'refuses') {
    const text = `pagination.limit must be between 1 and ${cap}`
    throw new UpstreamHttpError('chain', 400, text)
  }
  const ordered = query.isReverse ? rows.toReversed() : rows
  const key = query.key && Buffer.from(query.key, 'base64').toString()
  const bound = key && /sequence":(-?\d+)|~(\d+)/.exec(key)?.slice(1).find(Boolean)
  const beyond = (row: number) => (query.isReverse ? row < Number(bound) : row > Number(bound))
  const left = bound === undefined ? ordered.slice(skippedBy(query)) : ordered.filter(beyond)
  const items = left.slice(0, Math.min(query.limit, cap))
  const last = items.at(-1)
  const isEnd = items.length === left.length
  const isFull = items.length === Math.min(query.limit, cap)
  const nextOffset = countKey(skippedBy(query) + items.length)
  const nextKey = {
    keyset: last === undefined ? null : base64(`{"sequence":${last}}`),
    'keyset, null at the end': isEnd ? null : base64(`{"sequence":${last}}`),
    offset: isFull ? nextOffset : null,
    decimal: isFull ? nextOffset : null,
    opaque: last === undefined ? null : base64(`~${last}`),
    'opaque, null at the end': isEnd ? null : base64(`~${last}`),
  }[keys]
  return { items, nextKey, total: null }
}

const listOf = (
  upstream: Upstream,
  isDescending: boolean,
  filter?: ListSource<number>['filter'],
  answerTo: Answer<number> = (query) => answer(upstream, query),
) =>
  readerOf(answerTo, {
    isDescending,
    filter,
    ...(upstream.keys === 'offset' && { strategy: { kind: 'offset' } }),
  })

const sequences = (max: number) =>
  fc.uniqueArray(fc.integer({ min: 1, max }), { maxLength: 40 }).map((rows) => rows.toSorted((a, b) => a - b))

const upstreams = (keys: fc.Arbitrary<Upstream['keys']>) =>
  fc.record({
    rows: sequences(90),
    keys,
    cap: fc.constantFrom(1, 2, 3, 10, 100, 1000),
    overCap: fc.constantFrom('cuts' as const, 'refuses' as const),
  })

const everyKind = fc.constantFrom<Upstream['keys'][]>(
  'keyset',
  'keyset, null at the end',
  'offset',
  'decimal',
  'opaque',
)
const readable = fc.constantFrom<Upstream['keys'][]>('keyset', 'keyset, null at the end', 'offset', 'decimal')

const items = (rows: readonly { item: number }[]) => rows.map(({ item }) => item)

test('all pages together have every record once, for all page sizes, caps and keys', async () => {
  await fc.assert(
    fc.asyncProperty(
      upstreams(everyKind),
      fc.integer({ min: 1, max: 45 }),
      fc.boolean(),
      fc.boolean(),
      async (upstream, count, isDescending, isForward) => {
        const rows = await readAll(listOf(upstream, isDescending), { count, isForward })
        const expected = isDescending === isForward ? upstream.rows.toReversed() : upstream.rows
        expect(items(rows)).toEqual(expected)
      },
    ),
    { numRuns: runs(200) },
  )
})

test('every position leads to exactly the records after it and before it', async () => {
  await fc.assert(
    fc.asyncProperty(
      upstreams(readable),
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      fc.boolean(),
      async (upstream, count, isDescending, isForward) => {
        const list = listOf(upstream, isDescending)
        const ordered = isDescending ? upstream.rows.toReversed() : upstream.rows
        for (const { item, position } of await readAll(list, { count, isForward })) {
          const at = ordered.indexOf(item)
          const after = await readAll(list, { count, from: position })
          const before = await readAll(list, { count, isForward: false, from: position })
          expect(items(after)).toEqual(ordered.slice(at + 1))
          expect(items(before)).toEqual(ordered.slice(0, at).toReversed())
        }
      },
    ),
    { numRuns: runs(60) },
  )
})

test('every position of an opaque list leads to the records after it and before it', async () => {
  await fc.assert(
    fc.asyncProperty(
      upstreams(fc.constantFrom<Upstream['keys'][]>('opaque', 'opaque, null at the end')),
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 3 }),
      async (upstream, count, isForward, divisor) => {
        const accepts = (row: number) => row % divisor === 0
        const list = listOf(upstream, true, divisor > 1 ? accepts : undefined)
        const rows = upstream.rows.filter(accepts)
        const ordered = isForward ? rows.toReversed() : rows
        for (const { item, position } of await readAll(list, { count, isForward })) {
          const at = ordered.indexOf(item)
          const rest = await readAll(list, { count, isForward, from: position })
          expect(items(rest)).toEqual(ordered.slice(at + 1))
          const back = await readAll(list, { count, isForward: !isForward, from: position })
          expect(items(back)).toEqual(ordered.slice(0, at).toReversed())
        }
      },
    ),
    { numRuns: runs(60) },
  )
})

test('new records during a walk do not repeat or lose others', async () => {
  const growing = fc.constantFrom<Upstream['keys'][]>('keyset', 'opaque')
  await fc.assert(
    fc.asyncProperty(
      upstreams(growing),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 3 }),
      async (upstream, count, arriving) => {
        const rows = [...upstream.rows]
        const before = rows.toReversed()
        let arrived = 0
        const list = listOf({ ...upstream, rows }, true)
        const walked = await readAll(list, { count }, () => {
          for (let i = 0; i < arriving; i++) rows.push(100 + arrived++)
        })
        expect(items(walked)).toEqual(before)
        const seen = items(walked)
        for (const { item, position } of walked) {
          const rest = await list(position, true, count)
          const behind = seen.slice(seen.indexOf(item) + 1, seen.indexOf(item) + 1 + count)
          expect(items(rest?.items ?? [])).toEqual(behind)
        }
      },
    ),
    { numRuns: runs(80) },
  )
})

test('a filtered walk has exactly the matching records', async () => {
  await fc.assert(
    fc.asyncProperty(
      upstreams(everyKind),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 7 }),
      async (upstream, count, divisor) => {
        if (upstream.keys === 'offset' || upstream.keys === 'decimal') return
        const accepts = (row: number) => row % divisor === 0
        const list = listOf(upstream, true, accepts)
        const rows = await readAll(list, { count })
        expect(items(rows)).toEqual(upstream.rows.filter(accepts).toReversed())
      },
    ),
    { numRuns: runs(100) },
  )
})

test('repeated page keys are an error, not an endless loop', async () => {
  const first = { items: [5, 4], nextKey: base64('{"sequence":4}'), total: null }
  const list = readerOf(() => first, { isDescending: true })
  await expect(list(null, true, 10)).rejects.toMatchObject({
    code: 'UPSTREAM_INVALID_RESPONSE',
  })
})

test('a list that the upstream does not serve is null', async () => {
  expect(await readerOf(() => null)(null, true, 10)).toBeNull()
})

test('a short page takes one request if the list has served a longer one', async () => {
  const upstream: Upstream = { rows: [1, 2, 3, 4], keys: 'keyset', cap: 1000, overCap: 'cuts' }
  const requests: PageQuery[] = []
  const list = listOf(upstream, true, undefined, (query) => {
    requests.push(query)
    return answer(upstream, query)
  })
  await list(null, true, 20)
  expect(requests).toHaveLength(2)
  upstream.rows.pop()
  await list(null, true, 20)
  expect(requests).toHaveLength(3)
})

const positions = fc.oneof(
  fc.record({
    kind: fc.constant('keyset' as const),
    key: fc.bigInt(0n, 2n ** 63n),
    offset: fc.integer(),
  }),
  fc.record({
    kind: fc.constant('offset' as const),
    from: fc.constantFrom('start' as const, 'end' as const),
    index: fc.nat(),
  }),
  fc.record({
    kind: fc.constant('opaque' as const),
    key: fc.option(fc.string({ minLength: 1 }).map(base64)),
    index: fc.integer({ min: -1, max: 1000 }),
    isForward: fc.boolean(),
  }),
)

test('a cursor decodes to its position, and is refused if damaged or of another list', () => {
  fc.assert(
    fc.property(positions, fc.string(), fc.string(), fc.nat(), (position, name, other, at) => {
      const cursor = encodeCursor(testSigner, name, position)
      expect(decodeCursor(testSigner, name, cursor)).toEqual(position)
      if (name !== other) expect(() => decodeCursor(testSigner, other, cursor)).toThrow('cursor')
      const i = at % cursor.length
      const damaged = `${cursor.slice(0, i)}${cursor[i] === 'A' ? 'B' : 'A'}${cursor.slice(i + 1)}`
      expect(() => decodeCursor(testSigner, name, damaged)).toThrow('cursor')
    }),
  )
})

test('text that is not a cursor is refused', () => {
  for (const text of ['', 'garbage', '../../etc', 'A'.repeat(10_000), '\u0000', 'é']) {
    expect(() => decodeCursor(testSigner, 'list', text)).toThrow('cursor')
  }
})
