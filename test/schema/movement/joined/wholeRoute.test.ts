import { createClient } from 'graphql-ws'
import { describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import {
  escrow,
  first,
  middleware,
  minute,
  type Network,
  now,
  openNetwork,
  place,
  play,
  storyOf,
  user,
} from '../../../support/storyNetwork.ts'
import type { WrittenTransaction } from '../../../support/writtenChains.ts'
import { arrival, departure, sendEvents, type WrittenPacket } from '../../../support/writtenMovements.ts'

// A transfer has ended where its coins have ended: behind the hops that the router lists, for each thing that a transaction sent, and
// whether or not the router answers, lies or is ahead of the records.

const selection = `state reportedState isTerminal assetRelease { chainId isReleased amount }
  hops { state bridgeTransfer { state } } guidance { code sentence contradiction }`

const transferOf = async ({ ask }: Pick<Network, 'ask'>, hash: string) =>
  (await ask(`{ transfer(chainId: "roll-1", hash: "${hash}") { ${selection} } }`)).transfer

/** The states that a subscription gives, and whether it has ended by itself. */
function watch({ url }: Pick<Network, 'url'>, hash: string, fields = selection) {
  const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0 })
  const query = `subscription { transfer(chainId: "roll-1", hash: "${hash}", track: false) { ${fields} } }`
  const states: { readonly state: string }[] = []
  const ended = (async () => {
    for await (const { data } of client.iterate<{ transfer: { state: string } }>({ query })) {
      if (data?.transfer) states.push(data.transfer)
    }
    await client.dispose()
  })()
  return {
    ...{ states, ended },
    async [Symbol.asyncDispose]() {
      await client.dispose()
      await ended
    },
  }
}

/** A status of a router that follows the first hop alone. */
function oneHop(begun: string, received: string | null, state: 'SUCCESS' | 'PENDING') {
  const transfer_sequence = [
    {
      ibc_transfer: {
        ...{ from_chain_id: 'roll-1', to_chain_id: 'hub-1', state: `TRANSFER_${state}` },
        packet_txs: {
          send_tx: { chain_id: 'roll-1', tx_hash: begun },
          receive_tx: received && { chain_id: 'hub-1', tx_hash: received },
        },
      },
    },
  ]
  const transfer = { state: state === 'SUCCESS' ? 'STATE_COMPLETED_SUCCESS' : 'STATE_PENDING', transfer_sequence }
  return { ...transfer, transfers: [transfer] }
}

const hashesOf = (played: readonly { readonly hash: string }[]) => played.map(({ hash }) => hash)

describe('coins that the first chain passed on', () => {
  test.each([[['roll-1', 'hub-1', 'osmosis-1']], [['roll-1', 'hub-1']]])(
    'are not delivered while they are on their way, with %j indexed',
    async (indexed) => {
      await using network = await openNetwork({ indexed })
      const [begun = '', passed = ''] = hashesOf(play(network.chains, storyOf(true, 'open', false, false)))
      network.chains.statuses.set(begun, oneHop(begun, passed, 'SUCCESS'))
      const transfer = await transferOf(network, begun)
      expect(transfer).toMatchObject({
        ...{ state: 'PENDING', reportedState: 'COMPLETED_SUCCESS', isTerminal: false, assetRelease: null },
        hops: [{ state: 'COMPLETED', bridgeTransfer: { state: 'PASSED_ON' } }],
        guidance: { contradiction: 'The router says that it arrived.' },
      })
      expect(transfer.guidance.sentence).toMatch(/^Hub has passed it on/)
    },
  )

  test.each(['taken', 'refused', 'late'] as const)('end as the last packet does: %s', async (end) => {
    await using network = await openNetwork()
    const played = play(network.chains, storyOf(true, end, true, false))
    const begun = played[0]?.hash ?? ''
    const transfer = await transferOf(network, begun)
    expect(transfer.state).toBe(end === 'taken' ? 'COMPLETED_SUCCESS' : 'COMPLETED_ERROR')
    expect(transfer.assetRelease).toEqual({
      chainId: end === 'taken' ? 'osmosis-1' : 'roll-1',
      ...{ isReleased: true, amount: '5000000' },
    })
    const { states, ended } = watch(network, begun)
    await ended
    expect(states.at(-1)).toEqual(transfer)
  })

  test('have ended where they came back to the chain that they began on', async () => {
    await using network = await openNetwork()
    const out: WrittenPacket = {
      ...{ ...first, receiver: middleware },
      memo: JSON.stringify({ forward: { receiver: user, port: 'transfer', channel: 'channel-5' } }),
    }
    const back: WrittenPacket = {
      ...{ from: 'hub-1', to: 'roll-1', source: 'channel-5', destination: 'channel-0', sequence: 12 },
      ...{
        sender: middleware,
        receiver: user,
        amount: 5_000_000n,
        path: 'transfer/channel-5/transfer/channel-0/uinit',
      },
      timeout: now + 60 * minute,
    }
    const [begun = ''] = hashesOf(
      play(network.chains, [
        departure(out, place(now - 30 * minute)),
        arrival(out, place(now - 29 * minute), back),
        arrival(back, place(now - 28 * minute), 'taken'),
      ]),
    )
    const transfer = await transferOf(network, begun)
    expect(transfer).toMatchObject({
      ...{ state: 'COMPLETED_SUCCESS', reportedState: 'UNTRACKED', isTerminal: true },
      assetRelease: { chainId: 'roll-1', isReleased: true },
    })
    expect(transfer.guidance.sentence).toMatch(/Arrived on Roll/)
    const { states, ended } = watch(network, begun)
    await ended
    expect(states.at(-1)).toEqual(transfer)
  })
})

