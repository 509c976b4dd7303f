import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startTestGateway } from '../../../src/testing.ts'
import {
  askerOf,
  contract,
  escrow,
  first,
  minute,
  type Network,
  now,
  openNetwork,
  place,
  play,
  relayer,
  second,
  story,
  storyOf,
  user,
  userOnOsmosis,
  victim,
} from '../../support/storyNetwork.ts'
import { addressOf, written } from '../../support/writtenChains.ts'
import { arrival, arrivedDenom, departure, sendEvents, type WrittenPacket } from '../../support/writtenMovements.ts'

// What became of one movement is told by its state, a sentence, guidance and balance changes. They never disagree, whatever
// happened and from whichever transaction one looks.

const ofTransfer = `bridge sequence sourceChannel state summary guidance { code funds sentence nextStep }
  departure { chainId address denom amount hash } arrival { chainId address denom hash } refund { hash denom }
  onward { state guidance { funds } } durationSeconds timeoutAt`

async function transfersOf({ ask }: Network, { chainId }: { chainId: string }, hash: string) {
  const { chain } = await ask(
    `{ chain(chainId: "${chainId}") { transaction(hash: "${hash}") { ... on Transaction {
      bridgeTransfers { ${ofTransfer} } balanceChanges { account { address } denom amount } actions { kind summary } } } } }`,
  )
  return chain.transaction
}

async function listOf({ ask }: Network, account: string) {
  const { account: found } = await ask(
    `{ account(address: "${account}") { bridgeTransfers(first: 50) { nodes { ${ofTransfer} } } } }`,
  )
  return found.bridgeTransfers.nodes
}

/** What each state allows the rest to say. */
const allowed: Readonly<
  Record<string, { readonly funds: readonly string[]; readonly summary: RegExp; readonly sentence: RegExp }>
> = {
  ARRIVED: { funds: ['DELIVERED'], summary: /; arrived/, sentence: /^(Arrived|Claimed) on/ },
  REFUSED: {
    funds: ['RETURNING', 'CLAIMABLE'],
    summary: /; refused, and not back yet$/,
    sentence: /did not take|could not credit/,
  },
  REFUNDED: { funds: ['RETURNED', 'RETURNING'], summary: /; refused and returned$/, sentence: /^Not delivered/ },
  TIMED_OUT: { funds: ['RETURNED', 'RETURNING'], summary: /; timed out and returned$/, sentence: /^Not delivered/ },
  PASSED_ON: {
    funds: ['DELIVERED', 'MOVING', 'UNKNOWN', 'RETURNING', 'RETURNED'],
    summary: /; passed on/,
    sentence: /passed it on/,
  },
  SENT_AGAIN: {
    funds: ['DELIVERED', 'MOVING', 'UNKNOWN', 'RETURNING', 'RETURNED'],
    summary: /sent again$/,
    sentence: /sent it again/,
  },
  ON_THE_WAY: { funds: ['MOVING', 'RETURNING'], summary: /; on its way$/, sentence: /./ },
  UNKNOWN: {
    funds: ['UNKNOWN', 'CLAIMABLE'],
    summary: /nothing shows yet|no claim of it was found/,
    sentence: /No record|time limit|was asked to pass it on|[Cc]laim/,
  },
}

function expectOneStory(found: Awaited<ReturnType<typeof listOf>>[number]) {
  const { state, summary, guidance, onward } = found
  const { funds, summary: words, sentence } = allowed[state] ?? { funds: [], summary: /^$/, sentence: /^$/ }
  expect(funds, JSON.stringify(found)).toContain(guidance.funds)
  expect(summary).toMatch(words)
  expect(guidance.sentence).toMatch(sentence)
  // Only what has gone on can be said to have arrived elsewhere.
  if (state !== 'ARRIVED' && !onward) expect(guidance.sentence).not.toMatch(/^Arrived/)
  if (onward && /^(PASSED_ON|SENT_AGAIN)$/.test(state)) expect(guidance.funds).toBe(onward.guidance.funds)
}

