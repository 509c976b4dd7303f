import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { resolveLimits } from '../../src/config/limits/limits.ts'
import { createMemoryCacheStore } from '../../src/kit/cache/cache.ts'
import { createUpstream, sourceOf } from '../../src/upstream/client.ts'
import { createDispatcher } from '../../src/upstream/httpAgent.ts'
import { get } from '../../src/upstream/request.ts'
import type { SharedRecord, SharedRecords } from '../../src/upstream/sharedRecords.ts'
import { deferred } from '../support/deferred.ts'
import { fakeClock } from '../support/fakeClock.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const never = new AbortController().signal
const value = z.object({ value: z.number() })
const record = get('/record/1', value, { isFinal: true })
const ttl = 60_000

/** A client of an upstream that answers 1, with records of other gateways. */
async function start(find: SharedRecords['find'], isOpen = true) {
  const received: string[] = []
  const server = createServer(({ url = '' }, response) => {
    received.push(url)
    if (url.includes('missing')) response.writeHead(404).end('tx not found')
    else response.end('{"value":1}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const dispatcher = createDispatcher(resolveLimits({}))
  closers.push(
    () => dispatcher.destroy(),
    () => new Promise((resolve) => server.close(resolve)),
  )
  const clock = fakeClock()
  const looks: string[] = []
  const kept: string[] = []
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** Records belong to the place that they are from: another indexer of the chain may have others. */
  const nameOf = (source: string) => (source === sourceOf('evm-1', url) ? 'evm-1' : source)
  const upstream = createUpstream({
    ...{ service: 'evm-1', dispatcher, clock, cache: createMemoryCacheStore(clock) },
    ...{ finalTtl: ttl, url },
    records: {
      isOpen,
      find(source, target) {
        looks.push(`${nameOf(source)} ${target}`)
        return find(source, target)
      },
      keep: (source, target, body) => void kept.push(`${nameOf(source)} ${target} ${body}`),
    },
  })
  return { upstream, received, looks, kept, clock }
}

const known =
  (body: string, ageMs = 0) =>
  async (): Promise<SharedRecord> => ({ body, ageMs })
const unknown = async () => undefined

test('a record that another gateway has read is not asked for, and is looked up once', async () => {
  const { upstream, received, looks, kept, clock } = await start(known('{"value":7}', 20_000))
  const freshness: number[] = []
  const onFresh = (until: number) => void freshness.push(until - clock.now())
  for (let count = 0; count < 3; count += 1) {
    expect(await upstream.send(record, never, undefined, onFresh)).toEqual({ value: 7 })
  }
  // It is dropped when it would be, had this gateway read it.
  expect(freshness).toEqual([40_000, 40_000, 40_000])
  expect([received, looks, kept]).toEqual([[], ['evm-1 /record/1'], []])
})

test('a record that no gateway has read is asked for, and kept for all', async () => {
  const { upstream, received, kept } = await start(unknown)
  expect(await upstream.send(record, never)).toEqual({ value: 1 })
  expect(received).toEqual(['/record/1'])
  expect(kept).toEqual(['evm-1 /record/1 {"value":1}'])
})

test.each([
  ['of another shape', '{"value":"x"}', 0],
  ['that is no JSON', '{', 0],
  ['that is as old as records may be', '{"value":7}', ttl],
])('a record %s is asked for', async (_name, body, ageMs) => {
  const { upstream, received } = await start(known(body, ageMs))
  expect(await upstream.send(record, never)).toEqual({ value: 1 })
  expect(received).toEqual(['/record/1'])
})

test('what may change, or is not there, is neither looked up nor kept', async () => {
  const { upstream, looks, kept } = await start(known('{"value":7}'))
  const moving = get('/newest', value)
  const ruled = get('/page', value, { isFinal: () => true })
  for (const request of [moving, ruled]) {
    expect(await upstream.send(request, never)).toEqual({ value: 1 })
  }
  expect([looks, kept]).toEqual([[], []])
  const closed = await start(known('{"value":7}'), false)
  expect(await closed.upstream.send(record, never)).toEqual({ value: 1 })
  expect(closed.looks).toEqual([])
  const empty = await start(unknown)
  expect(await empty.upstream.send(get('/missing', value, { isFinal: true }), never)).toBeNull()
  expect(empty.kept).toEqual([])
})

test('callers of one record share a look, and one that leaves affects no other', async () => {
  const found = deferred<SharedRecord | undefined>()
  const { upstream, received, looks } = await start(() => found.promise)
  const leaving = new AbortController()
  const first = upstream.send(record, leaving.signal)
  const second = upstream.send(record, never)
  leaving.abort(new Error('left'))
  await expect(first).rejects.toThrow('left')
  found.resolve(undefined)
  expect(await second).toEqual({ value: 1 })
  expect([received, looks]).toEqual([['/record/1'], ['evm-1 /record/1']])
})

test('nothing is asked for once all callers have left', async () => {
  const found = deferred<SharedRecord | undefined>()
  const { upstream, received } = await start(() => found.promise)
  const leaving = new AbortController()
  const only = upstream.send(record, leaving.signal)
  leaving.abort(new Error('left'))
  await expect(only).rejects.toThrow('left')
  found.resolve(undefined)
  expect(await upstream.send(get('/newest', value), never)).toEqual({ value: 1 })
  expect(received).toEqual(['/newest'])
})

test('a source is of one service at one URL, and has nothing of the URL in it', () => {
  const [here, there] = ['https://user:secret@host/a', 'https://user:secret@host/b']
  expect(sourceOf('evm-1', here)).toBe(sourceOf('evm-1', here))
  expect(sourceOf('evm-1', here)).not.toBe(sourceOf('evm-1', there))
  expect(sourceOf('evm-1', here)).not.toBe(sourceOf('evm-2', here))
  expect(sourceOf('evm-1', here)).toMatch(/^evm-1@[\w-]{16}$/)
})
