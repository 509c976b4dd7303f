import { expect, test } from 'vitest'
import { path } from '../../../src/engine/upstream/request.ts'
import { UpstreamHttpError } from '../../../src/engine/upstream/upstreamError.ts'
import { CacheStore } from '../../../src/kit/cache/cache.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { type Answer, type ListOptions, readerOf } from './readerOf.ts'

interface Cap {
  limit: number
  readonly overLimit: 'cuts' | 'refuses'
}

/** Reads lists of 200 records each of one upstream, with the caps of its lists by the start of their targets. */
function openUpstream(caps: Record<string, Cap>) {
  const limits: { target: string; limit: number }[] = []
  const answer: Answer<number> = ({ key, limit }, target) => {
    limits.push({ target, limit })
    const cap = Object.entries(caps).find(([start]) => target.startsWith(start))?.[1]
    if (!cap) throw new Error(`no cap for ${target}`)
    if (limit > cap.limit && cap.overLimit === 'refuses') {
      const text = `pagination.limit must be between 1 and ${cap.limit}`
      throw new UpstreamHttpError('chain-1', 400, text)
    }
    const below = key ? Number(/\d+/.exec(Buffer.from(key, 'base64').toString())?.[0]) : 201
    const length = Math.min(limit, cap.limit, below - 1)
    const items = Array.from({ length }, (_, i) => below - 1 - i)
    const lastKey = Buffer.from(`{"sequence":${below - length}}`).toString('base64')
    return { items, nextKey: length === 0 ? null : lastKey, total: null }
  }
  const clock = fakeClock()
  const hints = new CacheStore(clock)
  const read = async (from: ListOptions<number>['path'], count: number, query = {}) => {
    const list = readerOf(answer, { isDescending: true, path: from ?? '', query }, hints)
    const page = await list(null, true, count)
    return { length: page?.items.length, hasMore: page?.hasMore }
  }
  const limitsOf = (start: string) => limits.filter(({ target }) => target.startsWith(start)).map(({ limit }) => limit)
  return { read, limitsOf, wait: (ms: number) => clock.advance(ms) }
}

test('lists with different page caps on one upstream lose no records', async () => {
  const { read } = openUpstream({
    '/long': { limit: 100, overLimit: 'cuts' },
    '/short': { limit: 50, overLimit: 'cuts' },
  })
  expect(await read('/long', 99)).toEqual({ length: 99, hasMore: true })
  expect(await read('/short', 80)).toEqual({ length: 80, hasMore: true })
})

test('a filtered list with a smaller page cap loses no records', async () => {
  const { read } = openUpstream({
    '/list?is_signer': { limit: 50, overLimit: 'cuts' },
    '/list': { limit: 100, overLimit: 'cuts' },
  })
  expect(await read('/list', 99)).toEqual({ length: 99, hasMore: true })
  expect(await read('/list', 80, { is_signer: true })).toEqual({ length: 80, hasMore: true })
})

test('a refused limit is lowered for that list only', async () => {
  const { read, limitsOf } = openUpstream({
    '/long': { limit: 1000, overLimit: 'refuses' },
    '/short': { limit: 10, overLimit: 'refuses' },
  })
  await read('/short', 15)
  await read('/long', 60)
  expect(limitsOf('/short')).toEqual([16, 10, 6])
  expect(limitsOf('/long')).toEqual([61])
})

test('a lowered limit applies to all paths of a route', async () => {
  const { read, limitsOf } = openUpstream({ '/by_account': { limit: 10, overLimit: 'refuses' } })
  await read(path`/by_account/${'a'}`, 15)
  await read(path`/by_account/${'b'}`, 15)
  expect(limitsOf('/by_account/a')).toEqual([16, 10, 6])
  expect(limitsOf('/by_account/b')).toEqual([10, 6])
})

test('a lowered limit is tried again after an hour', async () => {
  const { read, limitsOf, wait } = openUpstream({ '/list': { limit: 10, overLimit: 'refuses' } })
  await read(path`/list/${'a'}`, 15)
  await wait(60 * 60 * 1000 + 1)
  await read(path`/list/${'b'}`, 15)
  expect(limitsOf('/list/b')).toEqual([16, 10, 6])
})

test('a page that fills a lowered limit has a next page', async () => {
  const cap: Cap = { limit: 50, overLimit: 'refuses' }
  const { read } = openUpstream({ '/list': cap })
  expect(await read('/list', 49)).toEqual({ length: 49, hasMore: true })
  cap.limit = 30
  expect(await read('/list', 40)).toEqual({ length: 40, hasMore: true })
})
