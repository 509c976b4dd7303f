import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryCacheStore } from '../../src/kit/cache/cache.ts'
import type { Position } from '../../src/pagination/cursor.ts'
import { learntCaps } from '../../src/pagination/pageCaps.ts'
import type { PageQuery, PageResult } from '../../src/pagination/source.ts'
import { type ListWindow, pageOfWindow, readWindow } from '../../src/pagination/window.ts'
import { GatewayError } from '../../src/upstream/error.ts'
import { runs } from '../support/property.ts'

const cache = createMemoryCacheStore({ now: () => 0 })
let lists = 0

/** An upstream list of the numbers below `length`, which cuts its pages at `cap`. */
function listOf(length: number, cap = 1000, fail?: () => never) {
  const asked: PageQuery[] = []
  const rows = Array.from({ length }, (_, i) => i)
  const long = new Set<string>()
  return {
    asked,
    isLong: () => long.has('list'),
    read: (window: ListWindow, isDescending: boolean) =>
      readWindow(
        {
          isDescending,
          caps: learntCaps(cache, 'chain', `/window/${lists++}`),
          fetchPage: async (query) => {
            asked.push(query)
            fail?.()
            const items = (query.isReverse ? rows.toReversed() : rows).slice(0, cap)
            const page = items.slice(0, query.limit)
            return { items: page, nextKey: page.length < items.length ? 'next' : null, total: null }
          },
        },
        window,
        { has: () => long.has('list'), add: () => long.add('list') },
      ),
  }
}

test('a short list is read by one request, in the order it is asked for', async () => {
  const list = listOf(5)
  expect(await list.read({ limit: 10, anchor: 'first' }, true)).toEqual([4, 3, 2, 1, 0])
  expect(list.asked).toEqual([{ limit: 10, isReverse: true }])
})

test('a list that fills its window is long, and is not read whole again', async () => {
  const list = listOf(10)
  expect(await list.read({ limit: 10, anchor: 'first' }, false)).toBeNull()
  expect(await list.read({ limit: 10, anchor: 'first' }, false)).toBeNull()
  expect(list.asked).toHaveLength(1)
})

test.each([
  ['UPSTREAM_INVALID_RESPONSE', null],
  ['UPSTREAM_REJECTED', 'throws'],
  ['UPSTREAM_TIMEOUT', 'throws'],
] as const)('after %s: %s', async (code, outcome) => {
  const list = listOf(5, 1000, () => {
    throw new GatewayError(code, 'no')
  })
  const read = list.read({ limit: 10, anchor: 'first' }, false)
  if (outcome === 'throws') await expect(read).rejects.toMatchObject({ code })
  else expect(await read).toBeNull()
  expect(list.isLong()).toBe(outcome === null)
})

const all = (length: number) => Array.from({ length }, (_, i) => i)
const required = <T>(page: PageResult<T> | undefined): PageResult<T> => {
  if (!page) throw new Error('no page')
  return page
}

test('pages of a window have each record once, in both directions and both orders', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom('first' as const, 'last' as const),
      (length, count, isForward, isDescending, anchor) => {
        const window = { limit: 100, anchor }
        const read: number[] = []
        let position: Position | null = null
        for (let pages = 0; ; pages += 1) {
          expect(pages).toBeLessThanOrEqual(31)
          const page: PageResult<number> = required(
            pageOfWindow(all(length), window, { isDescending, isForward, count }, position),
          )
          read.push(...page.items.map(({ item }) => item))
          if (!page.hasMore) break
          position = page.last
        }
        expect(read).toEqual(isForward ? all(length) : all(length).toReversed())
      },
    ),
    { numRuns: runs(200) },
  )
})

test('a position stays good when records arrive at the end that it does not count from', () => {
  const options = { isDescending: true, isForward: true, count: 2 }
  const window = { limit: 100, anchor: 'first' } as const
  const { last } = required(pageOfWindow(['c', 'b', 'a'], window, { ...options, count: 1 }, null))
  const grown = ['e', 'd', 'c', 'b', 'a']
  const next = required(pageOfWindow(grown, window, options, last))
  expect(next.items.map(({ item }) => item)).toEqual(['b', 'a'])
})

test('a position that is not in the list any more is at its end', () => {
  const window = { limit: 100, anchor: 'first' } as const
  const gone = { kind: 'offset', from: 'start', index: 9 } as const
  const options = { isDescending: false, count: 2 }
  const back = required(pageOfWindow(all(3), window, { ...options, isForward: false }, gone))
  expect(back).toMatchObject({ items: [{ item: 2 }, { item: 1 }], hasMore: true })
  const on = required(pageOfWindow(all(3), window, { ...options, isForward: true }, gone))
  expect(on).toEqual({ items: [], hasMore: false, last: null })
})
