import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Boundary, positionBeside } from '../../../src/engine/pagination/cursor.ts'
import { decodeMergedCursor, encodeMergedCursor } from '../../../src/engine/pagination/mergedCursor.ts'
import { type MergedPage, mergePage } from '../../../src/engine/pagination/mergedPage.ts'
import type { PageQuery } from '../../../src/engine/pagination/page.ts'
import type { Page } from '../../../src/engine/wire/decode.ts'
import { runs } from '../../support/property.ts'
import { testSigner } from '../../support/testSigner.ts'
import { countKey, readerOf, skippedBy } from './readerOf.ts'

// Chains with a list each, whose keys are sparse numbers, as those of one account are.

interface Row {
  readonly chain: number
  readonly sequence: number
  readonly time: number
}

interface World {
  /** By chain, oldest first. */
  readonly chains: Row[][]
  readonly keys: 'always' | 'null at the end' | 'opaque' | 'offset'
  readonly isDescending: boolean
}

const key = (sequence: number) => Buffer.from(JSON.stringify({ sequence })).toString('base64')

/** A key that only this list can read, and in one direction only. */
const opaqueKey = (sequence: number, isReverse: boolean) => `~${isReverse ? 'v' : '^'}${sequence}`

function answer(rows: readonly Row[], keys: World['keys'], query: PageQuery): Page<Row> {
  const ordered = query.isReverse ? rows.toReversed() : rows
  if (keys === 'opaque') {
    const { key: own = '', limit, isReverse } = query
    if (own && own[1] !== opaqueKey(0, isReverse)[1]) throw new Error('a key of the other direction')
    const at = own ? ordered.findIndex(({ sequence }) => opaqueKey(sequence, isReverse) === own) : -1
    const items = ordered.slice(at + 1, at + 1 + limit)
    const last = items.at(-1)
    return { items, nextKey: last ? opaqueKey(last.sequence, isReverse) : null, total: null }
  }
  if (keys === 'offset') {
    const [skipped, { limit }] = [skippedBy(query), query]
    const items = ordered.slice(skipped, skipped + limit)
    return { items, nextKey: items.length === limit ? countKey(skipped + limit) : null, total: null }
  }
  const text = query.key && Buffer.from(query.key, 'base64').toString()
  const bound = text ? Number(/\d+/.exec(text)?.[0]) : undefined
  const left = ordered.filter(
    ({ sequence }) => bound === undefined || (query.isReverse ? sequence < bound : sequence > bound),
  )
  const items = left.slice(0, query.limit)
  const last = items.at(-1)
  const isEnd = keys === 'null at the end' && items.length === left.length
  return { items, nextKey: last && !isEnd ? key(last.sequence) : null, total: null }
}

interface Read {
  readonly from: ReadonlyMap<string, Boundary>
  readonly count: number
  readonly isForward: boolean
  readonly isHeldBack?: boolean
  readonly fails?: (chain: number) => boolean
  readonly filter?: (row: Row) => boolean
  /** Whether the lists follow one another. */
  readonly isChained?: boolean
  readonly onRequest?: (chain: number) => void
}

function read(world: World, { fails, filter, onRequest, isHeldBack = false, ...request }: Read) {
  const { chains, keys, isDescending } = world
  const { isForward, count, isChained } = request
  const newer = (a: Row, b: Row) => (isDescending ? b.time - a.time : a.time - b.time)
  return mergePage<Row>({
    ...request,
    isHeldBack,
    filter,
    maxReads: filter ? 3 : isChained ? 2 : 1,
    fixedEnds: isChained ? ['start', 'end'] : [isDescending ? 'end' : 'start'],
    compare: isChained ? (a, b) => a.chain - b.chain : newer,
    lists: chains.map((_, chain) => ({
      name: String(chain),
      async read(boundary) {
        if (fails?.(chain)) return { error: new Error('down') }
        const position = positionBeside(boundary, isForward)
        if (position === undefined) return { items: [], hasMore: false }
        onRequest?.(chain)
        const list = readerOf((query) => answer(chains[chain] ?? [], keys, query), { isDescending })
        const page = await list(position, isForward, count)
        return page ?? { items: [], hasMore: false }
      },
    })),
  })
}

