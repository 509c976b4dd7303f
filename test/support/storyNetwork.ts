import fc from 'fast-check'
import { expect } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { type Clock, systemClock } from '../../src/kit/clock/clock.ts'
import { createMovableClock } from '../../src/kit/clock/movableClock.ts'
import { addressOf, startWrittenChains, type WrittenChains, type WrittenTransaction } from './writtenChains.ts'
import { arrival, departure, ending, type WrittenPacket } from './writtenMovements.ts'

// A rollup, a hub and a third chain, with stories of coins that go from one to the next, behind a gateway.

/** The date of the gateway, in milliseconds since 1970. */
export const now = Date.UTC(2026, 9, 1, 12)
export const minute = 60_000

export const user = addressOf(1)
export const userOnOsmosis = addressOf(1, 'osmo')
export const middleware = addressOf(2)
export const relayer = addressOf(3)
export const escrow = addressOf(4)
export const victim = addressOf(5)
export const contract = addressOf(6)
export const place = (at: number) => ({ at, escrow, relayer })

/** From the rollup to the hub. */
export const first: WrittenPacket = {
  ...{ from: 'roll-1', to: 'hub-1', source: 'channel-0', destination: 'channel-5', sequence: 7 },
  ...{ sender: user, receiver: user, amount: 5_000_000n, path: 'transfer/channel-0/uinit', timeout: now + 60 * minute },
}
const forwarded: WrittenPacket = {
  ...first,
  receiver: middleware,
  memo: JSON.stringify({ forward: { receiver: userOnOsmosis, port: 'transfer', channel: 'channel-9' } }),
}
/** From the hub on. */
export const second: WrittenPacket = {
  ...{ from: 'hub-1', to: 'osmosis-1', source: 'channel-9', destination: 'channel-1', sequence: 30 },
  ...{ sender: middleware, receiver: userOnOsmosis, amount: 5_000_000n, path: 'uinit', timeout: now + 60 * minute },
}

/** Asks a gateway for what has to succeed. */
export const askerOf = (url: string) => async (query: string, variables?: object) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = await response.json()
  expect(errors).toBeUndefined()
  return data
}

/** Serves the chains that are indexed, and all three as known to the registry. */
export async function openNetwork({
  indexed = ['roll-1', 'hub-1', 'osmosis-1'],
  opInit = false,
  /** Whether the time is moved by `advance` alone. */
  isStill = false,
} = {}) {
  const chains = await startWrittenChains()
  const still = createMovableClock(async () => {
    do await nextTurn()
    while (gateway.shared.poller.inFlight)
    for (let turn = 0; turn < 20; turn += 1) await nextTurn()
  }, now)
  const after: Clock['after'] = (milliseconds, run) =>
    (milliseconds <= 0 ? systemClock : still).after(milliseconds, run)
  const clock = isStill ? { ...still, after } : { ...systemClock, date: () => now }
  const all = [
    {
      ...{ chainId: 'roll-1', vm: 'wasm' as const, bech32Prefix: 'init', name: 'Roll' },
      ibcChannels: [{ channelId: 'channel-0', chainId: 'hub-1' }],
      ...(opInit && { opInitBridgeId: '3' }),
    },
    {
      ...{ chainId: 'hub-1', vm: 'wasm' as const, bech32Prefix: 'init', name: 'Hub' },
      ibcChannels: [
        { channelId: 'channel-5', chainId: 'roll-1' },
        { channelId: 'channel-9', chainId: 'osmosis-1' },
      ],
    },
    {
      ...{ chainId: 'osmosis-1', vm: 'wasm' as const, bech32Prefix: 'osmo', name: 'Osmosis' },
      ibcChannels: [{ channelId: 'channel-1', chainId: 'hub-1' }],
    },
  ]
  const gateway = await createGateway(
    {
      chains: all
        .filter(({ chainId }) => indexed.includes(chainId))
        .map((each) => ({ ...each, url: chains.urlOf(each.chainId) })),
      router: { url: chains.routerUrl },
      ...{ explorer: false, docs: false, graphiql: false },
    },
    { clock, random: () => 0.5, server: { grace: 0, drain: 0 } },
  )
  return {
    ...{ chains, ask: askerOf(gateway.url), url: gateway.url, advance: still.advance },
    async [Symbol.asyncDispose]() {
      await gateway.close()
      await chains[Symbol.asyncDispose]()
    },
  }
}

const nextTurn = () => new Promise((done) => setImmediate(done))

export type Network = Awaited<ReturnType<typeof openNetwork>>

/** Adds the transactions, oldest first, and returns them with their hashes. */
export const play = (chains: WrittenChains, transactions: readonly WrittenTransaction[]) => {
  const inOrder = transactions.toSorted((a, b) => a.at - b.at)
  const hashes = chains.add(...inOrder)
  return inOrder.map((transaction, index) => ({ ...transaction, hash: hashes[index] ?? '' }))
}

export type End = 'taken' | 'refused' | 'late' | 'open'

/** A story of one or two packets. The records of a chain between are as its middleware writes them. */
export function storyOf(
  isForwarded: boolean,
  end: End,
  isTold: boolean,
  isRetried: boolean,
): readonly WrittenTransaction[] {
  const packet = isForwarded ? forwarded : first
  const begun = departure(packet, place(now - 30 * minute))
  if (!isForwarded) {
    const received = end === 'taken' || end === 'refused' ? [arrival(packet, place(now - 29 * minute), end)] : []
    if (!isTold || end === 'open') return [begun, ...received]
    const again = isRetried && end === 'late' ? { again: { ...packet, sequence: packet.sequence + 1 } } : {}
    return [begun, ...received, ending(packet, place(now - 28 * minute), end, again)]
  }
  const passed = arrival(packet, place(now - 29 * minute), second)
  const received = end === 'taken' || end === 'refused' ? [arrival(second, place(now - 28 * minute), end)] : []
  if (end === 'open') return [begun, passed]
  const learnt = ending(second, place(now - 27 * minute), end, { before: packet })
  if (!isTold) return [begun, passed, ...received, learnt]
  const last = ending(packet, place(now - 26 * minute), end === 'taken' ? 'taken' : 'refused')
  return [begun, passed, ...received, learnt, last]
}

export const story = fc.record({
  isForwarded: fc.boolean(),
  end: fc.constantFrom<End>('taken', 'refused', 'late', 'open'),
  isTold: fc.boolean(),
  isRetried: fc.boolean(),
  unindexed: fc.subarray(['hub-1', 'osmosis-1'], { maxLength: 1 }),
})
