import fc from 'fast-check'
import { createClient } from 'graphql-ws'
import { describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import {
  first,
  minute,
  type Network,
  now,
  openNetwork,
  place,
  play,
  second,
  story,
  storyOf,
} from '../../../support/storyNetwork.ts'
import type { WrittenTransaction } from '../../../support/writtenChains.ts'
import { arrival, departure, ending } from '../../../support/writtenMovements.ts'

// Where the records of the chains prove an end, it counts from every door, whatever the router says, and what the router says
// stands beside it.

type Played = WrittenTransaction & { readonly hash: string }

/** What a router can say of a transfer: the state of the whole, and that of its hops. */
const words = {
  success: { state: 'STATE_COMPLETED_SUCCESS', hop: 'TRANSFER_SUCCESS', reported: 'COMPLETED_SUCCESS' },
  pending: { state: 'STATE_PENDING', hop: 'TRANSFER_PENDING', reported: 'PENDING' },
  failure: { state: 'STATE_COMPLETED_ERROR', hop: 'TRANSFER_FAILURE', reported: 'COMPLETED_ERROR' },
  abandoned: { state: 'STATE_ABANDONED', hop: 'TRANSFER_PENDING', reported: 'ABANDONED' },
} as const
type Word = keyof typeof words

/** Routers that say nothing: one that fails, and one that has forgotten. */
const silences = { fails: 500, forgets: 404 } as const

/** A status of the router over the hops of a story. `isNaming` says whether it names more than the transactions that sent. */
function statusOf(played: readonly Played[], word: Word, isForwarded: boolean, isNaming: boolean) {
  const { state, hop } = words[word]
  const named = (transaction: Played | undefined) =>
    transaction ? { chain_id: transaction.chainId, tx_hash: transaction.hash } : null
  const [begun, arrived] = played
  const hops = [
    { from: 'roll-1', to: 'hub-1', send_tx: named(begun), receive_tx: named(arrived) },
    ...(isForwarded ? [{ from: 'hub-1', to: 'osmosis-1', send_tx: named(arrived), receive_tx: null }] : []),
  ]
  const transfer_sequence = hops.map(({ from, to, send_tx, receive_tx }) => ({
    ibc_transfer: {
      ...{ from_chain_id: from, to_chain_id: to, state: hop },
      packet_txs: { send_tx, receive_tx: isNaming ? receive_tx : null, acknowledge_tx: null, timeout_tx: null },
    },
  }))
  const transfer = { state, transfer_sequence, next_blocking_transfer: null, transfer_asset_release: null, error: null }
  return { ...transfer, transfers: [transfer] }
}

const states = `state reportedState outcome isTerminal
  hops { state reportedState bridgeTransfer { state isProven } } guidance { code funds sentence contradiction }`
const selection = `${states} assetRelease { chainId isReleased denom amount }`

const transferOf = async ({ ask }: Network, hash: string) =>
  (await ask(`{ transfer(chainId: "roll-1", hash: "${hash}") { ${selection} } }`)).transfer

const movementOf = async ({ ask }: Network, hash: string) =>
  (
    await ask(
      `{ chain(chainId: "roll-1") { transaction(hash: "${hash}") { ... on Transaction {
        bridgeTransfers { state refund { chainId denom amount } guidance { funds sentence } onward { state } } } } } }`,
    )
  ).chain.transaction.bridgeTransfers[0]

/** The last state that a subscription gives. It has to end by itself. */
async function lastOf({ url }: Network, hash: string) {
  const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket })
  let last: unknown
  const query = `subscription { transfer(chainId: "roll-1", hash: "${hash}", track: false) { ${states} } }`
  for await (const { data, errors } of client.iterate<{ transfer: unknown }>({ query })) {
    expect(errors).toBeUndefined()
    last = data?.transfer
  }
  await client.dispose()
  return last
}

/** What follows for the transfer from what is proven of its first packet. Undefined if the router's word stands. */
const provenStates: Readonly<Record<string, string>> = {
  REFUNDED: 'COMPLETED_ERROR',
  TIMED_OUT: 'COMPLETED_ERROR',
  REFUSED: 'PENDING_ERROR',
}

const hopStates: Readonly<Record<string, string>> = {
  ...{ ARRIVED: 'COMPLETED', PASSED_ON: 'COMPLETED' },
  ...{ REFUSED: 'FAILED', REFUNDED: 'FAILED', TIMED_OUT: 'FAILED' },
}

