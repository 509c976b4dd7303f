import { expect, test } from 'vitest'
import { z } from 'zod'
import { readFault } from '../../../src/fleet/sharedReads/readFault.ts'
import { createRunRead } from '../../../src/fleet/sharedReads/runRead.ts'
import { createSharedPeers } from '../../../src/fleet/sharedReads/sharedPeers.ts'
import type {
  Outcome,
  ReadRequest,
  ReadResult,
  SharedReads,
} from '../../../src/fleet/sharedReads/sharedReads.ts'
import { systemClock } from '../../../src/kit/clock/clock.ts'
import type { Upstream } from '../../../src/upstream/client.ts'
import { GatewayError } from '../../../src/upstream/error.ts'
import { get, post } from '../../../src/upstream/request.ts'
import { UpstreamHttpError } from '../../../src/upstream/upstreamError.ts'
import type { PeerObservation } from '../../../src/watch/peers.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { fakeChain, networkOf } from '../../support/testServer.ts'

const { signal } = new AbortController()
const call = get('/height', z.object({ height: z.coerce.bigint() }))

/** An upstream that nobody may send a request to but through a peers. */
const unused: Upstream = {
  service: 'test-1',
  source: 'test-1',
  send: () => Promise.reject(new Error('a request of its own')),
}