const inOrder = ({ chains, isDescending }: World): Row[] =>
  chains
    .flatMap((rows) => (isDescending ? rows.toReversed() : rows))
    .toSorted((a, b) => (isDescending ? b.time - a.time : a.time - b.time) || a.chain - b.chain)

const rowsOf = (page: MergedPage<Row>) => page.items.map(({ item }) => item)

/** A cursor as a client gives it back. */
const sealed = (places: ReadonlyMap<string, Boundary>) =>
  decodeMergedCursor(testSigner, 'list', encodeMergedCursor(testSigner, 'list', places))

const worlds = fc
  .record({
    chains: fc.array(
      fc.array(fc.record({ gap: fc.nat({ max: 3 }), pause: fc.nat({ max: 2 }) }), {
        maxLength: 12,
      }),
      { minLength: 1, maxLength: 4 },
    ),
    keys: fc.constantFrom<World['keys'][]>('always', 'null at the end'),
    isDescending: fc.boolean(),
  })
  .map(
    ({ chains, ...rest }): World => ({
      ...rest,
      chains: chains.map((steps, chain) => {
        let [sequence, time] = [0, 0]
        return steps.map(({ gap, pause }) => {
          sequence += 1 + gap
          time += pause
          return { chain, sequence, time }
        })
      }),
    }),
  )

/** Adds a record that is newer than all others to a chain. */
function arrive(world: World, chain: number): void {
  const all = world.chains.flat()
  const rows = world.chains[chain % world.chains.length] ?? []
  rows.push({
    chain: chain % world.chains.length,
    sequence: (rows.at(-1)?.sequence ?? 0) + 2,
    time: Math.max(0, ...all.map(({ time }) => time)) + 1,
  })
}

/** Reads pages until the end. Calls `between` after each. */
async function walk(world: World, request: Omit<Read, 'from'>, between = () => {}) {
  const rows: Row[] = []
  let from: ReadonlyMap<string, Boundary> = new Map()
  for (let pages = 0; pages < 500; pages += 1) {
    const page = await read(world, { ...request, from })
    rows.push(...rowsOf(page))
    if (!page.hasMore) return rows
    from = sealed(page.isPastItems || page.items.length === 0 ? page.end : (page.items.at(-1)?.places() ?? page.end))
    between()
  }
  throw new Error('the walk does not end')
}

const sizes = fc.integer({ min: 1, max: 7 })

test('all pages together are the union of the lists in order, in both directions', async () => {
  const property = fc.asyncProperty(worlds, sizes, fc.boolean(), async (world, count, isForward) => {
    const rows = await walk(world, { count, isForward })
    expect(isForward ? rows : rows.toReversed()).toEqual(inOrder(world))
  })
  await fc.assert(property, { numRuns: runs(400) })
})

test('new records do not change a walk from newest to oldest', async () => {
  const property = fc.asyncProperty(
    worlds,
    sizes,
    fc.infiniteStream(fc.nat({ max: 9 })),
    async (anyWorld, count, arrivals) => {
      // Without a key at its end, a list does not show the place of its last record.
      const world: World = { ...anyWorld, isDescending: true, keys: 'always' }
      const before = inOrder(world)
      const rows = await walk(world, { count, isForward: true }, () => {
        const chain = arrivals.next().value
        if (chain < 4) arrive(world, chain)
      })
      expect(rows).toEqual(before)
    },
  )
  await fc.assert(property, { numRuns: runs(400) })
})

test('every cursor splits the merged list exactly, also after new records', async () => {
  const property = fc.asyncProperty(
    worlds,
    sizes,
    fc.boolean(),
    fc.array(fc.nat({ max: 3 }), { maxLength: 3 }),
    async (anyWorld, count, isForward, arrivals) => {
      // A list without a key at its end can be read in one direction only.
      const world: World = { ...anyWorld, keys: 'always' }
      const pages: MergedPage<Row>[] = []
      let from: ReadonlyMap<string, Boundary> = new Map()
      for (;;) {
        const page = await read(world, { from, count, isForward })
        pages.push(page)
        if (!page.hasMore) break
        from = page.end
      }
      for (const chain of arrivals) arrive(world, chain)
      const all = inOrder(world)
      for (const { item, places } of pages.flatMap(({ items }) => items)) {
        const cursor = sealed(places())
        const index = all.findIndex((row) => row.chain === item.chain && row.sequence === item.sequence)
        const after = await read(world, { from: cursor, count: 100, isForward: true })
        const before = await read(world, { from: cursor, count: 100, isForward: false })
        expect(rowsOf(after)).toEqual(all.slice(index + 1))
        expect(rowsOf(before).toReversed()).toEqual(all.slice(0, index))
      }
    },
  )
  await fc.assert(property, { numRuns: runs(150) })
})

