import { createClient as createSseClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { fakeClock } from '../../support/fakeClock.ts'
import { hashOf } from '../../support/routerWorld.ts'
import { type Data, now, startWorld, youngChains } from '../../support/world.ts'

interface Operation {
  readonly query: string
  readonly variables: Record<string, unknown>
}

const one = (txHash: string): Operation => ({
  query: `subscription ($txHash: String!) {
    transfer(chainId: "harbor-1", hash: $txHash) { state isTerminal outcome }
  }`,
  variables: { txHash },
})

const many = (inputs: readonly { chainId: string; hash: string }[]): Operation => ({
  query: `subscription ($inputs: [TransferInput!]!) {
    transfers(inputs: $inputs) { hash state isTerminal outcome }
  }`,
  variables: { inputs },
})

/** A world whose time advances only while the test waits. */
async function startMovingWorld() {
  const clock = fakeClock()
  const world = await startWorld({
    clock: () => now + clock.now(),
    chains: youngChains(60),
    // Polls take real time, which this clock does not measure.
    poller: { clock, random: () => 0.5, timeoutMs: 10 ** 9 },
  })
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await clock.advance(100)
  }
  /** Status requests within a period without a subscriber. */
  const pollsWithin = async (milliseconds: number) => {
    world.requests()
    await clock.advance(milliseconds)
    return world.requests().filter((request) => request.includes('/v2/tx/')).length
  }
  return { world, clock, until, pollsWithin }
}

type Sink = { next(value: Data): void; error(error: unknown): void; complete(): void }

/** Collects what a client receives, and how its stream ends. */
function collector() {
  const seen: Data[] = []
  const got = { seen, end: undefined as unknown }
  const sink: Sink = {
    next: ({ data, errors }) => seen.push(errors ?? data.transfer ?? data.transfers),
    error: (error) => {
      got.end = error
    },
    complete: () => {
      got.end ??= 'completed'
    },
  }
  return { got, sink }
}

type Subscribe = (url: string, sink: Sink, operation: Operation) => { leave(): void; drop(): void }

const transports: Record<string, Subscribe> = {
  'graphql-transport-ws': (url, sink, operation) => {
    const client = createSocketClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    })
    const leave = client.subscribe(operation, sink)
    return { leave, drop: () => client.terminate() }
  },
  'server-sent events': (url, sink, operation) => {
    const client = createSseClient({ url, retryAttempts: 0 })
    const leave = client.subscribe(operation, sink)
    return { leave, drop: () => client.dispose() }
  },
}

for (const [transport, subscribe] of Object.entries(transports)) {
  test(`a transfer is watched until it ends over ${transport}`, async () => {
    const { world, until } = await startMovingWorld()
    await using _world = world
    for (const [ending, outcome] of [
      ['00', 'SUCCEEDED'],
      ['e0', 'FAILED'],
    ] as const) {
      const { got, sink } = collector()
      subscribe(world.url, sink, one(hashOf(ending)))
      await until(() => got.end !== undefined)
      expect(got.end).toBe('completed')
      expect(got.seen[0]).toMatchObject({ isTerminal: false, outcome: 'PENDING' })
      expect(got.seen.at(-1)).toMatchObject({ isTerminal: true, outcome })
    }
  })

  test(`transfers continue past an error and after a reconnect over ${transport}`, async () => {
    const { world, until } = await startMovingWorld()
    await using _world = world
    const good = ['00', 'e0', '02'].map((ending) => ({ chainId: 'harbor-1', hash: hashOf(ending) }))
    const operation = many([...good, { chainId: 'nowhere-1', hash: hashOf('00') }])
    const first = collector()
    const client = subscribe(world.url, first.sink, operation)
    const hashesOf = (seen: readonly Data[]) =>
      new Set(seen.flatMap((update: Data) => (Array.isArray(update) ? [] : [update.hash])))
    await until(() => hashesOf(first.got.seen).size === 3)
    client.drop()

    const { got, sink } = collector()
    subscribe(world.url, sink, operation)
    await until(() => got.end !== undefined)
    expect(got.end).toBe('completed')
    const errors = got.seen.filter(Array.isArray)
    expect(errors).toMatchObject([
      [{ path: ['transfers'], extensions: { code: 'UPSTREAM_REJECTED', service: 'router' } }],
    ])
    expect(errors[0]?.[0].message).toContain('nowhere-1')
    for (const [index, outcome] of ['SUCCEEDED', 'FAILED', 'SUCCEEDED'].entries()) {
      const own = got.seen.filter(({ hash }) => hash === good[index]?.hash)
      expect(own.at(-1)).toMatchObject({ isTerminal: true, outcome })
      expect(own.filter(({ isTerminal }) => isTerminal)).toHaveLength(1)
    }
  })

  for (const [name, path, query] of [
    ['field', 'transfer', one('').query],
    [
      'alias in a fragment',
      'sent',
      `subscription Watch($txHash: String!) { ...Sent }
      fragment Sent on Subscription {
        ... { sent: transfer(chainId: "harbor-1", hash: $txHash) { state } }
      }`,
    ],
  ] as const) {
    test(`an error that ends a stream has the path ${name} over ${transport}`, async () => {
      const { world, until } = await startMovingWorld()
      await using _world = world
      world.sandbox.faults.set('router', '/v2/tx/track', { kind: 'status', status: 400 })
      const { got, sink } = collector()
      subscribe(world.url, sink, { query, variables: { txHash: hashOf('00') } })
      await until(() => got.end !== undefined)
      const errors = [...got.seen, got.end].find(Array.isArray)
      expect(errors).toMatchObject([{ path: [path], extensions: { code: 'UPSTREAM_REJECTED', service: 'router' } }])
    })
  }

  for (const way of ['leave', 'drop'] as const) {
    test(`polling stops when the client ${way}s over ${transport}`, async () => {
      const { world, until, pollsWithin } = await startMovingWorld()
      await using _world = world
      const { got, sink } = collector()
      const client = subscribe(world.url, sink, one(hashOf('e3')))
      await until(() => got.seen.length > 0)
      client[way]()
      let polls = 1
      while (polls > 0) polls = await pollsWithin(20_000)
      expect(await pollsWithin(600_000)).toBe(0)
    })
  }
}

test('an event stream of transfers has no event ids, and ignores Last-Event-ID', async () => {
  const { world, until } = await startMovingWorld()
  await using _world = world
  const response = await fetch(world.url, {
    method: 'POST',
    headers: {
      ...{ accept: 'text/event-stream', 'content-type': 'application/json' },
      'last-event-id': 'of another stream',
    },
    body: JSON.stringify(many([{ chainId: 'harbor-1', hash: hashOf('00') }])),
  })
  let text = ''
  const reading = response.text().then((body) => {
    text = body
  })
  await until(() => text !== '')
  await reading
  // Only the end has one, so that a browser does not ask for the stream again.
  expect(text.match(/^id:.*$/gm)).toEqual(['id: complete'])
  const [first, ...others] = text.split('\n').filter((line) => line.startsWith('data: {'))
  expect(first).toContain(`"hash":"${hashOf('00')}"`)
  expect(others.at(-1)).toContain('"isTerminal":true')
})
