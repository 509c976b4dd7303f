import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sentAssetsIn } from '../../support/atOnce.ts'
import { addressOn, startFakeRouter, startRouterWorld } from '../../support/routerWorld.ts'
import { sentBy } from '../../support/sentBy.ts'
import { type Data, testOfPlainRecords } from '../../support/world.ts'

// What transfers carry, from the indexed transactions that sent it. `packet` is that of ICS-20.

const plainTest = testOfPlainRecords()

const attributes = (values: Record<string, string>) => Object.entries(values).map(([key, value]) => ({ key, value }))

const osmo = addressOn('osmosis-1')
const init = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'

const packet = (data: object, others: Record<string, string> = {}) => ({
  type: 'send_packet',
  attributes: attributes({
    packet_data: JSON.stringify({
      amount: '7',
      denom: 'uinit',
      sender: init,
      receiver: init,
      ...data,
    }),
    packet_src_port: 'transfer',
    packet_src_channel: 'channel-9',
    packet_dst_port: 'transfer',
    packet_dst_channel: 'channel-892',
    ...others,
  }),
})

const voucher = (path: string) => `ibc/${createHash('sha256').update(path).digest('hex').toUpperCase()}`

test('denomIn and denomOut of an ICS-20 packet are named as on their chains', () => {
  const ends = (denom: string) => {
    const [sentAsset] = sentAssetsIn([packet({ denom })])
    return [sentAsset?.denomIn, sentAsset?.denomOut]
  }
  expect(ends('uinit')).toEqual(['uinit', voucher('transfer/channel-892/uinit')])
  // A coin that returns loses the step it came by.
  expect(ends('transfer/channel-9/uosmo')).toEqual([voucher('transfer/channel-9/uosmo'), 'uosmo'])
  expect(ends('transfer/channel-9/transfer/channel-4/uatom')).toEqual([
    voucher('transfer/channel-9/transfer/channel-4/uatom'),
    voucher('transfer/channel-4/uatom'),
  ])
  // One that goes on gets another.
  expect(ends('transfer/channel-90/uosmo')).toEqual([
    voucher('transfer/channel-90/uosmo'),
    voucher('transfer/channel-892/transfer/channel-90/uosmo'),
  ])
  expect(ends('factory/init1abc/gold')[0]).toBe('factory/init1abc/gold')
})

test('packet_data and packet_data_hex are read, also several in one event', () => {
  const { type, attributes: own } = packet({ amount: '5' })
  const hex = own.map(({ key, value }) =>
    key === 'packet_data' ? { key: 'packet_data_hex', value: Buffer.from(value).toString('hex') } : { key, value },
  )
  expect(sentAssetsIn([{ type, attributes: hex }])).toEqual(sentAssetsIn([{ type, attributes: own }]))
  const amounts = sentAssetsIn([{ type, attributes: [...own, ...packet({}).attributes] }])
  expect(amounts.map(({ amount }) => amount)).toEqual([5n, 7n])
})

test.each([
  ['a port of a contract', packet({}, { packet_dst_port: 'wasm.osmo1abc' })],
  ['an NFT', packet({}, { packet_src_port: 'nft-transfer' })],
  ['a malformed amount', packet({ amount: '1e9' })],
  ['no denom', packet({ denom: '' })],
  ['malformed JSON', packet({}, { packet_data: '{' })],
  ['a recv_packet event', { ...packet({}), type: 'recv_packet' }],
  ['an event named constructor', { type: 'constructor', attributes: [] }],
])('no amounts are read from %s', (_what, event) => {
  expect(sentAssetsIn([event])).toEqual([])
})

test('an invalid recipient is null, and a forward memo is a next hop', () => {
  const read = (data: object) => sentAssetsIn([packet(data)])[0]
  expect(read({ receiver: osmo })).toMatchObject({ recipient: osmo, hasNextHop: false })
  expect(read({ receiver: '<b>pfm</b>', memo: 'gm' })).toMatchObject({
    ...{ recipient: null, hasNextHop: false },
  })
  const memo = JSON.stringify({
    forward: { receiver: osmo, port: 'transfer', channel: 'channel-1' },
  })
  expect(read({ memo })).toMatchObject({ hasNextHop: true })
})

const track = `mutation ($chainId: ChainId!, $hash: String!) {
  trackTransfer(input: { chainId: $chainId, hash: $hash }) { transfer { state } } }`
const sides = `sender recipient amountIn denomIn assetIn { symbol }`
const transfer = `query ($chainId: ChainId!, $hash: String!) { transfer(chainId: $chainId, hash: $hash) {
  state ${sides} hops { bridge state ${sides} amountOut denomOut assetOut { chainId symbol } } } }`

plainTest('an IBC hop has the amounts of its packet if the router reports none', async () => {
  await using world = await startRouterWorld()
  const sent = await sentBy(world, 'MsgTransfer', 1)
  const { sender, receiver, token } = sent.messages[0].body
  const variables = { chainId: 'harbor-1', hash: sent.hash }
  await world.data(track, variables)
  const common = {
    ...{ sender, amountIn: token.amount, denomIn: 'uinit', assetIn: { symbol: 'INIT' } },
    recipient: receiver,
  }
  // The router has seen no hop yet.
  expect((await world.data(transfer, variables)).transfer).toEqual({
    ...common,
    state: 'SUBMITTED',
    hops: [],
  })
  await world.clock.advance(3_000)
  const denomOut = voucher('transfer/channel-892/uinit')
  const assetOut = { chainId: 'osmosis-1', symbol: 'INIT' }
  const pending = (await world.data(transfer, variables)).transfer
  expect(pending.hops).toEqual([{ ...common, bridge: 'IBC', state: 'PENDING', amountOut: null, denomOut, assetOut }])
  await world.clock.advance(30_000)
  expect((await world.data(transfer, variables)).transfer).toEqual({
    ...common,
    state: 'COMPLETED_SUCCESS',
    hops: [
      {
        ...common,
        bridge: 'IBC',
        state: 'COMPLETED',
        amountOut: token.amount,
        denomOut,
        assetOut,
      },
    ],
  })
})

plainTest('a deposit to a rollup has the denom on the rollup', async () => {
  await using world = await startRouterWorld()
  const sent = await sentBy(world, 'MsgInitiateTokenDeposit', 1)
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
  const { hash } = await sentBy(world, 'MsgTransfer', 1)
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
      'query ($chainId: ChainId!, $hash: String!) { transfer(chainId: $chainId, hash: $hash) { state hops { state transactions { hash } } } }',
    ),
  ).toEqual([])
  expect(await sentFor(transfer)).toEqual([`harbor-1 GET /indexer/tx/v1/txs/${hash}`])
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
  const sent = await sentBy(world, 'MsgTransfer', 1)
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
  const sent = await sentBy(world, 'MsgTransfer', 1)
  place.tx_hash = sent.hash
  world.sandbox.faults.set('harbor-1', `/indexer/tx/v1/txs/${sent.hash}`, {
    kind: 'change',
    change: ({ tx }: Data) => ({
      tx: { ...tx, events: [...tx.events, ...Array(others).fill(packet({}))] },
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
