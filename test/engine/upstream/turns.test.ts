import { expect, test } from 'vitest'
import { get } from '../../../src/engine/upstream/request.ts'
import type { UpstreamLoad } from '../../../src/engine/upstream/upstreamOptions.ts'
import { SignalSource } from '../../../src/kit/clock/signal.ts'
import { counting, errorOf, never, order, startClient, thing, value } from '../../support/upstreamClient.ts'

/** A client with one slot, which a request of client `a` holds until `free` is called. All others are answered. */
function startBusy() {
  const { send, attempts, sent } = startClient((it, count) => count > 1 && counting(it, count), {
    concurrency: 1,
  })
  const ask = (target: string, client: string, signal = never) => send(get(target, value), signal, { client })
  const first = ask('/first', 'a')
  const free = () => attempts[0]?.answer({ value: 1 })
  return { ask, sent, first, free }
}

test('requests beyond the concurrency wait, and are refused if the queue is full', async () => {
  const waits: number[] = []
  const retries: string[] = []
  let load: UpstreamLoad | undefined
  const { send, attempts, clock } = startClient(undefined, {
    ...{ concurrency: 2, maxWaiting: 16 },
    events: {
      onOpen(_, opened) {
        load = opened
      },
      onQueued: (_, seconds) => waits.push(seconds),
      onRetry: (service) => retries.push(service),
    },
  })
  const requester = { client: 'a' }
  const accepted = Array.from({ length: 18 }, (_, i) => send(get(`/${i}`, value), never, requester))
  expect(load).toMatchObject({ inFlight: 2, waiting: 16 })
  const message = 'The indexer of evm-1 has too many requests waiting.'
  const refusal = { code: 'UPSTREAM_UNAVAILABLE', service: 'evm-1', limit: 'queue', message }
  expect(await errorOf(send(thing, never, requester))).toMatchObject(refusal)
  await clock.advance(2_000)
  for (let i = 0; i < 18; i += 1) attempts[i]?.answer({ value: i })
  expect(await Promise.all(accepted)).toHaveLength(18)
  expect(waits).toEqual([0, 0, ...Array(16).fill(2)])
  expect([load, attempts.length]).toMatchObject([{ inFlight: 0, waiting: 0 }, 18])
  // The refused request was not tried again.
  expect(retries).toEqual([])
})

test('equal GETs in flight are sent once, and equal POSTs each', async () => {
  const joined: string[] = []
  const onCoalesced = (service: string) => joined.push(service)
  const { send, attempts, sent } = startClient(undefined, { events: { onCoalesced } })
  const ask = () => Promise.all([send(thing, never), send(thing, never)])
  const both = ask()
  expect([sent, joined]).toEqual([['GET /thing'], ['evm-1']])
  attempts[0]?.answer({ value: 7 })
  expect(await both).toEqual([{ value: 7 }, { value: 7 }])
  const failed = ask()
  attempts[1]?.answer('', 500)
  expect(await errorOf(failed)).toMatchObject({ status: 500 })
  for (const _ of [1, 2]) errorOf(send(order, never))
  expect(sent).toEqual(['GET /thing', 'GET /thing', 'POST /thing', 'POST /thing'])
  expect(joined).toHaveLength(2)
})

test.each(['answer', 'error'] as const)('a caller that leaves does not affect other callers: %s', async (end) => {
  const { send, attempts } = startClient()
  const leaving = new SignalSource()
  const left = errorOf(send(thing, leaving))
  const stays = send(thing, never).catch((error: { status: number }) => error.status)
  leaving.abort('left')
  expect([await left, attempts[0]?.abortReason]).toEqual(['left', undefined])
  attempts[0]?.answer({ value: 7 }, end === 'answer' ? 200 : 500)
  expect(await stays).toEqual(end === 'answer' ? { value: 7 } : 500)
})

test('a queued request is not sent if all of its callers have left', async () => {
  const { ask, sent, first, free } = startBusy()
  const callers = [new SignalSource(), new SignalSource()]
  const left = callers.map((signal) => errorOf(ask('/left', 'a', signal)))
  const last = ask('/last', 'a')
  for (const signal of callers) signal.abort('left')
  expect(await Promise.all(left)).toEqual(['left', 'left'])
  free()
  expect(await Promise.all([first, last])).toEqual([{ value: 1 }, { value: 2 }])
  expect(sent).toEqual(['GET /first', 'GET /last'])
})

test('a request of two clients is sent at the earlier turn of the two', async () => {
  const { ask, sent, first, free } = startBusy()
  const asked = [ask('/a1', 'a'), ask('/a2', 'a'), ask('/shared', 'a')]
  asked.push(ask('/shared', 'b'), ask('/b2', 'b'))
  free()
  await Promise.all([first, ...asked])
  expect(sent).toEqual(['GET /first', 'GET /a1', 'GET /shared', 'GET /a2', 'GET /b2'])
})

test('a shared request keeps the turn of the remaining callers', async () => {
  const { ask, sent, first, free } = startBusy()
  const leaving = new SignalSource()
  const left = errorOf(ask('/shared', 'a', leaving))
  const asked = [ask('/a1', 'a'), ask('/b1', 'b'), ask('/shared', 'b')]
  leaving.abort('left')
  expect(await left).toBe('left')
  free()
  await Promise.all([first, ...asked])
  expect(sent).toEqual(['GET /first', 'GET /a1', 'GET /b1', 'GET /shared'])
})

test('a caller that leaves a shared request in flight does not free its slot', async () => {
  const { ask, sent, first, free } = startBusy()
  const leaving = new SignalSource()
  const left = errorOf(ask('/first', 'a', leaving))
  const next = ask('/next', 'b')
  leaving.abort('left')
  expect([await left, sent]).toEqual(['left', ['GET /first']])
  free()
  expect(await Promise.all([first, next])).toEqual([{ value: 1 }, { value: 2 }])
})
