import { expect, test } from 'vitest'
import { z } from 'zod'
import { createMemoryCacheStore } from '../../src/kit/cache/cache.ts'
import { upstreamList } from '../../src/pagination/listPage.ts'
import { isShortPage, learntCaps } from '../../src/pagination/pageCaps.ts'
import { paginate } from '../../src/pagination/readList.ts'
import type { Upstream } from '../../src/upstream/client.ts'
import { type Path, path } from '../../src/upstream/request.ts'
import { createRequestScope } from '../../src/upstream/requestScope.ts'
import { UpstreamHttpError } from '../../src/upstream/upstreamError.ts'
import { integer, type Page, pageOf } from '../../src/wire/decode.ts'
import { fakeClock } from '../support/fakeClock.ts'
import { scopeSources } from '../support/scopeSources.ts'

const page = pageOf('rows', z.object({ sequence: integer }))

interface Cap {
  readonly limit: number
  readonly overLimit: 'cuts' | 'refuses'
}

/** An upstream with 200 records in every list, and the caps of its lists by the start of their targets. */
function cappedUpstream(caps: Record<string, Cap>) {
  const limits: { target: string; limit: number }[] = []
  const upstream: Upstream = {
    service: 'chain-1',
    source: 'chain-1',
    async send(request) {
      const { searchParams } = new URL(request.target, 'http://upstream')
      const limit = Number(searchParams.get('pagination.limit'))
      limits.push({ target: request.target, limit })
      const cap = Object.entries(caps).find(([start]) => request.target.startsWith(start))?.[1]
      if (!cap) throw new Error(`no cap for ${request.target}`)
      if (limit > cap.limit && cap.overLimit === 'refuses') {
        const text = `pagination.limit must be between 1 and ${cap.limit}`
        throw new UpstreamHttpError('chain-1', 400, text)
      }
      const key = searchParams.get('pagination.key')
      const below = key ? Number(/\d+/.exec(Buffer.from(key, 'base64').toString())?.[0]) : 201
      const length = Math.min(limit, cap.limit, below - 1)
      const rows = Array.from({ length }, (_, i) => ({ sequence: below - 1 - i }))
      const lastKey = Buffer.from(`{"sequence":${below - length}}`).toString('base64')
      const pagination = { next_key: length === 0 ? null : lastKey }
      return request.read({ rows, pagination }, '')
    },
  }
  return { upstream, limits }
}

function createReader(caps: Record<string, Cap>) {
  const { upstream, limits } = cappedUpstream(caps)
  const clock = fakeClock()
  const scope = createRequestScope(new AbortController().signal, scopeSources(clock))
  const read = async (from: Path | string, count: number, query = {}) => {
    const source = { path: from, query, page }
    const pages = upstreamList({ scope }, upstream, source, 'DESC')
    const list = { ...pages, strategy: { kind: 'keyset', field: 'sequence' } } as const
    const result = await paginate(list, null, true, count)
    return { length: result?.items.length, hasMore: result?.hasMore }
  }
  const wait = (ms: number) => clock.advance(ms)
  return { read, limits, wait }
}

const sizes = (limits: readonly { target: string; limit: number }[], start: string) =>
  limits.filter(({ target }) => target.startsWith(start)).map(({ limit }) => limit)

test('a list that cuts its pages loses no record to a list that serves longer ones', async () => {
  const { read } = createReader({
    '/long': { limit: 100, overLimit: 'cuts' },
    '/short': { limit: 50, overLimit: 'cuts' },
  })
  expect(await read('/long', 99)).toEqual({ length: 99, hasMore: true })
  expect(await read('/short', 80)).toEqual({ length: 80, hasMore: true })
})

test('a filtered list loses no record to the list without the filter', async () => {
  const { read } = createReader({
    '/list?is_signer': { limit: 50, overLimit: 'cuts' },
    '/list': { limit: 100, overLimit: 'cuts' },
  })
  expect(await read('/list', 99)).toEqual({ length: 99, hasMore: true })
  expect(await read('/list', 80, { is_signer: true })).toEqual({ length: 80, hasMore: true })
})

test('a limit that one list refuses is lowered for that list only', async () => {
  const { read, limits } = createReader({
    '/long': { limit: 1000, overLimit: 'refuses' },
    '/short': { limit: 10, overLimit: 'refuses' },
  })
  await read('/short', 15)
  await read('/long', 60)
  expect(sizes(limits, '/short')).toEqual([16, 10, 6])
  expect(sizes(limits, '/long')).toEqual([61])
})

test('the lists of one route share what is learnt, whatever the values in their paths', async () => {
  const { read, limits } = createReader({ '/by_account': { limit: 10, overLimit: 'refuses' } })
  await read(path`/by_account/${'a'}`, 15)
  await read(path`/by_account/${'b'}`, 15)
  expect(sizes(limits, '/by_account/a')).toEqual([16, 10, 6])
  expect(sizes(limits, '/by_account/b')).toEqual([10, 6])
})

test('a lowered limit is tried again after an hour', async () => {
  const { read, limits, wait } = createReader({ '/list': { limit: 10, overLimit: 'refuses' } })
  await read(path`/list/${'a'}`, 15)
  await wait(60 * 60 * 1000 + 1)
  await read(path`/list/${'b'}`, 15)
  expect(sizes(limits, '/list/b')).toEqual([16, 10, 6])
})

test.each([
  ['an empty page is short', 0, 10, 0, true],
  ['a full page is not', 10, 10, 50, false],
  ['a page smaller than the limit is not, while no larger one is known', 5, 10, 5, false],
  ['a page smaller than the limit and than a known page is', 5, 10, 6, true],
  ['a page of the largest limit is not, whatever was requested', 30, 40, 50, false],
])('%s', (_claim, length, limit, largestPage, isShort) => {
  const served: Page<number> = { items: Array(length).fill(0), nextKey: null, total: null }
  expect(isShortPage({ largestPage, maxLimit: 30 }, served, limit)).toBe(isShort)
})

test('asking whether a page is short teaches nothing', () => {
  const cache = createMemoryCacheStore({ now: () => 0 })
  const caps = learntCaps(cache, 'chain-1', '/list')
  isShortPage(caps.current(), { items: [1, 2, 3], nextKey: null, total: null }, 10)
  expect(caps.current()).toEqual({ largestPage: 0, maxLimit: 1000 })
})
