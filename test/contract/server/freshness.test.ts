import { afterAll, beforeAll, expect, test } from 'vitest'
import { pick } from '../../../packages/sandbox/src/random.ts'
import type { Limits } from '../../../src/gateway.ts'
import { createGateway, type Gateway } from '../../../src/gateway.ts'
import { listsOf } from '../../support/connectionLists.ts'
import { type FakeClock, fakeClock } from '../../support/fakeClock.ts'
import { type LaggingNetwork, startLaggingNetwork } from '../../support/laggingNetwork.ts'
import { runs } from '../../support/property.ts'
import { hashOf } from '../../support/routerWorld.ts'
import { type Data, now, startWorld } from '../../support/world.ts'

// Two gateways read the same moving network, one with its caches and one without any. Whatever is asked,
// and however often, both must give the same answer at the same moment.

const chainId = 'galley-1'
/** Milliseconds between blocks of the chain. */
const blockTime = 2_000
/** The chain has some thirty blocks when a race begins. */
const start = now - 30 * blockTime

/** Each list as the fields that lead to it, with `PAGE` for its paging arguments, and fields of a node. */
let lists: { readonly path: readonly string[]; readonly select: string }[] = []

beforeAll(async () => {
  await using world = await startWorld()
  const nested = `height hash transactionCount previous { hash } next { hash }
    transactions(first: 3) { nodes { hash block { hash } evmTransaction { hash } } }
    evmTransactions(first: 3) { nodes { hash internalTransactions { nodes { index } } } }
    evmInternalTransactions(last: 3) { nodes { index transaction { hash } } }`
  lists = [
    ...(await listsOf(world, chainId)),
    ...[25, 33, 36].flatMap((height) =>
      ['transactions', 'evmTransactions', 'evmInternalTransactions'].map((name) => ({
        path: [`block(height: ${height})`, `${name}(PAGE)`],
        select: name === 'evmInternalTransactions' ? 'index' : 'hash',
      })),
    ),
    { path: ['blocks(PAGE)'], select: nested },
  ]
})

/** A generator of numbers from 0 up to, but not including, 1. They are the same for the same seed. */
function createRandom(seed: number): () => number {
  let calls = 0
  return () => {
    calls += 1
    return pick(2 ** 32, seed, calls) / 2 ** 32
  }
}

interface Race extends AsyncDisposable {
  readonly clock: FakeClock
  readonly network: LaggingNetwork
  readonly cached: Gateway
  readonly plain: Gateway
}

async function startRace(random: () => number): Promise<Race> {
  const clock = fakeClock()
  const lag = () => Math.floor(random() * 4) * blockTime
  const lags = { transactions: lag(), evm: lag() }
  const network = await startLaggingNetwork(() => start + clock.now(), lags)
  const open = (own: Partial<Limits>) =>
    createGateway(
      {
        chains: [{ chainId, url: network.indexerUrl, vm: 'evm' }],
        router: { url: network.routerUrl },
        signingKeys: ['the same key for both of the gateways'],
        limits: { upstreamTimeoutMs: 120_000, timeoutMs: 300_000, ...own },
      },
      { clock, random: () => 0.5, upstream: { backoff: () => 0 } },
    )
  const cached = await open({})
  const plain = await open({ cacheTtlMs: 0 })
  return {
    ...{ clock, network, cached, plain },
    async [Symbol.asyncDispose]() {
      const closed = Promise.all([cached.close(), plain.close()])
      // A server waits by the clock for its connections.
      await clock.advance(60_000)
      await closed
      await network[Symbol.asyncDispose]()
    },
  }
}

interface Answer {
  readonly data?: Data
  readonly errors?: readonly { readonly message: string; readonly extensions: Data }[]
}

async function ask(gateway: Gateway, query: string): Promise<Answer> {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = (await response.json()) as Answer
  return {
    data,
    ...(errors && {
      errors: errors.map(({ extensions: { requestId: _, ...extensions }, ...error }) => ({
        ...error,
        extensions,
      })),
    }),
  }
}

interface Question {
  readonly query: string
  /** Remembers what later questions need. */
  readonly note?: (answer: Answer) => void
}

