import { once } from 'node:events'
import { createServer } from 'node:http'
import { buildSchema, GraphQLError, parse } from 'graphql'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createFairScheduler, type WorkScheduler } from '../../src/kit/clock/fairScheduler.ts'
import type { Client } from '../../src/server/clients/client.ts'
import { createConnectionQuota } from '../../src/server/http/connections.ts'
import { createLiveness } from '../../src/server/http/liveness.ts'
import type { Pipeline } from '../../src/server/operation/pipeline.ts'
import type { Services } from '../../src/server/services.ts'
import { createSockets } from '../../src/server/ws/graphqlWs.ts'
import { fakeClock } from '../support/fakeClock.ts'
import type { Json } from '../support/http.ts'
import { testClient } from '../support/testClient.ts'

const cleanup: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanup.splice(0).reverse()) await clean()
})

/** An operation that the sockets have given to the pipeline. */
interface Prepared {
  readonly request: Json
  readonly sender: { readonly client: Client; readonly arrivedAt: number; readonly signal: Json }
}

/** The sockets without the rest of the server, over a pipeline that a test answers. */
async function setUp({
  scheduler,
  pingInterval,
}: {
  readonly scheduler?: WorkScheduler
  readonly pingInterval?: number
} = {}) {
  const clock = fakeClock()
  const parts = { scheduler: scheduler ?? createFairScheduler(clock) }
  const clientOf = (key: string) => testClient(key, parts)
  const lines: Json[] = []
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const prepared: Prepared[] = []
  const refused: string[] = []
  const held: { readonly client: string; readonly bytes: number; isHeld: boolean }[] = []
  const moves: string[] = []
  const state = {
    /** The keys that clients may have, and whether one of them may open another socket. */
    keyOf: (_params: Json): string | undefined => 'client',
    hasRoom: true,
    result: async (_prepared: Prepared): Promise<Json> => ({ data: { hello: 'you' } }),
    hold: undefined as (() => never) | undefined,
  }
  const pipeline = {
    prepare(request: Json, sender: Prepared['sender']) {
      prepared.push({ request, sender })
      if (request.query === 'refused') return { errors: [new GraphQLError('Refused.')] }
      const run = () => state.result({ request, sender })
      return { document: parse(request.query), run }
    },
  } as unknown as Pipeline
  const services = {
    schema: buildSchema('type Query { hello: String } type Subscription { ticks: Int }'),
    identify: {
      ofPayload(_before: Client, params: Json) {
        const key = state.keyOf(params)
        return key === undefined ? undefined : clientOf(key)
      },
    },
    unread: {
      hold(client: string, bytes: number) {
        state.hold?.()
        const one = { client, bytes, isHeld: true }
        held.push(one)
        return () => {
          one.isHeld = false
        }
      },
    },
    formatError: (error: GraphQLError) => error,
    onRefusal: (limit: string) => refused.push(limit),
    ...{ clock, log },
    quota: createConnectionQuota(2),
  } as unknown as Services
  const sockets = createSockets({ ...services, liveness: createLiveness(clock, pingInterval) }, pipeline)
  const server = createServer().listen(0, '127.0.0.1')
  server.on('upgrade', (request, socket, head) =>
    sockets.accept(request, socket, head, {
      client: clientOf('ip:anyone'),
      moveTo({ key }) {
        moves.push(key)
        return state.hasRoom
      },
    }),
  )
  await once(server, 'listening')
  cleanup.push(
    () => new Promise((done) => server.close(done)),
    () => sockets.terminate(),
  )

  /** Connects, and reads what comes. */
  const connect = async () => {
    const { port } = Object(server.address())
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, 'graphql-transport-ws')
    const inbox: Json[] = []
    socket.on('message', (data) => inbox.push(JSON.parse(String(data))))
    const closed = once(socket, 'close').then(([code, reason]) => `${code} ${reason}`)
    await once(socket, 'open')
    const send = (message: object) => socket.send(JSON.stringify(message))
    const subscribe = (id: string, query = '{ hello }', more: object = {}) =>
      send({ id, type: 'subscribe', payload: { query, ...more } })
    const has = (count: number) => expect.poll(() => inbox.length).toBe(count)
    return { socket, inbox, closed, send, subscribe, has }
  }
  /** The same, after the first message. */
  const greet = async () => {
    const client = await connect()
    client.send({ type: 'connection_init' })
    await client.has(1)
    client.inbox.length = 0
    return client
  }
  return { ...{ sockets, state, clock, lines, prepared, refused, held, moves }, connect, greet }
}

test('a WebSocket with an invalid API key is closed with 4401', async () => {
  const { state, connect, moves } = await setUp()
  state.keyOf = ({ key }) => key
  const { send, closed, inbox } = await connect()
  send({ type: 'connection_init' })
  expect(await closed).toBe('4401 Invalid or missing API key')
  expect([inbox, moves]).toEqual([[], []])
})