/** The next pages of a walk, each from the cursor of an edge of the one before, as clients go on. */
async function pagesFromEdges(world: World, count: number, isForward: boolean, pageCount: number) {
  const pages: MergedPage<Row>[] = []
  let from: ReadonlyMap<string, Boundary> = new Map()
  while (pages.length < pageCount) {
    const page = await read(world, { from, count, isForward })
    pages.push(page)
    const last = page.items.at(-1)
    if (!page.hasMore || !last) break
    from = sealed(last.places())
  }
  return pages
}

test('single records before and after every cursor of later pages are its neighbors', async () => {
  const property = fc.asyncProperty(
    worlds,
    fc.constantFrom<World['keys'][]>('always', 'opaque', 'offset'),
    sizes,
    fc.boolean(),
    async (anyWorld, keys, count, isForward) => {
      const world: World = { ...anyWorld, keys }
      const pages = await pagesFromEdges(world, count, isForward, 4)
      const all = inOrder(world)
      for (const { item, places } of pages.slice(1).flatMap(({ items }) => items)) {
        const index = all.indexOf(item)
        const from = sealed(places())
        const before = await read(world, { from, count: 1, isForward: false })
        expect(rowsOf(before)).toEqual(all.slice(Math.max(0, index - 1), index))
        const after = await read(world, { from, count: 1, isForward: true })
        expect(rowsOf(after)).toEqual(all.slice(index + 1, index + 2))
      }
    },
  )
  await fc.assert(property, { numRuns: runs(300) })
})

test('an exhausted list is not read again, and others are read once a page', async () => {
  const property = fc.asyncProperty(worlds, sizes, fc.boolean(), async (anyWorld, count, isForward) => {
    // Towards the end at which records arrive, a list cannot be known to have ended.
    const world: World = { ...anyWorld, isDescending: isForward }
    let page: number[] = []
    const pages: number[][] = []
    const rows = await walk(world, { count, isForward, onRequest: (chain) => page.push(chain) }, () => {
      pages.push(page)
      page = []
    })
    expect(rows).toHaveLength(inOrder(world).length)
    for (const [chain, list] of world.chains.entries()) {
      const asked = [...pages, page].filter((chains) => chains.includes(chain))
      for (const chains of asked) expect(new Set(chains).size).toBe(chains.length)
      // Two more: the page that its last record is on can end with it, so that one looks for another.
      expect(asked.length).toBeLessThanOrEqual(pagesUntil(rows, list[0], count))
    }
  })
  await fc.assert(property, { numRuns: runs(300) })
})

/** The number of pages until the last record of a list, and one that looks for another. */
const pagesUntil = (rows: readonly Row[], last: Row | undefined, count: number): number =>
  last === undefined ? 1 : Math.floor((rows.indexOf(last) + 1) / count) + 1

test('lists with opaque keys or offsets are merged in order from every cursor', async () => {
  const property = fc.asyncProperty(
    worlds,
    fc.constantFrom<World['keys'][]>('opaque', 'offset'),
    sizes,
    fc.boolean(),
    async (anyWorld, keys, count, isForward) => {
      const world: World = { ...anyWorld, keys }
      const walked = await walk(world, { count, isForward })
      expect(isForward ? walked : walked.toReversed()).toEqual(inOrder(world))
      const all = isForward ? inOrder(world) : inOrder(world).toReversed()
      let from: ReadonlyMap<string, Boundary> = new Map()
      for (let index = 0; ; ) {
        const page = await read(world, { from, count, isForward })
        for (const { places } of page.items) {
          index += 1
          const cursor = sealed(places())
          const after = await read(world, { from: cursor, count: 100, isForward })
          expect(rowsOf(after)).toEqual(all.slice(index))
          const back = { from: cursor, count: 100, isForward: !isForward }
          const before = await read(world, back)
          expect(rowsOf(before)).toEqual(all.slice(0, index - 1).toReversed())
        }
        if (!page.hasMore) break
        from = sealed(page.end)
      }
    },
  )
  await fc.assert(property, { numRuns: runs(200) })
})

