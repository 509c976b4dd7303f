import { createClient } from 'graphql-ws'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createWorld } from '../../../packages/sandbox/src/world/world.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { type Data, now, startWorld, youngChains } from '../../support/world.ts'

// The live lists as clients read them: a gateway in real time, over chains that grow when the test says so.

const chainId = 'galley-1'
const galley = youngChains(60).find((chain) => chain.chainId === chainId)
if (!galley) throw new Error('no chain')
const future = createWorld(galley, 'portolan', () => Number.MAX_SAFE_INTEGER)
/** The next block with a transaction. */
const height = [61, 62, 63, 64, 65].find((at) => future.transactionsAt(at).length > 0) ?? 0
const address = future.fixtures.feeCollector.hex

async function startGrowingWorld() {
  const clock = fakeClock()
  const world = await startWorld({
    clock: () => now + clock.now(),
    chains: youngChains(60),
    feeds: { headPace: { intervalMs: 100 } },
  })
  /** Resolves when the indexer was asked for something. */
  const asked = async (path: string) => {
    while (!world.sandbox.requests.some((line) => line.includes(path))) await new Promise((done) => setImmediate(done))
  }
  return { clock, world, asked }
}

/** A subscription of one client. `next` gives undefined at its end. */
interface Stream {
  next(): Promise<Data | undefined>
  leave(): Promise<void> | void
}

type Transport = (
  url: string,
  query: string,
  variables: Record<string, unknown>,
  lastEventId?: string,
) => Promise<Stream>

/** The data of an event stream. */
async function* dataOf(body: ReadableStream<string>): AsyncGenerator<Data> {
  let text = ''
  for await (const chunk of body) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      if (lines.includes('event: complete')) return
      const data = lines.find((line) => line.startsWith('data: {'))
      if (!data) continue
      const { errors, ...result } = JSON.parse(data.slice(6))
      if (errors) throw new Error(JSON.stringify(errors))
      yield result.data
    }
  }
}

const serverSentEvents: Transport = async (url, query, variables, lastEventId) => {
  const controller = new AbortController()
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...{ accept: 'text/event-stream', 'content-type': 'application/json' },
      ...(lastEventId && { 'last-event-id': lastEventId }),
    },
    body: JSON.stringify({ query, variables }),
    signal: controller.signal,
  })
  if (!response.body || !response.ok) throw new Error(`status ${response.status}`)
  // Read from at once: `fetch` cancels a body that nobody reads when its response is garbage.
  const events = dataOf(response.body.pipeThrough(new TextDecoderStream()))
  return { next: async () => (await events.next()).value, leave: () => controller.abort() }
}

const socket: Transport = async (url, query, variables) => {
  const client = createClient({
    url: url.replace('http', 'ws'),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  })
  const events = client.iterate<Data>({ query, variables })
  return {
    next: async () => (await events.next()).value?.data,
    leave: async () => void (await client.dispose()),
  }
}

const activityQuery = `subscription ($address: Address!, $chainId: ChainId!, $after: String) {
  activity(address: $address, chainIds: [$chainId], after: $after) {
    cursor node { ... on IndexedTransaction { hash } }
  }
}`

const hashesOf = (events: readonly Data[]) => events.flatMap(({ activity }) => activity.node?.hash ?? [])

/** Reads events until there are that many records. */
async function take(stream: Stream, count: number): Promise<Data[]> {
  const events: Data[] = []
  while (hashesOf(events).length < count) {
    const event = await stream.next()
    if (!event) throw new Error('the stream has ended')
    events.push(event)
  }
  return events
}

for (const [name, open, resumes] of [
  ['graphql-transport-ws with `after`', socket, 'after'],
  ['server-sent events with `after`', serverSentEvents, 'after'],
  ['server-sent events with Last-Event-ID', serverSentEvents, 'id'],
] as const) {
  test(`activity resumes over ${name}`, async () => {
    const { clock, world, asked } = await startGrowingWorld()
    await using _world = world
    const variables = { address, chainId }
    const first = await open(world.url, activityQuery, variables)
    // It starts at the newest transaction, which has to be known before there are newer ones.
    await asked(`${chainId} GET /indexer/tx/v1/txs?pagination.key`)
    await clock.advance(20_000)
    const seen = await take(first, 3)
    await first.leave()
    await clock.advance(20_000)
    const cursor: string = seen.at(-1).activity.cursor
    const second = await (resumes === 'after'
      ? open(world.url, activityQuery, { ...variables, after: cursor })
      : open(world.url, activityQuery, variables, cursor))
    const all = await world.rows(chainId, `/indexer/tx/v1/txs/by_account/${address}`)
    const expected = all
      .filter(({ height }: Data) => Number(height) > 60)
      .map(({ txhash }: Data) => txhash)
      .toReversed()
    expect(expected.length).toBeGreaterThan(6)
    const rest = await take(second, expected.length - 3)
    expect([...hashesOf(seen), ...hashesOf(rest)]).toEqual(expected)
    await second.leave()
  })
}

for (const [name, open] of [
  ['graphql-transport-ws', socket],
  ['server-sent events', serverSentEvents],
] as const) {
  test(`a watched transaction ends its stream over ${name}`, async () => {
    const { clock, world } = await startGrowingWorld()
    await using _world = world
    const hash = future.transactionsAt(height)[0]?.hash
    const stream = await open(
      world.url,
      `subscription ($chainId: ChainId!, $hash: Hash!) {
        transaction(chainId: $chainId, hash: $hash) { node { ... on IndexedTransaction { hash height } } }
      }`,
      { chainId, hash },
    )
    expect(await stream.next()).toEqual({ transaction: { node: null } })
    await clock.advance((height - 60) * galley.blockTime)
    expect(await stream.next()).toEqual({ transaction: { node: { hash, height } } })
    expect(await stream.next()).toBeUndefined()
    await stream.leave()
  })
}