test('a WebSocket over the limit of its API key is closed with 1013 and counted', async () => {
  const { state, connect, moves, refused } = await setUp()
  state.hasRoom = false
  const { send, closed, inbox } = await connect()
  send({ type: 'connection_init' })
  expect(await closed).toBe('1013 Too many open streams for this client')
  expect([inbox, moves, refused]).toEqual([[], ['client'], ['open_per_client']])
})

test('a WebSocket that stays with the same client is not counted twice', async () => {
  const { state, connect, moves, prepared } = await setUp()
  state.keyOf = () => 'ip:anyone'
  state.hasRoom = false
  const { send, subscribe, has } = await connect()
  send({ type: 'connection_init', payload: { some: 'thing' } })
  await has(1)
  subscribe('1')
  await has(3)
  expect(moves).toEqual([])
  expect(prepared[0]?.sender.client.key).toBe('ip:anyone')
})

test('an operation belongs to the client of connection_init', async () => {
  const { clock, greet, prepared, held } = await setUp()
  const { subscribe, has, inbox } = await greet()
  await clock.advance(1_234)
  subscribe('1', 'query A { hello } query B { hello }', { operationName: 'B' })
  await has(2)
  expect(inbox).toEqual([
    { id: '1', type: 'next', payload: { data: { hello: 'you' } } },
    { id: '1', type: 'complete' },
  ])
  expect(prepared[0]?.sender).toMatchObject({ client: { key: 'client' }, arrivedAt: 1_234 })
  expect(prepared[0]?.request).toMatchObject({ operationName: 'B' })
  await expect.poll(() => held.every(({ isHeld }) => !isHeld)).toBe(true)
  expect(held.map(({ client, bytes }) => [client, bytes > 10])).toContainEqual(['client', true])
})

test('an operation above maxOpenPerClient is refused, and others continue', async () => {
  const { state, greet, prepared } = await setUp()
  state.result = () => new Promise(() => {})
  const { subscribe, has, inbox } = await greet()
  for (const id of ['1', '2', '3']) subscribe(id)
  await has(1)
  expect(inbox).toMatchObject([
    {
      id: '3',
      type: 'error',
      payload: [
        {
          message: 'This client has too many operations and streams open. End one of them first.',
          extensions: { code: 'RATE_LIMITED' },
        },
      ],
    },
  ])
  expect(prepared).toHaveLength(2)
  expect(prepared.map(({ sender }) => sender.signal.aborted)).toEqual([false, false])
})

test('errors over a WebSocket have no http extension', async () => {
  const { state, greet } = await setUp()
  const error = () =>
    new GraphQLError('Wrong.', {
      path: ['ticks'],
      extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
    })
  state.result = async () => ({ data: null, errors: [error()] })
  const { subscribe, has, inbox } = await greet()
  subscribe('1')
  await has(2)
  const sent = { message: 'Wrong.', path: ['ticks'], extensions: { code: 'BAD_USER_INPUT' } }
  expect(inbox[0].payload).toEqual({ data: null, errors: [sent] })

  state.result = async () =>
    (async function* () {
      yield { data: { ticks: 1 } }
      throw error()
    })()
  subscribe('2', 'subscription { ticks }')
  await has(4)
  expect(inbox.slice(2)).toEqual([
    { id: '2', type: 'next', payload: { data: { ticks: 1 } } },
    { id: '2', type: 'error', payload: [sent] },
  ])
  subscribe('3', 'refused')
  await has(5)
  expect(inbox[4]).toEqual({
    id: '3',
    type: 'error',
    payload: [{ message: 'Refused.', extensions: {} }],
  })
})

test('an operation is aborted when the client completes it or disconnects', async () => {
  const { state, greet, prepared } = await setUp()
  const { subscribe, send, has, socket } = await greet()
  subscribe('0')
  await has(2)
  state.result = () => new Promise(() => {})
  subscribe('1')
  subscribe('2')
  await expect.poll(() => prepared.length).toBe(3)
  const aborted = () => prepared.map(({ sender }) => sender.signal.aborted)
  send({ id: '1', type: 'complete' })
  await expect.poll(aborted).toEqual([false, true, false])
  socket.terminate()
  await expect.poll(aborted).toEqual([false, true, true])
})

test('a too long message is counted as a refusal, and other invalid frames are not', async () => {
  const { greet, refused, lines } = await setUp()
  const long = await greet()
  long.socket.send('x'.repeat(256 * 1024 + 1))
  expect(await long.closed).toMatch(/^1009 /)
  expect(refused).toEqual(['body_size'])
  const other = await greet()
  // A text frame that is not masked, as only servers may send one.
  Object(other.socket)._socket.write(Buffer.from([0x81, 0x01, 0x61]))
  expect(await other.closed).toMatch(/^1002 /)
  expect(refused).toEqual(['body_size'])
  expect(lines.filter(({ msg }) => msg === 'invalid frame')).toMatchObject([
    { reason: expect.stringContaining('payload') },
    { reason: expect.stringContaining('MASK') },
  ])
})

test('an internal fault closes the socket with 4500 and is logged', async () => {
  const { state, greet, lines } = await setUp()
  const { subscribe, closed } = await greet()
  state.hold = () => {
    throw new Error('a fault')
  }
  subscribe('1')
  expect(await closed).toBe('4500 Internal server error')
  expect(lines).toMatchObject([{ msg: 'socket message failed', err: { message: 'a fault' } }])
})