test('whatever the router says, what the records prove is the state of the transfer', async () => {
  await fc.assert(
    fc.asyncProperty(
      story,
      fc.constantFrom<Word | keyof typeof silences>('success', 'pending', 'failure', 'abandoned', 'fails', 'forgets'),
      fc.boolean(),
      async ({ isForwarded, end, isTold, isRetried, unindexed }, word, isNaming) => {
        const indexed = ['roll-1', 'hub-1', 'osmosis-1'].filter((id) => !unindexed.includes(id))
        await using network = await openNetwork({ indexed })
        const played = play(network.chains, storyOf(isForwarded, end, isTold, isRetried))
        const [begun] = played
        if (!begun) throw new Error('nothing was played')
        const answer =
          word === 'fails' || word === 'forgets' ? silences[word] : statusOf(played, word, isForwarded, isNaming)
        network.chains.statuses.set(begun.hash, answer)
        const transfer = await transferOf(network, begun.hash)
        const movement = await movementOf(network, begun.hash)
        const said = JSON.stringify({ transfer, movement })
        const reported = word === 'fails' || word === 'forgets' ? 'UNTRACKED' : words[word].reported
        expect(transfer.reportedState, said).toBe(reported)
        for (const hop of transfer.hops) {
          const proven = hopStates[hop.bridgeTransfer.state]
          // The router's word can be the state of a movement whose records prove nothing.
          if (proven !== undefined && hop.state !== hop.reportedState) expect(hop.state, said).toBe(proven)
        }
        const proven = provenStates[movement.state]
        if (proven !== undefined && (word !== 'failure' || movement.refund)) {
          const isOnTheWayBack = /returns it to the chain/.test(movement.guidance.sentence)
          const onTheWayBack = word === 'failure' ? 'COMPLETED_ERROR' : 'PENDING_ERROR'
          expect(transfer.state, said).toBe(isOnTheWayBack ? onTheWayBack : proven)
          expect(transfer.guidance.funds, said).toBe(movement.guidance.funds)
          if (movement.refund && proven === 'COMPLETED_ERROR' && !isOnTheWayBack) {
            expect(transfer.assetRelease, said).toEqual({ ...movement.refund, isReleased: true })
          }
        }
        const hasArrived = transfer.hops.at(-1).bridgeTransfer.state === 'ARRIVED' && end === 'taken'
        if (hasArrived && !unindexed.includes(isForwarded ? 'osmosis-1' : 'hub-1')) {
          expect(transfer, said).toMatchObject({ state: 'COMPLETED_SUCCESS', guidance: { funds: 'DELIVERED' } })
          expect(transfer.assetRelease?.isReleased ?? true).toBe(true)
        }
        // Both are said, each with its source.
        expect(transfer.guidance.contradiction === null, said).toBe(transfer.state === reported)
        const { assetRelease: _, ...told } = transfer
        // An end that records can still contradict waits for them.
        const isProven = transfer.hops.every(
          (hop: { bridgeTransfer: { isProven: boolean } }) => hop.bridgeTransfer.isProven,
        )
        if (transfer.isTerminal && isProven) expect(await lastOf(network, begun.hash), said).toEqual(told)
      },
    ),
    { numRuns: 40 },
  )
})

test('a router that says failed is contradicted in words', async () => {
  await using network = await openNetwork()
  const played = play(network.chains, storyOf(false, 'taken', true, false))
  const hash = played[0]?.hash ?? ''
  network.chains.statuses.set(hash, statusOf(played, 'failure', false, false))
  expect(await transferOf(network, hash)).toMatchObject({
    ...{ state: 'COMPLETED_SUCCESS', reportedState: 'COMPLETED_ERROR', outcome: 'SUCCEEDED', isTerminal: true },
    hops: [{ state: 'COMPLETED', reportedState: 'FAILED', bridgeTransfer: { state: 'ARRIVED' } }],
    assetRelease: { chainId: 'hub-1', isReleased: true, amount: '5000000' },
    guidance: { code: 'DELIVERED', contradiction: 'The router says that it failed.' },
  })
})

test('a refusal that a router calls a success is neither an end nor delivered', async () => {
  await using network = await openNetwork()
  const played = play(network.chains, storyOf(false, 'refused', false, false))
  const hash = played[0]?.hash ?? ''
  network.chains.statuses.set(hash, statusOf(played, 'success', false, true))
  expect(await transferOf(network, hash)).toMatchObject({
    ...{ state: 'PENDING_ERROR', isTerminal: false, assetRelease: null },
    hops: [{ state: 'FAILED', reportedState: 'COMPLETED' }],
    guidance: { code: 'RETURNING', contradiction: 'The router says that it arrived.' },
  })
})

