import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'
import { busyChains, nextSentBy, sentBy } from '../../../support/sentBy.ts'
import { type Data, testOfPlainRecords } from '../../../support/world.ts'

// What transfers carry, from the indexed transactions that sent it. `packet` is that of ICS-20.

const plainTest = testOfPlainRecords()

const voucher = (path: string) => `ibc/${createHash('sha256').update(path).digest('hex').toUpperCase()}`

/** A packet that a transaction sends besides its own. */
const otherPacket = {
  type: 'send_packet',
  attributes: Object.entries({
    packet_data: JSON.stringify({ amount: '7', denom: 'uinit', sender: 'init1a', receiver: 'init1b' }),
    ...{ packet_src_port: 'transfer', packet_src_channel: 'channel-9', packet_sequence: '1' },
    ...{ packet_dst_port: 'transfer', packet_dst_channel: 'channel-892' },
  }).map(([key, value]) => ({ key, value })),
}

const track = `mutation ($chainId: ChainId!, $hash: String!) {
  trackTransfer(input: { chainId: $chainId, hash: $hash }) { transfer { state } } }`
const sides = `sender recipient amountIn denomIn assetIn { symbol }`
const transfer = `query ($chainId: ChainId!, $hash: String!) { transfer(chainId: $chainId, hash: $hash) {
  state ${sides} hops { bridge state ${sides} amountOut denomOut assetOut { chainId symbol } } } }`

plainTest('an IBC hop has the amounts of its packet if the router reports none', async () => {
  await using world = await startRouterWorld({ chains: busyChains })
  const sent = await nextSentBy(world, 'MsgTransfer', 'lantern-1')
  const { sender, receiver, token } = sent.messages[0].body
  const variables = { chainId: 'lantern-1', hash: sent.hash }
  await world.data(track, variables)
  const common = {
    ...{ sender, amountIn: token.amount, denomIn: 'ulant', assetIn: { symbol: 'LANT' } },
    recipient: receiver,
  }
  const denomOut = voucher('transfer/channel-21/ulant')
  const assetOut = { chainId: 'harbor-1', symbol: 'LANT' }
  const hop = { ...common, bridge: 'IBC', denomOut, assetOut }
  expect((await world.data(transfer, variables)).transfer).toEqual({
    ...common,
    state: 'PENDING',
    hops: [{ ...hop, state: 'PENDING', amountOut: null }],
  })
  await world.clock.advance(40_000)
  expect((await world.data(transfer, variables)).transfer).toEqual({
    ...common,
    state: 'COMPLETED_SUCCESS',
    hops: [{ ...hop, state: 'COMPLETED', amountOut: token.amount }],
  })
})

plainTest('a deposit to a rollup has the denom on the rollup', async () => {
  await using world = await startRouterWorld({ chains: busyChains })
  const sent = await sentBy(world, 'MsgInitiateTokenDeposit')
  const { sender, to, amount } = sent.messages[0].body
  const variables = { chainId: 'harbor-1', hash: sent.hash }
  await world.data(track, variables)
  await world.clock.advance(30_000)
  const { hops, ...own } = (await world.data(transfer, variables)).transfer
  const common = {
    ...{ sender, recipient: to, amountIn: amount.amount },
    ...{ denomIn: 'uinit', assetIn: { symbol: 'INIT' } },
  }
  expect(own).toEqual({ ...common, state: 'COMPLETED_SUCCESS' })
  expect(hops).toEqual([
    {
      ...{ ...common, bridge: 'OPINIT', state: 'COMPLETED', amountOut: amount.amount },
      denomOut: expect.stringMatching(/^l2\//),
      assetOut: { chainId: expect.any(String), symbol: 'INIT' },
    },
  ])
})

plainTest('the transaction is requested once, and only if its fields are selected', async () => {
  await using world = await startRouterWorld()
  const { hash } = await sentBy(world, 'MsgTransfer')
  const variables = { chainId: 'harbor-1', hash }
  await world.data(track, variables)
  await world.clock.advance(30_000)
  const sentFor = async (query: string) => {
    world.sandbox.requests.length = 0
    await world.data(query, variables)
    return world.sandbox.requests.filter((line) => line.includes('/indexer/'))
  }
  expect(
    await sentFor(
      'query ($chainId: ChainId!, $hash: String!) { transfer(chainId: $chainId, hash: $hash) { rawState reportedState } }',
    ),
  ).toEqual([])
  const lines = await sentFor(transfer)
  expect(lines.length).toBeGreaterThan(0)
  expect(new Set(lines).size).toBe(lines.length)
})

plainTest('amounts of the router have priority, and missing transactions give null', async () => {
  const hop = (fields: object, send_tx: object) => ({
    ibc_transfer: {
      from_chain_id: 'harbor-1',
      to_chain_id: 'osmosis-1',
      state: 'TRANSFER_PENDING',
      ...fields,
      packet_txs: { send_tx },
    },
  })
  let sequence: object[] = []
  await using router = await startFakeRouter(() => ({
    body: JSON.stringify({ state: 'STATE_PENDING', transfer_sequence: sequence }),
  }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const sent = await sentBy(world, 'MsgTransfer')
  const query = `{ transfer(chainId: "harbor-1", hash: "${sent.hash}") { hops { amountIn denomIn amountOut sender } } }`
  const place = { chain_id: 'harbor-1', tx_hash: sent.hash }
  sequence = [hop({ amount_in: '3', denom_in: 'uother', amount_out: '2' }, place)]
  expect((await world.data(query)).transfer.hops).toEqual([
    {
      ...{ amountIn: '3', denomIn: 'uother', amountOut: '2' },
      sender: sent.messages[0].body.sender,
    },
  ])
  const nothing = { amountIn: null, denomIn: null, amountOut: null, sender: null }
  // Not indexed, of a chain without an indexer, and not sent yet.
  sequence = [
    hop({}, { ...place, tx_hash: 'AB'.repeat(32) }),
    hop({}, { chain_id: 'osmosis-1', tx_hash: sent.hash }),
    hop({}, {}),
  ]
  expect((await world.data(query)).transfer.hops).toEqual([nothing, nothing, nothing])
})

plainTest.each([
  ['one packet has its amounts', 0],
  ['several packets has no amounts', 1],
])('an IBC hop of a transaction with %s', async (_claim, others) => {
  const place = { chain_id: 'harbor-1', tx_hash: '' }
  await using router = await startFakeRouter(() => ({
    body: JSON.stringify({
      state: 'STATE_PENDING',
      transfer_sequence: [{ ibc_transfer: { packet_txs: { send_tx: place } } }],
    }),
  }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const sent = await sentBy(world, 'MsgTransfer')
  place.tx_hash = sent.hash
  world.sandbox.faults.set('harbor-1', `/indexer/tx/v1/txs/${sent.hash}`, {
    kind: 'change',
    change: ({ tx }: Data) => ({
      tx: { ...tx, events: [...tx.events, ...Array(others).fill(otherPacket)] },
    }),
  })
  const { data } = await world.ask(
    `{ transfer(chainId: "harbor-1", hash: "${sent.hash}") { amountIn hops { amountIn denomIn sender } } }`,
  )
  const { sender, token } = sent.messages[0].body
  expect(data.transfer).toEqual(
    others === 0
      ? { amountIn: token.amount, hops: [{ amountIn: token.amount, denomIn: 'uinit', sender }] }
      : { amountIn: null, hops: [{ amountIn: null, denomIn: null, sender: null }] },
  )
})