test('messages run through the scheduler, and not after the socket closed', async () => {
  const works: { readonly client: string; readonly run: () => void }[] = []
  let isBusy = false
  const scheduler = {
    waiting: 0,
    run: (client: string, work: () => unknown) =>
      isBusy
        ? new Promise((resolve) => {
            works.push({ client, run: () => resolve(work()) })
          })
        : work(),
  }
  const { greet, prepared, sockets } = await setUp({ scheduler: scheduler as WorkScheduler })
  const { subscribe, has, socket } = await greet()
  isBusy = true
  subscribe('1')
  await expect.poll(() => works.length).toBe(1)
  expect(prepared).toEqual([])
  works[0]?.run()
  await has(2)
  subscribe('2')
  await expect.poll(() => works.length).toBe(2)
  socket.terminate()
  sockets.terminate()
  await expect.poll(() => sockets.size).toBe(0)
  works[1]?.run()
  expect(works.map(({ client }) => client)).toEqual(['client', 'client'])
  expect(prepared).toHaveLength(1)
})

test('an operation id can be reused right after complete', async () => {
  const { state, greet, prepared } = await setUp()
  let end = (_result: Json) => {}
  state.result = () =>
    new Promise((resolve) => {
      end = resolve
    })
  const { subscribe, send, has, inbox } = await greet()
  subscribe('1')
  send({ id: '1', type: 'complete' })
  subscribe('1')
  await expect.poll(() => prepared[0]?.sender.signal.aborted).toBe(true)
  state.result = async () => ({ data: { hello: 'again' } })
  end({ data: { hello: 'late' } })
  await has(2)
  expect(inbox[0]).toEqual({ id: '1', type: 'next', payload: { data: { hello: 'again' } } })
  expect(prepared).toHaveLength(2)
})

test('drain closes sockets with 1001 and stops pings, and terminate cuts the rest', async () => {
  const { sockets, clock, greet } = await setUp({ pingInterval: 1_000 })
  const [first, second] = [await greet(), await greet()]
  const pings: string[] = []
  first.socket.on('ping', () => pings.push('first'))
  await clock.advance(1_000)
  await expect.poll(() => pings).toEqual(['first'])
  expect(sockets.size).toBe(2)
  // This one does not read, and so does not close.
  second.socket.pause()
  sockets.drain()
  expect(await first.closed).toBe('1001 Going away')
  await expect.poll(() => sockets.size).toBe(1)
  await clock.advance(10_000)
  expect(sockets.size).toBe(1)
  sockets.terminate()
  await expect.poll(() => sockets.size).toBe(0)
})

test('reading stops from a client that does not read, so unread answers are bounded', async () => {
  const { held, greet } = await setUp()
  const [stalled, other] = [await greet(), await greet()]
  stalled.socket.pause()
  const payload = { text: 'x'.repeat(250_000) }
  const heldBytes = () => held.reduce((sum, one) => sum + (one.isHeld ? one.bytes : 0), 0)
  // The answers to all of them are far more than both ends of a connection can buffer.
  for (let n = 0; n < 200; n += 1) stalled.send({ type: 'ping', payload })
  await expect.poll(heldBytes).toBeGreaterThan(750_000)
  for (let n = 1; n <= 50; n += 1) {
    other.send({ type: 'ping' })
    await other.has(n)
  }
  // A mebibyte, the message above it, and the messages of the packet that was read last.
  expect(heldBytes()).toBeLessThan(2_000_000)
  stalled.socket.resume()
  await expect.poll(() => stalled.inbox.length, { timeout: 20_000 }).toBe(200)
  expect(heldBytes()).toBe(0)
}, 30_000)

test('a client that answers pings it has not read is disconnected', async () => {
  const { sockets, clock, greet } = await setUp({ pingInterval: 1_000 })
  const [deaf, honest] = [await greet(), await greet()]
  const heard = new Promise((resolve) => honest.socket.once('ping', resolve))
  const closed = deaf.closed
  deaf.socket.pause()
  await clock.advance(1_000)
  await heard
  for (const guess of ['', '12345678']) deaf.socket.pong(guess)
  // The server has read both once it has answered a later message of the other client.
  honest.send({ type: 'ping' })
  await honest.has(1)
  await clock.advance(1_000)
  deaf.socket.resume()
  expect(await closed).toMatch(/^1006 /)
  expect(sockets.size).toBe(1)
})

test('an operation id over 1,000 characters is refused, and the socket stays open', async () => {
  const { greet, prepared } = await setUp()
  const { subscribe, has, inbox } = await greet()
  subscribe('x'.repeat(1_001))
  await has(1)
  expect(inbox[0]).toMatchObject({
    type: 'error',
    payload: [{ extensions: { code: 'BAD_USER_INPUT' } }],
  })
  subscribe('x'.repeat(1_000))
  await has(3)
  expect(prepared).toHaveLength(1)
})