/** What a race asks: pages of all lists, both ways and in both orders, records, and transfers. */
function createQuestions(random: () => number, network: LaggingNetwork) {
  const cursors = new Map<string, string[]>()
  const newest = new Map<string, string[]>()
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const transfers = ['00', 'e0', 'e2', 'e2', 'e4', 'e5', 'eb'].flatMap((ending, i) =>
    [`a${i}`, `b${i}`].map((filler) => hashOf(ending, filler)),
  )

  const parts = [
    'state rawState isTerminal error { message } assetRelease { denom amount isReleased }',
    'hops { state rawState transactions { hash kind } } legs { state }',
    'outcome blockingHop { index } legs { isTerminal }',
  ]

  const page = (): Question => {
    // Most kept pages are of the lists of the whole chain.
    const { path, select } = oneOf(lists.filter(({ path }) => path.length === 1 || random() < 0.3))
    const order = oneOf(['ASC', 'DESC'])
    const list = `${path} ${order}`
    const towardsNewest = order === 'ASC' ? 'first' : 'last'
    // Short pages at the newest end are those that grow.
    const isTail = random() < 0.4
    const known = (isTail ? newest : cursors).get(list) ?? []
    const cursor = known.length > 0 && random() < 0.7 ? oneOf(known) : undefined
    const size = isTail && cursor ? towardsNewest : oneOf(['first', 'last'])
    const bound = size === 'first' ? 'after' : 'before'
    const args = ` order: ${order} ${size}: ${oneOf([1, 2, 3, 5, 12])} ${cursor ? `${bound}: "${cursor}"` : ''}`
    const count = random() < 0.2 ? 'totalCount' : ''
    const fields = `{ edges { cursor node { ${select} } } pageInfo { hasNextPage hasPreviousPage } ${count} }`
    const text = path.reduceRight((inner, field) => `{ ${field.replace('PAGE', args)} ${inner} }`, fields)
    const note = ({ data }: Answer) => {
      const fieldNames = path.map((field) => /^\w+/.exec(field)?.[0] ?? '')
      const page = fieldNames.reduce((value, name) => value?.[name], data?.chain)
      const found = page?.edges?.map(({ cursor }: Data) => cursor) ?? []
      cursors.set(list, [...(cursors.get(list) ?? []), ...found].slice(-20))
      if (!cursor && size !== towardsNewest) newest.set(list, found)
    }
    return { query: `{ chain ${text} }`, note }
  }
  const record = (height: number): Question => {
    const hashes = network.hashesAt(height)
    const fields = [
      `block(height: ${height}) { hash next { hash } }`,
      hashes && `transaction(hash: "${hashes.native}") { height block { hash } }`,
      hashes && `evmTransaction(hash: "${hashes.evm}") { height internalTransactions { nodes { index } } }`,
    ]
    return { query: `{ chain { ${oneOf(fields.filter((field) => field !== undefined))} } }` }
  }
  const transfer = (): Question => ({
    query: `{ transfer(chainId: "harbor-1", hash: "${oneOf(transfers)}") { ${oneOf(parts)} } }`,
  })
  const track = (tx_hash: string) =>
    fetch(`${network.routerUrl}/v2/tx/track`, {
      method: 'POST',
      body: JSON.stringify({ tx_hash, chain_id: 'harbor-1' }),
    })
  return {
    trackOne: () => track(oneOf(transfers)),
    transfer,
    record: (height: number) => (random() < 0.8 ? page() : record(height - 5 + Math.floor(random() * 8))),
  }
}

const steps = runs(150)

/** A question is asked again so many steps later, a step being less than a second on average. */
const revisits = [1, 4, 9]

test.each([
  { seed: 1, about: 'record' as const },
  { seed: 2, about: 'record' as const },
  { seed: 4, about: 'transfer' as const },
])('cached answers about $about equal uncached ones in race $seed', async ({ seed, about }) => {
  const random = createRandom(seed)
  await using race = await startRace(random)
  const { clock, network, cached, plain } = race
  const questions = createQuestions(random, network)
  const asked: Question[] = []

  for (let step = 0; step < (about === 'transfer' ? 3 : 1) * steps; step += 1) {
    if (about === 'transfer' && random() < 0.3) await questions.trackOne()
    const question = questions[about](31 + Math.floor(clock.now() / blockTime))
    asked.push(question)
    const again = revisits.flatMap((ago) => asked.at(-1 - ago) ?? [])
    await Promise.all(
      [question, ...again].map(async ({ query, note }) => {
        const [answer, expected] = await Promise.all([ask(cached, query), ask(plain, query)])
        expect({ step, query, ...answer }).toEqual({ step, query, ...expected })
        note?.(expected)
      }),
    )

    // Time moves while others ask, so that their upstream responses are of different moments.
    const others = asked.slice(-3).map(({ query }) => ask(cached, query))
    await clock.advance(Math.floor(random() * 1_500))
    await Promise.all(others)
  }

  const { regions } = cached.shared.cache
  expect(regions.get('answers')?.hits).toBeGreaterThan(20)
  expect(regions.get('responses')?.hits).toBeGreaterThan(5)
  expect(plain.shared.cache.regions.get('responses')?.hits).toBe(0)
})

afterAll(() => {
  lists = []
})
