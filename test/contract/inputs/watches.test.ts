import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGateway, type Gateway } from '../../../src/gateway.ts'
import { type FakeClock, fakeClock } from '../../support/fakeClock.ts'
import { heapInUse } from '../../support/heap.ts'
import { hashOf, startFakeRouter } from '../../support/routerWorld.ts'
import { greetedSocket, type SocketClient } from '../../support/socketClient.ts'

// Subscriptions to transfers that a client can harm with, numbered W26 and W27, and a part of W23.

let clock: FakeClock
let gateway: Gateway
let router: Awaited<ReturnType<typeof startFakeRouter>>
/** The paths that the router was asked for, without their queries. */
const asked: string[] = []
/** Hashes that the router tracks, each with the state of its transfer. */
const states = new Map<string, string>()

beforeAll(async () => {
  router = await startFakeRouter((target, body) => {
    const { pathname, searchParams } = new URL(target, 'http://x')
    asked.push(pathname)
    if (pathname === '/v2/tx/track') {
      const { tx_hash: hash } = JSON.parse(body)
      states.set(hash, states.get(hash) ?? 'STATE_SUBMITTED')
      return { body: '{"explorer_link":""}' }
    }
    const state = states.get(searchParams.get('tx_hash') ?? '')
    if (state) return { body: JSON.stringify({ state, transfer_sequence: [] }) }
    return { status: 404, body: '{"code":5,"message":"tx not found","details":[]}' }
  })
  clock = fakeClock(async () => {
    do await new Promise((done) => setImmediate(done))
    while (gateway.shared.poller.inFlight)
    for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setImmediate(done))
  })
  gateway = await createGateway(
    {
      chains: [{ chainId: 'a-1', url: router.url, vm: 'wasm' }],
      router: { url: router.url },
      limits: { maxOpenPerClient: 3_000 },
    },
    { clock, random: () => 0.5, server: { drain: 0 } },
  )
})

afterAll(async () => {
  await gateway.close()
  await router[Symbol.asyncDispose]()
})

/** Subscribes to a transfer, which the router is asked to track or not. */
const watch = (socket: SocketClient, txHash: string, track: boolean) =>
  socket.send({
    ...{ id: '1', type: 'subscribe' },
    payload: {
      query: `subscription ($txHash: String!, $track: Boolean!) {
        transfer(chainId: "a-1", hash: $txHash, track: $track) { state }
      }`,
      variables: { txHash, track },
    },
  })

const event = (state: string) => ({
  id: '1',
  type: 'next',
  payload: { data: { transfer: { state } } },
})

/** Reads a message that time brings. */
async function after(milliseconds: number, socket: SocketClient) {
  const message = socket.next()
  await clock.advance(milliseconds)
  return message
}

test('W23 a thousand transfers a second that are watched and left leave no polls', async () => {
  const { poller } = gateway.shared
  // A socket may send 500 messages a second.
  const sockets = await Promise.all(Array.from({ length: 5 }, () => greetedSocket(gateway.url)))
  const transfer = (number: number) => number.toString(16).padStart(64, '0')
  /** Resolves when all that was sent has been read. */
  const arrived = async () => {
    for (const socket of sockets) {
      socket.send({ type: 'ping' })
      for (let type = ''; type !== 'pong'; ) {
        type = (await socket.next()).type
        expect(['next', 'complete', 'pong']).toContain(type)
      }
    }
    await clock.advance(0)
  }
  const second = async (round: number) => {
    for (const [index, socket] of sockets.entries()) {
      for (let n = 0; n < 200; n += 1) {
        watch(socket, transfer(round * 1_000 + index * 200 + n), false)
        socket.send({ id: '1', type: 'complete' })
      }
      watch(socket, transfer(0), false)
    }
    await arrived()
    // The last operation of each socket is still there, and shares its poll.
    expect([poller.size, poller.listeners]).toEqual([1, 5])
    for (const socket of sockets) socket.send({ id: '1', type: 'complete' })
    await arrived()
    await clock.advance(1_000)
    expect([poller.size, poller.listeners, poller.inFlight]).toEqual([0, 0, 0])
  }
  await second(1)
  asked.length = 0
  const before = heapInUse()
  for (const round of [2, 3, 4]) await second(round)
  expect(heapInUse() - before).toBeLessThan(8 * 1024 * 1024)
  await Promise.all(sockets.map((socket) => socket.close()))
})

test('W26 an unknown transaction is tracked once, or polled for ten minutes', async () => {
  const socket = await greetedSocket(gateway.url)
  watch(socket, hashOf('01'), true)
  expect(await after(0, socket)).toEqual(event('SUBMITTED'))
  states.set(hashOf('01'), 'STATE_COMPLETED_SUCCESS')
  expect(await after(2_000, socket)).toEqual(event('COMPLETED_SUCCESS'))
  expect(await socket.next()).toEqual({ id: '1', type: 'complete' })
  expect(asked.filter((path) => path === '/v2/tx/track')).toHaveLength(1)

  asked.length = 0
  watch(socket, hashOf('02'), false)
  // It is looked for.
  expect(await after(0, socket)).toEqual(event('SUBMITTED'))
  expect(await after(11 * 60_000, socket)).toMatchObject({
    ...{ id: '1', type: 'error' },
    payload: [{ extensions: { code: 'UPSTREAM_REJECTED' } }],
  })
  // The indexer is asked too whether it has the transaction.
  const ofRouter = asked.filter((path) => path.startsWith('/v2/'))
  expect(new Set(ofRouter)).toEqual(new Set(['/v2/tx/status']))
  // Every five seconds at most: the router may learn of it at any time.
  expect(ofRouter.length).toBeGreaterThan(120)
  expect(ofRouter.length).toBeLessThan(200)
  await socket.close()
})

test('W27 a thousand sockets that watch one transfer share its polls', async () => {
  const hash = hashOf('03')
  states.set(hash, 'STATE_PENDING')
  const sockets: SocketClient[] = []
  for (let n = 0; n < 1_000; n += 1) sockets.push(await greetedSocket(gateway.url))
  asked.length = 0
  for (const socket of sockets) watch(socket, hash, true)
  await clock.advance(0)
  for (const socket of sockets) expect(await socket.next()).toEqual(event('PENDING'))
  expect([gateway.shared.poller.size, gateway.shared.poller.listeners]).toEqual([1, 1_000])
  states.set(hash, 'STATE_COMPLETED_SUCCESS')
  await clock.advance(2_000)
  for (const socket of sockets) {
    expect(await socket.next()).toEqual(event('COMPLETED_SUCCESS'))
    expect(await socket.next()).toEqual({ id: '1', type: 'complete' })
  }
  expect(asked.length).toBeLessThanOrEqual(4)
  expect(gateway.shared.poller.size).toBe(0)
  await Promise.all(sockets.map((socket) => socket.close()))
})
