import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type List, type ListPage, listsOf, pageOf, sizeFor, upstreamOf } from '../../support/connectionLists.ts'
import { runs } from '../../support/property.ts'
import { everyChain, now, startWorld, type World, youngChains } from '../../support/world.ts'

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const lists = (await Promise.all(everyChain.map(({ chainId }) => listsOf(world, chainId)))).flat()

type Order = 'ASC' | 'DESC'
const orders = fc.constantFrom<Order[]>('ASC', 'DESC')

/** Reads a list to its end. Returns the records of all its pages in list order. */
async function walk(
  on: World,
  list: List,
  way: { size: number; order: Order; isForward: boolean },
  between: () => void = () => {},
) {
  const { size, order, isForward } = way
  const pages: ListPage[] = []
  for (let cursor: string | null = null; ; ) {
    const page = await pageOf(
      on,
      list,
      isForward ? { order, first: size, after: cursor } : { order, last: size, before: cursor },
    )
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo
    expect([startCursor, endCursor]).toEqual([page.cursors[0] ?? startCursor, page.cursors.at(-1) ?? endCursor])
    expect(isForward ? hasPreviousPage : hasNextPage).toBe(cursor !== null)
    pages.push(page)
    if (!(isForward ? hasNextPage : hasPreviousPage)) break
    // Only a list that the gateway filters itself can have short pages.
    if (!list.accepts) expect(page.ids).toHaveLength(size)
    cursor = isForward ? endCursor : startCursor
    between()
  }
  if (!isForward) pages.reverse()
  return {
    ids: pages.flatMap((page) => page.ids),
    cursors: pages.flatMap((page) => page.cursors),
  }
}

test('every list of the graph has records', async () => {
  for (const list of lists) {
    const rows = await upstreamOf(world, list, 'DESC')
    expect([list.name, rows.length > 0]).toEqual([list.name, true])
  }
})

test.each(lists)('$name: pages of each size return every record once, in both orders and directions', async (list) => {
  const upstream = {
    ASC: await upstreamOf(world, list, 'ASC'),
    DESC: await upstreamOf(world, list, 'DESC'),
  }
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 100 })),
      orders,
      fc.boolean(),
      async (size, order, isForward) => {
        const pageSize = sizeFor(upstream[order].length, size)
        const walked = await walk(world, list, { size: pageSize, order, isForward })
        expect(walked.ids).toEqual(upstream[order])
        expect(new Set(walked.cursors).size).toBe(walked.cursors.length)
      },
    ),
    { numRuns: runs(3), seed: 2026 },
  )
})

test.each(lists)('$name: a cursor leads to the records after it and before it', async (list) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 10, max: 20 }),
      fc.integer({ min: 1, max: 9 }),
      orders,
      fc.boolean(),
      async (size, count, order, isForward) => {
        const { ids, cursors } = await walk(world, list, { size, order, isForward })
        for (const at of sample(cursors.length)) {
          const cursor = cursors[at] ?? ''
          const after = await pageOf(world, list, { order, first: count, after: cursor })
          const before = await pageOf(world, list, { order, last: count, before: cursor })
          if (!list.accepts) {
            expect(after.ids).toEqual(ids.slice(at + 1, at + 1 + count))
            expect(before.ids).toEqual(ids.slice(Math.max(0, at - count), at))
            expect(after.pageInfo.hasNextPage).toBe(at + 1 + count < ids.length)
            expect(before.pageInfo.hasPreviousPage).toBe(at - count > 0)
          } else {
            expect(ids.slice(at + 1).slice(0, after.ids.length)).toEqual(after.ids)
            expect(ids.slice(0, at).slice(at - before.ids.length)).toEqual(before.ids)
          }
        }
      },
    ),
    { numRuns: runs(1), seed: 2026 },
  )
})

/** Both ends of a list and a few places between them. */
const sample = (length: number): number[] => {
  const step = Math.max(1, Math.floor(length / 5))
  return Array.from({ length }, (_, i) => i).filter((i) => i % step === 0 || i > length - 3)
}

test('new blocks during a walk do not repeat or lose records', async () => {
  let at = now
  await using growing = await startWorld({ clock: () => at, chains: youngChains(40) })
  const appended = (await listsOf(growing, 'galley-1')).filter((list) => list.isAppendOnly)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...appended),
      fc.integer({ min: 1, max: 30 }),
      orders,
      fc.boolean(),
      async (list, size, order, isForward) => {
        const before = await upstreamOf(growing, list, order)
        const pageSize = sizeFor(before.length, size)
        const walked = await walk(growing, list, { size: pageSize, order, isForward }, () => {
          // Three more blocks in each of these steps of the clock.
          if (at - now < 400_000) at += 6_000
        })
        const after = await upstreamOf(growing, list, order)
        // A read towards the newest end can include records that arrived during it.
        const isTowardsNewest = isForward === (order === 'ASC')
        const start = order === 'ASC' ? 0 : after.length - walked.ids.length
        expect(walked.ids).toEqual(after.slice(start, start + walked.ids.length))
        if (isTowardsNewest) expect(walked.ids.length).toBeGreaterThanOrEqual(before.length)
        else expect(walked.ids).toEqual(before)
      },
    ),
    { numRuns: runs(15), seed: 2026 },
  )
})

test('a cursor leads to the same records after new blocks', async () => {
  let at = now
  await using growing = await startWorld({ clock: () => at })
  const appended = (await listsOf(growing, 'galley-1')).filter((list) => list.isAppendOnly)
  const seen = new Map<List, Awaited<ReturnType<typeof walk>>>()
  for (const list of appended) {
    seen.set(list, await walk(growing, list, { size: 9, order: 'DESC', isForward: true }))
  }
  at += 200_000
  for (const [list, { ids, cursors }] of seen) {
    for (const place of sample(cursors.length)) {
      const after = await pageOf(growing, list, {
        order: 'DESC',
        first: 3,
        after: cursors[place] ?? '',
      })
      const next = ids.slice(place + 1)
      // A filtered page can be short, but its records are the next ones.
      expect([list.name, after.ids]).toEqual([list.name, next.slice(0, list.accepts ? after.ids.length : 3)])
    }
  }
})
