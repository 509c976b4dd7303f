import { expect, test } from 'vitest'
import { atLeast } from '../../../src/engine/upstream/client.ts'
import { get } from '../../../src/engine/upstream/request.ts'
import type { UpstreamOptions } from '../../../src/engine/upstream/upstreamOptions.ts'
import { counting, never, order, record, startClient, thing, value } from '../../support/upstreamClient.ts'

const hour = 60 * 60 * 1000
const text = { ...record, isText: true, read: () => ({ value: 1 }) } as const
const ruled = get('/thing', value, { isFinal: (each) => each.value === 1 })
const unruled = get('/thing', value, { isFinal: (each) => each.value === 0 })

test.each<[string, typeof record, Partial<UpstreamOptions>, number]>([
  ['a final response', record, {}, hour],
  ['a final response with a short TTL', record, { finalTtl: 1_000 }, 1_000],
  ['a final response with a TTL of 0', record, { finalTtl: 0 }, 0],
  ['a response that may change', thing, {}, 0],
  ['a response that its rule calls final', ruled, {}, hour],
  ['a response that its rule calls not final', unruled, {}, 0],
  ['a final response that is read as text', text, {}, 0],
  ['a response to a POST', order, {}, 0],
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

const changeable = get('/thing', value, { isFinal: () => true })

test('requests with an atLeast mark skip responses cached before the mark', async () => {
  const { upstream, send, sent } = startClient(counting)
  await send(changeable, never)
  await send(record, never)
  const at = atLeast(upstream, 'at 7')
  const both = [at.send(changeable, never), at.send(changeable, never)]
  expect(await Promise.all(both)).toEqual([{ value: 3 }, { value: 3 }])
  expect(await at.send(changeable, never)).toEqual({ value: 3 })
  expect(await send(changeable, never)).toEqual({ value: 1 })
  // What never changes is right whenever it was read.
  expect(await at.send(record, never)).toEqual({ value: 2 })
  expect(sent).toHaveLength(3)
})

test('the size of a cached response is counted in bytes, not characters', async () => {
  const { send, cache } = startClient((attempt) => {
    const name = attempt.line === 'GET /ascii' ? 'abc' : '가'
    attempt.answer({ value: 1, name: name.repeat(1_000) })
  })
  const region = cache.open({ name: 'responses', maxBytes: 1 })
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

test('a final response is cached when it is first asked for, while there is room', async () => {
  const { ask, sent } = startFinal(100_000)
  for (let round = 0; round < 2; round += 1) {
    for (let i = 0; i < 100; i += 1) await ask(`/${i}`)
  }
  expect(sent).toHaveLength(100)
})

test('in a full cache, a response takes the place of one that was asked for less often', async () => {
  const { ask, sent } = startFinal(700)
  for (const target of ['/a', '/b', '/c', '/c', '/c', '/b', '/a']) await ask(target)
  expect(sent).toEqual(['GET /a', 'GET /b', 'GET /c', 'GET /c', 'GET /a'])
})

test('who reads a whole chain once evicts nothing from a full cache', async () => {
  const { ask, sent } = startFinal(4_000)
  const first = ['/a', '/b', '/c', '/d']
  for (const target of [...first, ...first]) await ask(target)
  for (let i = 0; i < 1_000; i += 1) await ask(`/${i}`)
  for (const target of first) await ask(target)
  expect(sent).toHaveLength(4 + 1_000)
})

test('upstreams that share a store do not share responses', async () => {
  const { send, cache } = startClient(counting)
  const second = startClient((attempt) => attempt.answer({ value: 7 }), { service: 'evm-2', cache })
  expect(await send(record, never)).toEqual({ value: 1 })
  expect(await second.send(record, never)).toEqual({ value: 7 })
})