/** SharedReads that answer with what a test puts there. */
function scripted(reading: Partial<ReadResult> & Pick<ReadResult, 'outcome'>) {
  const reads: ReadRequest[] = []
  const listeners = new Set<(reading: ReadResult) => void>()
  const readings: SharedReads = {
    async read(read) {
      reads.push(read)
      return { ageMs: 0, isShared: false, ...reading }
    },
    follow(_read, listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {},
  }
  return { readings, reads, listeners, peers: createSharedPeers(readings) }
}

/** What crosses from one process to another. */
const crossed = (outcome: Outcome): Outcome => JSON.parse(JSON.stringify(outcome))

test('a body is decoded where it is used, so that large numbers keep their digits', async () => {
  const { peers, reads } = scripted({ outcome: { body: '{"height":"9007199254740993"}' } })
  const value = await peers.send(unused, call, signal)
  expect(value).toEqual({ height: 9007199254740993n })
  expect(reads).toEqual([
    { service: 'test-1', source: 'test-1', target: '/height', route: '/height' },
  ])
})

test('a 404 is null', async () => {
  const { peers } = scripted({ outcome: { body: null } })
  expect(await peers.send(unused, call, signal)).toBeNull()
})

test('a look is told the age of a response that was read for another gateway, and only of that', async () => {
  const ages: number[] = []
  const onShared = (ageMs: number) => void ages.push(ageMs)
  const body = '{"height":1}'
  const own = scripted({ outcome: { body } })
  await own.peers.send(unused, call, signal, { onShared })
  expect(ages).toEqual([])
  const shared = scripted({ outcome: { body }, ageMs: 70, isShared: true })
  await shared.peers.send(unused, call, signal, { onShared })
  expect(ages).toEqual([70])
})

test('a body of another shape is a coded error that quotes nothing of it', async () => {
  const { peers } = scripted({ outcome: { body: '{"height":"s3cret-key"' } })
  const error = await peers.send(unused, call, signal).catch((error: unknown) => error)
  expect(error).toMatchObject({ code: 'UPSTREAM_INVALID_RESPONSE', service: 'test-1' })
  expect(String(error instanceof Error && error.cause)).not.toContain('s3cret')
})

test('followers get values and errors, and each that stays', () => {
  const { peers, listeners } = scripted({ outcome: { body: null } })
  const sights: PeerObservation<{ height: bigint }>[] = []
  const leave = peers.follow(unused, call, (sight) => void sights.push(sight))
  const tell = (outcome: Outcome) => {
    for (const listener of listeners) listener({ outcome, ageMs: 5, isShared: true })
  }
  tell({ body: '{"height":7}' })
  tell({ fault: { code: 'UPSTREAM_TIMEOUT', message: 'The indexer of test-1 timed out.' } })
  leave()
  tell({ body: '{"height":8}' })
  expect(sights).toMatchObject([
    { value: { height: 7n }, ageMs: 5 },
    { error: { code: 'UPSTREAM_TIMEOUT' } },
  ])
})

test('only GETs are shared', async () => {
  const { peers, reads } = scripted({ outcome: { body: '{"height":1}' } })
  const sent: string[] = []
  const upstream: Upstream = {
    service: 'test-1',
    source: 'test-1',
    send: async ({ method }) => {
      sent.push(method)
      return null
    },
  }
  const over = peers.over(upstream)
  const track = post('/track', '{}', () => 1)
  expect(await over.send(track, signal)).toBeNull()
  expect(await over.send(call, signal)).toEqual({ height: 1n })
  expect([sent, reads.length]).toEqual([['POST'], 1])
})

const chainThat = (send: Upstream['send']) =>
  createRunRead(networkOf(fakeChain('test-1', send)), systemClock)
const height: ReadRequest = {
  service: 'test-1',
  source: 'test-1',
  target: '/height',
  route: '/height',
}
const limits = { signal, timeoutMs: 1_000 }

test('a read resolves to the text of the response, or to nothing where the service is not known', async () => {
  const run = chainThat(async (request) => request.read(null, '{"height":1}'))
  expect(await run(height, limits)).toEqual({ body: '{"height":1}' })
  expect(await run({ ...height, service: 'other-1' }, limits)).toBeUndefined()
})

test('a process whose service is elsewhere does not know what another one reads', async () => {
  const run = chainThat(async (request) => request.read(null, '{"height":1}'))
  expect(await run({ ...height, source: 'test-1@elsewhere' }, limits)).toBeUndefined()
})

test('an error crosses with its code, status and texts, and without its stack', async () => {
  const body = JSON.stringify({ message: 'no such chain', details: [{ reason: 'NO_CHAIN' }] })
  const errors = [
    new UpstreamHttpError('router', 400, body),
    new UpstreamHttpError('test-1', 429, 'slow down', 2_000),
    new GatewayError('UPSTREAM_TIMEOUT', 'The indexer of test-1 timed out.', { service: 'test-1' }),
  ]
  for (const error of errors) {
    const outcome = await chainThat(() => Promise.reject(error))(height, limits)
    if (!outcome) throw new Error('no outcome')
    const text = JSON.stringify(outcome)
    expect(text).not.toMatch(/ at |\.ts/)
    if ('fault' in outcome) readFault.parse(JSON.parse(text).fault)
    const { peers } = scripted({ outcome: crossed(outcome) })
    const read = await peers.send(unused, call, signal).catch((error: unknown) => error)
    expect(read).toEqual(error)
    expect(read).toMatchObject({ ...error })
  }
})

test('a fault of the gateway itself crosses without its text', async () => {
  const run = chainThat(() => Promise.reject(new Error('secret at /srv/portolan')))
  const outcome = await run(height, limits)
  expect(outcome).toMatchObject({ fault: { code: 'UPSTREAM_UNAVAILABLE', service: 'test-1' } })
  expect(JSON.stringify(outcome)).not.toContain('secret')
})

test('a read that takes too long is a timeout, and one that nobody waits for rejects', async () => {
  const clock = fakeClock()
  const chain = fakeChain('test-1', () => new Promise(() => {}))
  const run = createRunRead(networkOf(chain), clock)
  const outcome = run(height, limits)
  await clock.advance(1_000)
  expect(await outcome).toMatchObject({ fault: { code: 'UPSTREAM_TIMEOUT' } })
  const controller = new AbortController()
  const aborted = run(height, { ...limits, signal: controller.signal })
  controller.abort()
  await expect(aborted).rejects.toBe(controller.signal.reason)
})