test('state, summary, guidance and balance changes of one movement never disagree, from any of its transactions', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ isForwarded, end, isTold, isRetried, unindexed }) => {
      const indexed = ['roll-1', 'hub-1', 'osmosis-1'].filter((id) => !unindexed.includes(id))
      await using network = await openNetwork({ indexed })
      const played = play(network.chains, storyOf(isForwarded, end, isTold, isRetried))
      const states = new Map<string, Set<string>>()
      for (const transaction of played.filter(({ chainId }) => indexed.includes(chainId))) {
        const { bridgeTransfers, balanceChanges } = await transfersOf(network, transaction, transaction.hash)
        expect(bridgeTransfers.length).toBeGreaterThan(0)
        for (const each of bridgeTransfers) {
          expectOneStory(each)
          const key = `${each.sourceChannel}/${each.sequence}`
          states.set(key, (states.get(key) ?? new Set()).add(each.state))
          const gains = (address: string, denom: string) =>
            balanceChanges.some(
              (change: { account: { address: string } | null; denom: string; amount: string }) =>
                change.account?.address === address && change.denom === denom && BigInt(change.amount) > 0n,
            )
          // A transaction that is an end of a movement gives its account the coin that the end has.
          if (each.state === 'ARRIVED' && each.arrival.hash === transaction.hash) {
            expect(gains(each.arrival.address, each.arrival.denom), JSON.stringify({ each, balanceChanges })).toBe(true)
          }
          if (each.refund?.hash === transaction.hash) {
            expect(['REFUNDED', 'TIMED_OUT']).toContain(each.state)
            expect(gains(each.departure.address, each.refund.denom)).toBe(true)
          }
        }
      }
      for (const each of await listOf(network, user)) {
        expectOneStory(each)
        const key = `${each.sourceChannel}/${each.sequence}`
        states.set(key, (states.get(key) ?? new Set()).add(each.state))
      }
      for (const [key, found] of states) expect([key, ...found]).toHaveLength(2)
    }),
    { numRuns: 40 },
  )
})

describe('a packet that was passed on', () => {
  test('and was delivered and acknowledged to the first chain has not arrived on the chain between', async () => {
    await using network = await openNetwork({ indexed: ['roll-1', 'hub-1'] })
    const [begun] = play(network.chains, storyOf(true, 'taken', true, false))
    if (!begun) throw new Error('nothing was played')
    const [found] = (await transfersOf(network, begun, begun.hash)).bridgeTransfers
    expect(found).toMatchObject({
      state: 'PASSED_ON',
      summary: expect.stringMatching(/^Sent .* from Roll to Hub; passed on to osmosis-1 over channel-9; arrived$/),
      guidance: { code: 'DELIVERED', funds: 'DELIVERED', sentence: 'Hub has passed it on. Arrived on osmosis-1.' },
      arrival: { chainId: 'hub-1', address: null },
      onward: { state: 'ARRIVED' },
    })
  })
  test('and is still open says so, and does not say that it may not have been delivered to the chain between', async () => {
    await using network = await openNetwork({ indexed: ['roll-1', 'hub-1'] })
    const [begun] = play(network.chains, storyOf(true, 'open', false, false))
    const [found] = (await transfersOf(network, begun ?? { chainId: '' }, begun?.hash ?? '')).bridgeTransfers
    expect(found.guidance.sentence).toMatch(/^Hub has passed it on\. /)
    expect(found.guidance.sentence).not.toContain('to Hub')
  })
  test('and was taken by a chain without an indexer is not said to have arrived there', async () => {
    await using network = await openNetwork({ indexed: ['roll-1'] })
    const [begun] = play(network.chains, storyOf(true, 'taken', true, false))
    const [found] = (await transfersOf(network, begun ?? { chainId: '' }, begun?.hash ?? '')).bridgeTransfers
    expect(found).toMatchObject({ state: 'UNKNOWN', guidance: { funds: 'UNKNOWN' } })
    expect(found.guidance.sentence).toContain('was asked to pass it on')
  })
})

test('a packet that timed out and was sent again is not back', async () => {
  await using network = await openNetwork()
  const [begun] = play(network.chains, storyOf(false, 'late', true, true))
  const [found] = (await transfersOf(network, begun ?? { chainId: '' }, begun?.hash ?? '')).bridgeTransfers
  expect(found).toMatchObject({ state: 'SENT_AGAIN', refund: null, onward: { state: 'UNKNOWN' } })
  expect(found.guidance.sentence).toMatch(/^Not received on Hub in time\. Roll has sent it again\. /)
})