test('coins that the receiver spends in the transaction of their arrival are not said to be with it', async () => {
  await using network = await openNetwork()
  const taken = arrival(first, place(now - 29 * minute), 'taken')
  const spent = { type: 'coin_spent', attributes: [{ key: 'spender', value: first.receiver }] }
  const played = play(network.chains, [
    departure(first, place(now - 30 * minute)),
    { ...taken, events: [[...(taken.events[0] ?? []), spent]] },
  ])
  const hash = played[0]?.hash ?? ''
  network.chains.statuses.set(hash, statusOf(played, 'pending', false, false))
  expect(await transferOf(network, hash)).toMatchObject({
    ...{ state: 'PENDING', hops: [{ state: 'COMPLETED' }] },
    guidance: { sentence: 'Arrived on Hub.' },
  })
})

test('no chain is asked again about what has ended', async () => {
  await using network = await openNetwork()
  const played = play(network.chains, storyOf(false, 'taken', true, false))
  const hash = played[0]?.hash ?? ''
  network.chains.statuses.set(hash, statusOf(played, 'success', false, true))
  const ask = () => network.ask(`{ transfer(chainId: "roll-1", hash: "${hash}") { state } }`)
  await ask()
  network.chains.requests()
  await ask()
  expect(network.chains.requests()).toEqual([expect.stringContaining('/router/v2/tx/status')])
})

test('an indexer that is away leaves the word of the router', async () => {
  await using network = await openNetwork({ indexed: ['roll-1', 'osmosis-1'] })
  const played = play(network.chains, [
    departure(first, place(now - 30 * minute)),
    arrival(first, place(now - 29 * minute), 'refused'),
    ending(second, place(now - 28 * minute), 'taken'),
  ])
  const hash = played[0]?.hash ?? ''
  network.chains.statuses.set(hash, statusOf(played, 'success', false, true))
  expect(await transferOf(network, hash)).toMatchObject({
    state: 'COMPLETED_SUCCESS',
    guidance: { contradiction: null },
  })
})

describe('a transfer that the router does not know', () => {
  test.each([
    { end: 'taken' as const, state: 'COMPLETED_SUCCESS', code: 'DELIVERED', to: 'hub-1' },
    { end: 'late' as const, state: 'COMPLETED_ERROR', code: 'RETURNED', to: 'roll-1' },
  ])('has the end that the records prove ($end), and its watch ends', async ({ end, state, code, to }) => {
    await using network = await openNetwork()
    const [begun] = play(network.chains, storyOf(false, end, true, false))
    const transfer = await transferOf(network, begun?.hash ?? '')
    expect(transfer).toMatchObject({
      ...{ state, reportedState: 'UNTRACKED', isTerminal: true, guidance: { code } },
      assetRelease: { chainId: to, isReleased: true, amount: '5000000' },
    })
    const { assetRelease: _, ...told } = transfer
    expect(await lastOf(network, begun?.hash ?? '')).toEqual(told)
  })
  test('is untracked while nothing is proven, with the chains that it goes from and to', async () => {
    await using network = await openNetwork()
    const [begun] = play(network.chains, storyOf(false, 'open', false, false))
    expect(await transferOf(network, begun?.hash ?? '')).toMatchObject({
      ...{ state: 'UNTRACKED', reportedState: 'UNTRACKED', outcome: 'PENDING', guidance: { code: 'UNTRACKED' } },
      hops: [{ state: 'UNKNOWN', bridgeTransfer: { state: 'UNKNOWN' } }],
    })
  })
})

test('a first hop whose transaction the router does not name was sent by the first transaction', async () => {
  await using network = await openNetwork()
  const [begun] = play(network.chains, storyOf(false, 'taken', true, false))
  const hash = begun?.hash ?? ''
  network.chains.statuses.set(hash, statusOf([], 'pending', false, false))
  expect(await transferOf(network, hash)).toMatchObject({
    ...{ state: 'COMPLETED_SUCCESS', reportedState: 'PENDING' },
    guidance: { code: 'DELIVERED', contradiction: 'The router says that it is on its way.' },
  })
})

test('a packet that was sent again ends nothing, also if the router calls its hop a failure', async () => {
  await using network = await openNetwork()
  const played = play(network.chains, storyOf(false, 'late', true, true))
  const hash = played[0]?.hash ?? ''
  const status = { ...statusOf(played, 'failure', false, false), state: 'STATE_PENDING' }
  network.chains.statuses.set(hash, { ...status, transfers: [{ ...status, transfers: undefined }] })
  expect(await transferOf(network, hash)).toMatchObject({ state: 'PENDING', isTerminal: false })
})