test.each([500, 502])('a router that fails with %i is one that does not know', async (status) => {
  await using network = await openNetwork()
  const [begun = ''] = hashesOf(play(network.chains, storyOf(false, 'taken', true, false)))
  network.chains.statuses.set(begun, status)
  const transfer = await transferOf(network, begun)
  expect(transfer).toMatchObject({ state: 'COMPLETED_SUCCESS', guidance: { code: 'DELIVERED' } })
  const { states, ended } = watch(network, begun)
  await ended
  expect(states.at(-1)).toEqual(transfer)
})

test('a router that fails, for a transaction that no chain has, is an error', async () => {
  await using network = await openNetwork()
  const hash = 'AB'.repeat(32)
  network.chains.statuses.set(hash, 500)
  const response = await fetch(network.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ transfer(chainId: "roll-1", hash: "${hash}") { state } }` }),
  })
  const { data, errors } = await response.json()
  expect(data).toEqual({ transfer: null })
  expect(errors).toMatchObject([{ extensions: { service: 'router' } }])
})

test.each(['PENDING', 'SUCCESS'] as const)(
  'a first transaction that failed sent nothing: the router says %s',
  async (word) => {
    await using network = await openNetwork()
    const failed = { ...departure(first, place(now - 30 * minute)), code: 5 }
    const [begun = ''] = hashesOf(play(network.chains, [failed]))
    network.chains.statuses.set(begun, oneHop(begun, null, word))
    const transfer = await transferOf(network, begun)
    expect(transfer).toMatchObject({ state: 'COMPLETED_ERROR', isTerminal: true, assetRelease: null, hops: [] })
    expect(transfer.guidance.sentence).toMatch(/nothing was sent|sent nothing/i)
    expect(transfer.guidance.contradiction).not.toBeNull()
    const { states, ended } = watch(network, begun)
    await ended
    expect(states.at(-1)).toEqual(transfer)
  },
)

test('several sends of one transaction to one chain are told each to its end', async () => {
  await using network = await openNetwork()
  const other = { ...first, sequence: 8 }
  const [one, two] = [departure(first, place(now - 30 * minute)), departure(other, place(now - 30 * minute))]
  const both: WrittenTransaction = {
    ...one,
    messages: [...one.messages, ...two.messages],
    events: [sendEvents(first, { escrow }), sendEvents(other, { escrow })],
  }
  const [begun = '', taken = ''] = hashesOf(
    play(network.chains, [
      both,
      arrival(first, place(now - 29 * minute), 'taken'),
      arrival(other, place(now - 28 * minute), 'taken'),
    ]),
  )
  const whole = await transferOf(network, begun)
  expect(whole).toMatchObject({
    ...{ state: 'COMPLETED_SUCCESS', isTerminal: true },
    hops: [{ bridgeTransfer: { state: 'ARRIVED' } }, { bridgeTransfer: { state: 'ARRIVED' } }],
  })
  const { states, ended } = watch(network, begun)
  await ended
  expect(states.at(-1)).toEqual(whole)
  await using half = await openNetwork()
  const [again = ''] = hashesOf(play(half.chains, [both, arrival(first, place(now - 29 * minute), 'taken')]))
  expect(taken).not.toBe('')
  expect(await transferOf(half, again)).toMatchObject({ isTerminal: false })
})

describe('an end that the router alone tells', () => {
  const refusal = arrival(first, place(now + 6_000), 'refused')

  test('waits some seconds for the records, which contradict it', async () => {
    await using network = await openNetwork({ isStill: true })
    const [begun = ''] = hashesOf(play(network.chains, [departure(first, place(now - 10_000))]))
    network.chains.statuses.set(begun, oneHop(begun, null, 'SUCCESS'))
    await using opened = watch(network, begun, 'state')
    const { states } = opened
    await network.advance(5_000)
    expect(states.map(({ state }) => state)).toEqual(['PENDING'])
    play(network.chains, [refusal])
    await network.advance(8_000)
    expect(states.map(({ state }) => state)).toEqual(['PENDING', 'PENDING_ERROR'])
  })

  test('waits for an indexer that fails, and is contradicted by what it has', async () => {
    await using network = await openNetwork({ isStill: true })
    const [begun = ''] = hashesOf(play(network.chains, [departure(first, place(now - 10_000)), refusal]))
    network.chains.statuses.set(begun, oneHop(begun, null, 'SUCCESS'))
    network.chains.failing.add('hub-1')
    await using opened = watch(network, begun, 'state')
    const { states } = opened
    await network.advance(3_000)
    expect(states.map(({ state }) => state)).toEqual(['PENDING'])
    network.chains.failing.clear()
    await network.advance(2_000)
    expect(states.map(({ state }) => state)).toEqual(['PENDING', 'PENDING_ERROR'])
  })

  test('waits on for an indexer that is behind, also if it fails meanwhile', async () => {
    await using network = await openNetwork({ isStill: true })
    const [begun = ''] = hashesOf(play(network.chains, [departure(first, place(now - 10_000))]))
    network.chains.statuses.set(begun, oneHop(begun, null, 'SUCCESS'))
    await using opened = watch(network, begun, 'state')
    const { states } = opened
    await network.advance(4_000)
    network.chains.failing.add('hub-1')
    await network.advance(5_000)
    expect(states.map(({ state }) => state)).toEqual(['PENDING'])
    network.chains.failing.clear()
    play(network.chains, [refusal])
    await network.advance(3_000)
    expect(states.map(({ state }) => state)).toEqual(['PENDING', 'PENDING_ERROR'])
  })

  test('waits as long where its account has more than is read, for that can be behind too', async () => {
    await using network = await openNetwork({ isStill: true })
    const others = Array.from({ length: 300 }, (_, index) =>
      arrival({ ...first, sequence: 1_000 + index }, place(now - 9_000), 'taken'),
    )
    const [begun = ''] = hashesOf(play(network.chains, [departure(first, place(now - 10_000)), ...others]))
    network.chains.statuses.set(begun, oneHop(begun, null, 'SUCCESS'))
    await using opened = watch(network, begun, 'state')
    await network.advance(10_000)
    expect(opened.states.map(({ state }) => state)).toEqual(['PENDING'])
  })

  test('waits less for an indexer that fails than for one that is behind', async () => {
    await using network = await openNetwork({ isStill: true })
    const [begun = ''] = hashesOf(play(network.chains, [departure(first, place(now - 10_000))]))
    network.chains.statuses.set(begun, oneHop(begun, null, 'SUCCESS'))
    network.chains.failing.add('hub-1')
    const { states, ended } = watch(network, begun, 'state')
    await network.advance(10_000)
    await ended
    expect(states.map(({ state }) => state)).toEqual(['PENDING', 'COMPLETED_SUCCESS'])
  })

  test('counts when the records have not contradicted it, and is proven again', async () => {
    await using network = await openNetwork({ isStill: true })
    const [begun = ''] = hashesOf(play(network.chains, [departure(first, place(now - 10_000))]))
    network.chains.statuses.set(begun, oneHop(begun, null, 'SUCCESS'))
    const { states, ended } = watch(network, begun, 'state')
    await network.advance(60_000)
    await ended
    expect(states.map(({ state }) => state)).toEqual(['PENDING', 'COMPLETED_SUCCESS'])
    play(network.chains, [refusal])
    expect(await transferOf(network, begun)).toMatchObject({ state: 'PENDING_ERROR' })
    await using later = watch(network, begun, 'state')
    await network.advance(5_000)
    expect(later.states.at(-1)?.state).toBe('PENDING_ERROR')
  })
})

test('an arrival that its chain has taken back is none', async () => {
  await using network = await openNetwork()
  const [begun = '', arrived = ''] = hashesOf(
    play(network.chains, [departure(first, place(now - 120_000)), arrival(first, place(now - 60_000), 'taken')]),
  )
  network.chains.statuses.set(begun, oneHop(begun, null, 'PENDING'))
  expect(await transferOf(network, begun)).toMatchObject({ state: 'COMPLETED_SUCCESS' })
  network.chains.forget(arrived)
  expect(await transferOf(network, begun)).toMatchObject({
    ...{ state: 'PENDING', isTerminal: false, assetRelease: null },
    hops: [{ state: 'PENDING' }],
  })
})