test('a time limit that has passed is said, with its time', async () => {
  await using network = await openNetwork({ indexed: ['roll-1'] })
  const late = { ...first, timeout: now - 3 * 60 * minute }
  const [hash = ''] = network.chains.add(departure(late, place(now - 4 * 60 * minute)))
  const [found] = (await transfersOf(network, { chainId: 'roll-1' }, hash)).bridgeTransfers
  expect(found.guidance).toMatchObject({
    code: 'UNKNOWN',
    sentence:
      'Its time limit passed on 2026-10-01 09:00 UTC. Unless it arrived on hub-1 before that, it can only come back to Roll, and a relayer has to report that there.',
  })
})

describe('records that do not fit in time', () => {
  test('an arrival long before the departure is of an earlier chain with the same numbers', async () => {
    await using network = await openNetwork()
    network.chains.add(arrival(first, place(now - 30 * 24 * 60 * minute), 'taken'))
    const [hash = ''] = network.chains.add(departure(first, place(now - minute)))
    const [found] = (await transfersOf(network, { chainId: 'roll-1' }, hash)).bridgeTransfers
    expect(found).toMatchObject({ state: 'UNKNOWN', durationSeconds: null, arrival: { hash: null } })
  })
  test('an arrival after the time limit is of another packet', async () => {
    await using network = await openNetwork()
    const limited = { ...first, timeout: now - 60 * minute }
    const [hash = ''] = network.chains.add(departure(limited, place(now - 70 * minute)))
    network.chains.add(arrival({ ...limited, timeout: now + minute }, place(now - minute), 'taken'))
    const [found] = (await transfersOf(network, { chainId: 'roll-1' }, hash)).bridgeTransfers
    expect(found.arrival.hash).toBeNull()
  })
})

describe('a packet that a contract writes', () => {
  const forged: WrittenPacket = {
    ...{ from: 'other-1', to: 'hub-1', source: 'channel-77', destination: 'channel-88', sequence: 1 },
    ...{
      sender: 'evil1contract',
      receiver: victim,
      amount: 1_000_000_000_000n,
      path: `wasm.${contract}/channel-77/uinit`,
    },
    ...{ sourcePort: `wasm.evil`, destinationPort: `wasm.${contract}` },
  }
  test('is in no list, and neither its transaction nor its action says that coins came', async () => {
    await using network = await openNetwork()
    const [delivered] = arrival(forged, place(now - minute), 'taken').events
    const own = delivered?.filter(({ type }) => !/coin|fungible/.test(type)) ?? []
    const [hash = ''] = network.chains.add({
      ...arrival(forged, place(now - minute), 'taken'),
      events: [[...own, written('wasm', { _contract_address: contract, to: victim })]],
    })
    const found = await transfersOf(network, { chainId: 'hub-1' }, hash)
    expect(found.bridgeTransfers).toEqual([])
    expect(found.actions).toEqual([{ kind: 'IBC_RELAY', summary: 'Relayed 1 packet over IBC' }])
    expect(await listOf(network, victim)).toEqual([])
  })
  test('is not of the account that it names as its sender', async () => {
    await using network = await openNetwork()
    const spoofed = { ...forged, from: 'hub-1', to: 'other-1', sender: victim, sourcePort: `wasm.${contract}` }
    network.chains.add({
      ...{ chainId: 'hub-1', at: now - minute },
      messages: [
        { '@type': '/cosmwasm.wasm.v1.MsgExecuteContract', sender: addressOf(9), contract, msg: {}, funds: [] },
      ],
      events: [sendEvents(spoofed, { escrow }).filter(({ type }) => type === 'send_packet')],
    })
    expect(await listOf(network, victim)).toEqual([])
  })
})

test('an arrival from a chain that nobody reads is not in the list of the sender that it names', async () => {
  await using network = await openNetwork({ indexed: ['hub-1'] })
  const spoofed = { ...first, from: 'other-1', source: 'channel-4', destination: 'channel-44', sender: victim }
  network.chains.add(arrival(spoofed, place(now - minute), 'taken'))
  expect(await listOf(network, victim)).toEqual([])
  expect(await listOf(network, user)).toHaveLength(1)
})

