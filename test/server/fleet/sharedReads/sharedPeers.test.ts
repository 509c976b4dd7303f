import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Upstream } from '../../../../src/engine/upstream/client.ts'
import { GatewayError } from '../../../../src/engine/upstream/error.ts'
import { readFault } from '../../../../src/engine/upstream/readFault.ts'
import { get, post } from '../../../../src/engine/upstream/request.ts'
import { UpstreamHttpError } from '../../../../src/engine/upstream/upstreamError.ts'
import { createRunRead, createSharedPeers } from '../../../../src/server/fleet/sharedReads/sharedPeers.ts'
import type { ReadOutcome, ReadRequest, ReadResult } from '../../../../src/server/fleet/sharedReads/sharedReads.ts'
import { fakeClock } from '../../../support/fakeClock.ts'
import { fakeChain, networkOf } from '../../../support/testServer.ts'

const service = 'test-1'
const height: ReadRequest = { service, source: service, target: '/height', route: '/height' }
const { signal } = new AbortController()
const limits = { signal, timeoutMs: 1_000 }
const call = get('/height', z.object({ height: z.coerce.bigint() }))

/** Peers over shared reads that answer with a result, and what is asked of them. A request of its own fails. */
function answeredWith(outcome: ReadOutcome, result: Partial<ReadResult> = {}) {
  const reads: ReadRequest[] = []
  const sent: string[] = []
  const listeners = new Set<(result: ReadResult) => void>()
  const peers = createSharedPeers({
    async read(read) {
      reads.push(read)
      return { outcome, ageMs: 0, isShared: false, ...result }
    },
    follow(_read, listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {},
  })
  const upstream: Upstream = {
    ...{ service, source: service },
    async send({ method }) {
      sent.push(method)
      if (method === 'GET') throw new Error('a request of its own')
      return null
    },
  }
  return { peers, upstream, reads, sent, listeners }
}

/** What a caller gets of an outcome: its value, or the error that it stands for. */
async function sentOf(outcome: ReadOutcome): Promise<unknown> {
  const { peers, upstream } = answeredWith(outcome)
  return peers.send(upstream, call, signal).catch((error: unknown) => error)
}

test('a shared body is decoded with exact numbers, and a 404 is null', async () => {
  expect(await sentOf({ body: '{"height":"9007199254740993"}' })).toEqual({
    height: 9007199254740993n,
  })
  expect(await sentOf({ body: null })).toBeNull()
})

test('onShared gets the age of a response from another gateway only', async () => {
  const ages: number[] = []
  for (const result of [{}, { ageMs: 70, isShared: true }]) {
    const { peers, upstream } = answeredWith({ body: '{"height":1}' }, result)
    await peers.send(upstream, call, signal, { onShared: (ageMs) => void ages.push(ageMs) })
  }
  expect(ages).toEqual([70])
})

test('a malformed body is an error that does not quote it', async () => {
  const error = await sentOf({ body: '{"height":"s3cret-key"' })
  expect(error).toMatchObject({ code: 'UPSTREAM_INVALID_RESPONSE', service })
  expect(String(error instanceof Error && error.cause)).not.toContain('s3cret')
})

test('followers get values and errors until they leave', () => {
  const { peers, upstream, listeners } = answeredWith({ body: null })
  const sights: unknown[] = []
  const leave = peers.follow(upstream, call, (sight) => void sights.push(sight))
  const tell = (outcome: ReadOutcome) => {
    for (const listener of listeners) listener({ outcome, ageMs: 5, isShared: true })
  }
  tell({ body: '{"height":7}' })
  tell({ fault: { code: 'UPSTREAM_TIMEOUT', message: 'The indexer of test-1 timed out.' } })
  leave()
  tell({ body: '{"height":8}' })
  expect(sights).toMatchObject([{ value: { height: 7n }, ageMs: 5 }, { error: { code: 'UPSTREAM_TIMEOUT' } }])
})

test('only GETs are shared', async () => {
  const { peers, upstream, reads, sent } = answeredWith({ body: '{"height":1}' })
  const over = peers.over(upstream)
  expect(
    await over.send(
      post('/track', '{}', () => 1),
      signal,
    ),
  ).toBeNull()
  expect(await over.send(call, signal)).toEqual({ height: 1n })
  expect([sent, reads]).toEqual([['POST'], [height]])
})

/** Runs reads at a chain that answers in this way. */
const chainThat = (send: Upstream['send'], clock = fakeClock()) =>
  createRunRead(networkOf(fakeChain(service, send)), clock)

test('a read resolves to the response text, or to a fault for an unknown service', async () => {
  const run = chainThat(async (request) => request.read(null, '{"height":1}'))
  expect(await run(height, limits)).toEqual({ body: '{"height":1}' })
  // Nor does a process whose service is elsewhere know it.
  for (const other of [{ service: 'other-1' }, { source: 'test-1@elsewhere' }]) {
    const outcome = await run({ ...height, ...other }, limits)
    expect(outcome).toMatchObject({ fault: { code: 'UPSTREAM_UNAVAILABLE' } })
  }
})

const refusal = JSON.stringify({ message: 'no such chain', details: [{ reason: 'NO_CHAIN' }] })

test.each([
  new UpstreamHttpError('router', 400, refusal),
  new UpstreamHttpError(service, 429, 'slow down', 2_000),
  new GatewayError('UPSTREAM_TIMEOUT', 'The indexer of test-1 timed out.', { service }),
])('a shared error keeps code, status and text, and has no stack: %s', async (error) => {
  const outcome = await chainThat(() => Promise.reject(error))(height, limits)
  if (!('fault' in outcome)) throw new Error('no fault')
  const text = JSON.stringify(outcome)
  expect(text).not.toMatch(/ at |\.ts/)
  const crossed = JSON.parse(text)
  readFault.parse(crossed.fault)
  const read = await sentOf(crossed)
  expect(read).toEqual(error)
  expect(read).toMatchObject({ ...error })
})

test('a shared internal error has no text', async () => {
  const run = chainThat(() => Promise.reject(new Error('secret at /srv/portolan')))
  const outcome = await run(height, limits)
  expect(outcome).toMatchObject({ fault: { code: 'UPSTREAM_UNAVAILABLE', service } })
  expect(JSON.stringify(outcome)).not.toContain('secret')
})

test('a slow read is a timeout, and an aborted one rejects', async () => {
  const clock = fakeClock()
  const run = chainThat(() => new Promise(() => {}), clock)
  const outcome = run(height, limits)
  await clock.advance(1_000)
  expect(await outcome).toMatchObject({ fault: { code: 'UPSTREAM_TIMEOUT' } })
  const controller = new AbortController()
  const aborted = run(height, { ...limits, signal: controller.signal })
  controller.abort()
  await expect(aborted).rejects.toBe(controller.signal.reason)
})
