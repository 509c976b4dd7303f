import { createClient as createSseClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { fakeClock } from '../support/fakeClock.ts'
import { hashOf } from '../support/routerWorld.ts'
import { type Data, now, startWorld, youngChains } from '../support/world.ts'

const query = `subscription ($txHash: String!) {
  transfer(chainId: "harbor-1", hash: $txHash) { state isTerminal outcome }
}`

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
    next: ({ data, errors }) => seen.push(errors ?? data.transfer),
    error: (error) => {
      got.end = error
    },
    complete: () => {
      got.end ??= 'completed'
    },
  }
  return { got, sink }
}

type Subscribe = (url: string, sink: Sink, txHash: string) => { leave(): void; drop(): void }

const transports: Record<string, Subscribe> = {
  'graphql-transport-ws': (url, sink, txHash) => {
    const client = createSocketClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    })
    const leave = client.subscribe({ query, variables: { txHash } }, sink)
    return { leave, drop: () => client.terminate() }
  },
  'server-sent events': (url, sink, txHash) => {
    const client = createSseClient({ url, retryAttempts: 0 })
    const leave = client.subscribe({ query, variables: { txHash } }, sink)
    return { leave, drop: () => client.dispose() }
  },
}

for (const [transport, subscribe] of Object.entries(transports)) {
  test(`a transfer is followed until it ends over ${transport}`, async () => {
    const { world, until } = await startMovingWorld()
    await using _world = world
    for (const [ending, outcome] of [
      ['00', 'SUCCEEDED'],
      ['e0', 'FAILED'],
    ] as const) {
      const { got, sink } = collector()
      subscribe(world.url, sink, hashOf(ending))
      await until(() => got.end !== undefined)
      expect(got.end).toBe('completed')
      expect(got.seen[0]).toMatchObject({ isTerminal: false, outcome: 'PENDING' })
      expect(got.seen.at(-1)).toMatchObject({ isTerminal: true, outcome })
    }
  })

  for (const way of ['leave', 'drop'] as const) {
    test(`polling stops when the client ${way}s over ${transport}`, async () => {
      const { world, until, pollsWithin } = await startMovingWorld()
      await using _world = world
      const { got, sink } = collector()
      const client = subscribe(world.url, sink, hashOf('e3'))
      await until(() => got.seen.length > 0)
      client[way]()
      let polls = 1
      while (polls > 0) polls = await pollsWithin(20_000)
      expect(await pollsWithin(600_000)).toBe(0)
    })
  }
}