test('who calls a contract that sends coins to another chain has that in the list, once', async () => {
  await using network = await openNetwork()
  const swapped = { ...second, sender: contract, receiver: userOnOsmosis }
  network.chains.add({
    ...{ chainId: 'hub-1', at: now - 2 * minute },
    messages: [
      {
        '@type': '/cosmwasm.wasm.v1.MsgExecuteContract',
        sender: user,
        module_address: contract,
        module_name: 'swap',
        function_name: 'swap',
      },
    ],
    events: [sendEvents(swapped, { escrow })],
  })
  network.chains.add(arrival(swapped, place(now - minute), 'taken'))
  const elsewhere = { ...swapped, sequence: 31, receiver: addressOf(8, 'osmo') }
  network.chains.add({
    ...{ chainId: 'hub-1', at: now - minute },
    messages: [
      {
        '@type': '/cosmwasm.wasm.v1.MsgExecuteContract',
        sender: user,
        module_address: contract,
        module_name: 'swap',
        function_name: 'swap',
      },
    ],
    events: [sendEvents(elsewhere, { escrow })],
  })
  const found = await listOf(network, user)
  expect(found.map(({ sequence }: { sequence: number }) => sequence).toSorted()).toEqual([30, 31])
  // A relayer calls nothing.
  expect(await listOf(network, relayer)).toEqual([])
})

test('the stories of the sandbox are each told once, in the list and from both ends', async () => {
  await using gateway = await startTestGateway({ date: now })
  const ask = askerOf(gateway.url)
  const since = new Date(now - 45 * minute).toISOString()
  const { account } = await ask(
    `{ account(address: "${gateway.sandbox.traveller}") { bridgeTransfers(first: 50, filter: { since: "${since}" }) {
      nodes { ${ofTransfer} } } } }`,
  )
  const { nodes } = account.bridgeTransfers
  expect(new Set(nodes.map(({ state }: { state: string }) => state)).size).toBeGreaterThan(4)
  const compared = new Set<string>()
  for (const each of nodes) {
    expectOneStory(each)
    for (const { chainId, hash } of [each.departure, each.arrival]) {
      if (hash === null || !gateway.sandbox.indexers.some((indexer) => indexer.chainId === chainId)) continue
      const { chain } = await ask(
        `{ chain(chainId: "${chainId}") { transaction(hash: "${hash}") { ... on Transaction { bridgeTransfers { ${ofTransfer} } } } } }`,
      )
      expect(chain.transaction.bridgeTransfers).toContainEqual(each)
      if (hash !== each.departure.hash || chain.transaction.bridgeTransfers.length > 1) continue
      // The router's transfer has the same sender and coin, over each bridge.
      const { transfer } = await ask(
        `{ transfer(chainId: "${chainId}", hash: "${hash}") { sender amountIn denomIn sent { denom amount } } }`,
      )
      const { address, denom, amount } = each.departure
      expect(transfer).toEqual({ sender: address, amountIn: amount, denomIn: denom, sent: { denom, amount } })
      compared.add(each.bridge)
    }
  }
  expect([...compared].toSorted()).toEqual(['EUREKA', 'IBC', 'OPINIT'])
})

