import { expect, test } from 'vitest'
import { atLeast } from '../../../src/engine/upstream/client.ts'
import { get } from '../../../src/engine/upstream/request.ts'
import type { UpstreamOptions } from '../../../src/engine/upstream/upstreamOptions.ts'
import { counting, never, order, record, startClient, thing, value } from '../../support/upstreamClient.ts'

const hour = 60 * 60 * 1000
const text = { ...thing, isText: true, read: () => ({ value: 1 }) } as const
const ruled = get('/thing', value, { isFinal: (each) => each.value === 1 })
const unruled = get('/thing', value, { isFinal: (each) => each.value === 0 })

test.each<[string, typeof record, Partial<UpstreamOptions>, number]>([
  ['a final response', record, {}, hour],
  ['a final response with a short TTL', record, { finalTtl: 1_000 }, 1_000],
  ['a final response with a TTL of 0', record, { finalTtl: 0 }, 0],
  ['a response that may change', thing, {}, 0],
  ['a response that may change, with a TTL', thing, { movingTtl: 50 }, 50],
  ['a response that its rule calls final', ruled, {}, hour],
  ['a response that its rule calls not final', unruled, {}, 0],
  ['a response that is read as text', text, { movingTtl: 50 }, 0],
  ['a response to a POST', order, { movingTtl: 50 }, 0],
])('%s is cached until it expires', async (_, request, options, ttl) => {
  const { send, sent, clock } = startClient(counting, options)
  const ask = async () => {
    let until = -1
    await send(request, never, undefined, (time) => {
      until = time
    })
    return [sent.length, until]
  }
  expect(await ask()).toEqual([1, ttl])
  await clock.advance(ttl)
  expect(await ask()).toEqual(ttl === 0 ? [2, 0] : [1, ttl])
  await clock.advance(1)
  expect((await ask())[0]).toBe(ttl === 0 ? 3 : 2)
})

test('the lifetime of a cached response starts when it is requested', async () => {
  const { send, attempts, clock } = startClient(undefined, { finalTtl: 1_000 })
  const first = send(record, never)
  await clock.advance(600)
  attempts[0]?.answer({ value: 1 })
  await first
  await clock.advance(400)
  expect(await send(record, never)).toEqual({ value: 1 })
  await clock.advance(1)
  send(record, never)
  expect(attempts).toHaveLength(2)
})

test('missing records and errors are not cached', async () => {
  const { send } = startClient((attempt, count) => {
    if (count > 2) attempt.answer({ value: count })
    else attempt.answer('tx not found', count === 1 ? 404 : 500)
  })
  expect(await send(record, never)).toBeNull()
  await expect(send(record, never)).rejects.toMatchObject({ status: 500 })
  expect(await send(record, never)).toEqual({ value: 3 })
})

test('requests with an atLeast mark skip responses cached before the mark', async () => {
  const { upstream, send, sent } = startClient(counting, { movingTtl: 1_000 })
  await send(thing, never)
  await send(record, never)
  const at = atLeast(upstream, 'at 7')
  const both = [at.send(thing, never), at.send(thing, never)]
  expect(await Promise.all(both)).toEqual([{ value: 3 }, { value: 3 }])
  expect(await at.send(thing, never)).toEqual({ value: 3 })
  expect(await send(thing, never)).toEqual({ value: 1 })
  // What never changes is right whenever it was read.
  expect(await at.send(record, never)).toEqual({ value: 2 })
  expect(sent).toHaveLength(3)
})

test('the size of a cached response is counted in bytes, not characters', async () => {
  const { send, cache } = startClient((attempt) => {
    const name = attempt.line === 'GET /ascii' ? 'abc' : '가'
    attempt.answer({ value: 1, name: name.repeat(1_000) })
  })
  const region = cache.open({ name: 'responses of evm-1', maxBytes: 1 })
  await send(get('/ascii', value, { isFinal: true }), never)
  const { bytes } = region
  expect(bytes).toBeGreaterThan(3_000 * 1.5)
  expect(bytes).toBeLessThan(3_000 * 2)
  await send(get('/other', value, { isFinal: true }), never)
  expect(region.bytes).toBe(2 * bytes)
})

/** A client that asks for final responses, and which of them it sent. */
function startFinal(cacheBytes: number) {
  const { send, sent } = startClient(counting, { cacheBytes })
  const ask = (target: string) => send(get(target, value, { isFinal: true }), never)
  return { ask, sent }
}

test('cached responses do not exceed cacheBytes', async () => {
  const { ask, sent } = startFinal(700)
  // Beyond a sixteenth, a response is cached when it is asked for again.
  for (const target of ['/a', '/b', '/b', '/c', '/c', '/c', '/a']) await ask(target)
  expect(sent).toEqual(['GET /a', 'GET /b', 'GET /b', 'GET /c', 'GET /c', 'GET /a'])
})

test('responses requested once fill at most a sixteenth of the cache and evict no others', async () => {
  const { ask, sent } = startFinal(4_000)
  for (let i = 0; i < 100; i += 1) await ask(`/${i}`)
  for (const target of ['/0', '/99', '/99']) await ask(target)
  expect(sent.slice(100)).toEqual(['GET /99'])
})

test('upstreams that share a store do not share responses', async () => {
  const { send, cache } = startClient(counting)
  const second = startClient((attempt) => attempt.answer({ value: 7 }), { service: 'evm-2', cache })
  expect(await send(record, never)).toEqual({ value: 1 })
  expect(await second.send(record, never)).toEqual({ value: 7 })
})