test('chained lists are read one after another', async () => {
  const property = fc.asyncProperty(
    worlds,
    sizes,
    fc.boolean(),
    fc.boolean(),
    fc.infiniteStream(fc.nat({ max: 3 })),
    async (anyWorld, count, isForward, hasFaults, faults) => {
      const world: World = { ...anyWorld, keys: 'offset' }
      const ordered = world.chains.flatMap((rows) => (world.isDescending ? rows.toReversed() : rows))
      let reads = 0
      const fails = () => hasFaults && reads++ < 40 && faults.next().value === 0
      const walked = await walk(world, { count, isForward, isChained: true, fails })
      const rows = isForward ? walked : walked.toReversed()
      const byName = (all: readonly Row[]) => all.map(({ chain, sequence }) => `${chain} ${sequence}`).toSorted()
      if (hasFaults) expect(byName(rows)).toEqual(byName(ordered))
      else expect(rows).toEqual(ordered)
    },
  )
  await fc.assert(property, { numRuns: runs(300) })
})

test('chained lists: a page reads only the lists that it needs', async () => {
  const rows = (chain: number, length: number) =>
    Array.from({ length }, (_, n): Row => ({ chain, sequence: n + 1, time: n }))
  const chains = [rows(0, 5), rows(1, 0), rows(2, 5)]
  const world: World = { chains, keys: 'offset', isDescending: false }
  const asked: string[] = []
  let page: number[] = []
  const request = { count: 2, isForward: true, isChained: true }
  await walk(world, { ...request, onRequest: (chain) => page.push(chain) }, () => {
    asked.push(page.join())
    page = []
  })
  expect([...asked, page.join()]).toEqual(['0,1,2', '0', '0,2', '2', '2'])
})

test('lists that fail and recover lose no records and repeat none', async () => {
  const property = fc.asyncProperty(
    worlds,
    sizes,
    fc.boolean(),
    fc.boolean(),
    fc.infiniteStream(fc.nat({ max: 3 })),
    async (world, count, isForward, isHeldBack, faults) => {
      let reads = 0
      // Faults end, so that the walk does.
      const fails = () => reads++ < 60 && faults.next().value === 0
      const rows = await walk(world, { count, isForward, isHeldBack, fails })
      const walked = isForward ? rows : rows.toReversed()
      if (isHeldBack) expect(walked).toEqual(inOrder(world))
      const byName = (all: Row[]) => all.map(({ chain, sequence }) => `${chain} ${sequence}`).toSorted()
      expect(byName(walked)).toEqual(byName(inOrder(world)))
    },
  )
  await fc.assert(property, { numRuns: runs(400) })
})

test('records are provisional only while a list cannot be read', async () => {
  const rows = (chain: number) => [1, 2, 3].map((n): Row => ({ chain, sequence: n, time: n }))
  const world: World = { chains: [rows(0), rows(1)], keys: 'always', isDescending: true }
  const request = { from: new Map(), count: 4, isForward: true }
  const whole = await read(world, request)
  expect(whole.items.map(({ isProvisional }) => isProvisional)).toEqual([false, false, false, false])
  const partial = await read(world, { ...request, fails: (chain) => chain === 1 })
  expect(partial.items.map(({ isProvisional }) => isProvisional)).toEqual([true, true, true])
  expect([...partial.errors.keys()]).toEqual(['1'])
  expect(partial.hasMore).toBe(true)
  const held = await read(world, { ...request, isHeldBack: true, fails: (chain) => chain === 1 })
  expect(held.items).toEqual([])
  expect(held.hasMore).toBe(true)
})

test('a filter returns all matching records, on pages that may be short', async () => {
  const property = fc.asyncProperty(worlds, sizes, fc.boolean(), async (world, count, isForward) => {
    const filter = ({ sequence }: Row) => sequence % 3 === 0
    const rows = await walk(world, { count, isForward, filter })
    expect(isForward ? rows : rows.toReversed()).toEqual(inOrder(world).filter(filter))
  })
  await fc.assert(property, { numRuns: runs(300) })
})