describe('a deposit that a rollup refused', () => {
  const deposit = { sender: user, recipient: user, denom: 'l2/aa', base_denom: 'uinit', amount: '5', l1_sequence: '4' }
  const message = { '@type': '/opinit.ophost.v1.MsgInitiateTokenDeposit', sender: user, bridge_id: '3', to: user }
  async function play() {
    const network = await openNetwork({ opInit: true })
    const begun = {
      bridge_id: '3',
      l1_sequence: '4',
      from: user,
      to: user,
      l1_denom: 'uinit',
      l2_denom: 'l2/aa',
      amount: '5',
    }
    const [sent = '', received = ''] = network.chains.add(
      {
        chainId: 'hub-1',
        at: now - 2 * minute,
        messages: [message],
        events: [[written('initiate_token_deposit', begun)]],
      },
      {
        ...{ chainId: 'roll-1', at: now - minute },
        messages: [{ '@type': '/opinit.opchild.v1.MsgFinalizeTokenDeposit', sender: relayer, from: user, to: user }],
        events: [[written('finalize_token_deposit', { ...deposit, success: 'false', reason: 'deposit failed; no' })]],
      },
    )
    network.chains.statuses.set(sent, {
      state: 'STATE_COMPLETED_SUCCESS',
      transfers: [
        {
          state: 'STATE_COMPLETED_SUCCESS',
          transfer_sequence: [
            {
              op_init_transfer: {
                ...{ from_chain_id: 'hub-1', to_chain_id: 'roll-1', state: 'OPINIT_TRANSFER_RECEIVED' },
                txs: {
                  send_tx: { chain_id: 'hub-1', tx_hash: sent },
                  receive_tx: { chain_id: 'roll-1', tx_hash: received },
                },
              },
            },
          ],
          transfer_asset_release: { chain_id: 'roll-1', denom: 'l2/aa', amount: '5', released: true },
        },
      ],
    })
    return { network, sent }
  }
  test('has arrived in no words, whatever the router says', async () => {
    const { network, sent } = await play()
    await using _ = network
    const { transfer } = await network.ask(
      `{ transfer(chainId: "hub-1", hash: "${sent}") { guidance { code funds sentence }
        hops { bridgeTransfer { state guidance { sentence } } } } }`,
    )
    expect(transfer.guidance).toMatchObject({ code: 'CLAIMABLE', funds: 'CLAIMABLE' })
    expect(transfer.guidance.sentence).toContain('Roll could not credit the recipient')
    expect(transfer.hops[0].bridgeTransfer).toMatchObject({
      state: 'REFUSED',
      guidance: { sentence: transfer.guidance.sentence },
    })
  })
})

describe('where the router says that the funds are', () => {
  const release = { chain_id: 'hub-1', denom: 'uinit', amount: '5', released: true }
  const hop = { from_chain_id: 'hub-1', to_chain_id: 'roll-1', state: 'TRANSFER_SUCCESS', packet_txs: {} }
  test.each([
    ['without hops', [], 'The funds are on Hub: 5 base units of uinit.', 'DELIVERED'],
    [
      'on another chain than the last',
      [{ ibc_transfer: hop }],
      'The funds are on Hub: 5 base units of uinit. They did not go on to the last chain.',
      'RELEASED',
    ],
    [
      'on the last chain',
      [{ ibc_transfer: { ...hop, from_chain_id: 'roll-1', to_chain_id: 'hub-1' } }],
      'Arrived on Hub: 5 base units of uinit.',
      'DELIVERED',
    ],
  ])('is what guidance says: %s', async (_, transfer_sequence, sentence, funds) => {
    await using network = await openNetwork()
    const hash = 'AB'.repeat(32)
    const leg = { state: 'STATE_COMPLETED_SUCCESS', transfer_sequence, transfer_asset_release: release }
    network.chains.statuses.set(hash, { state: 'STATE_COMPLETED_SUCCESS', transfers: [leg] })
    const { transfer } = await network.ask(
      `{ transfer(chainId: "hub-1", hash: "${hash}") { guidance { sentence funds } } }`,
    )
    expect(transfer.guidance).toEqual({ sentence, funds })
  })
})

test('a coin that a rollup has moved to IBC arrives, and leaves, as the coin of the account', async () => {
  await using network = await openNetwork()
  const down: WrittenPacket = {
    ...{ from: 'hub-1', to: 'roll-1', source: 'channel-5', destination: 'channel-0', sequence: 8 },
    ...{ sender: user, receiver: user, amount: 5n, path: 'uinit' },
  }
  const [sent = ''] = network.chains.add(departure(down, place(now - 2 * minute)))
  const taken = arrival(down, place(now - minute), 'taken')
  const exchanged = written('handle_migrated_token_deposit', {
    ...{ receiver: user, ibc_denom: arrivedDenom(down), amount: '5l2/abab' },
  })
  network.chains.add({ ...taken, events: [[...(taken.events[0] ?? []), exchanged]] })
  const [found] = (await transfersOf(network, { chainId: 'hub-1' }, sent)).bridgeTransfers
  expect(found).toMatchObject({ state: 'ARRIVED', departure: { denom: 'uinit' }, arrival: { denom: 'l2/abab' } })
})
