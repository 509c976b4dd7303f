import { expect, test } from 'vitest'
import { startSandbox } from '../../../../packages/sandbox/src/sandbox.ts'
import { denom } from '../../../../packages/sandbox/test/support/sandboxRouter.ts'
import { createGateway } from '../../../../src/gateway.ts'
import { post } from '../../../support/http.ts'
import { addressOn, type RouterWorld, startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'
import { type Data, now, youngChains } from '../../../support/world.ts'

const routeQuery = `query ($input: RouteInput!) {
  route(input: $input) { routeToken requiresOpHook requiredAddresses { chainId } operations { index } }
}`

const messages = `query ($input: TransferMessagesInput!) {
  transferMessages(input: $input) {
    minAmountOut
    fees { kind amount }
    warning { kind }
    transactions {
      __typename chainId chain { chainId kind } signer operationIndices
      ... on CosmosTransactionRequest { path messages { typeUrl body raw } }
      ... on EvmTransactionRequest { to value data approvals { tokenContract spender amount } }
      ... on SvmTransactionRequest { transaction }
      ... on UnknownTransactionRequest { body }
    }
  }
}`

const hook = `query ($input: OpHookInput!) {
  opHook(input: $input) { chainId chain { chainId } messages { typeUrl body raw } }
}`

type Ends = readonly [readonly [string, string], readonly [string, string]]

const hub = ['harbor-1', 'uinit'] as const
const deposit: Ends = [hub, ['galley-1', denom('galley-1', 'INIT', 'l2/')]]
const hooked: Ends = [hub, ['galley-1', denom('galley-1', 'INIT', 'evm/')]]
const fromEthereum: Ends = [
  ['1', denom('1', 'USDC')],
  ['noble-1', 'uusdc'],
]

async function routeOf(world: RouterWorld, [from, to]: Ends, amountIn = '5000000'): Promise<Data> {
  const input = {
    source: { chainId: from[0], denom: from[1] },
    destination: { chainId: to[0], denom: to[1] },
    amountIn,
  }
  return (await world.data(routeQuery, { input })).route
}

const addressesOf = (route: Data): string[] => route.requiredAddresses.map(({ chainId }: Data) => addressOn(chainId))

test('a route becomes transactions with decoded messages', async () => {
  await using world = await startRouterWorld()
  const route = await routeOf(world, deposit)
  const input = { routeToken: route.routeToken, addresses: addressesOf(route) }
  const { transferMessages: result } = await world.data(messages, { input })
  expect(result).toMatchObject({
    minAmountOut: '4950000',
    transactions: [
      {
        __typename: 'CosmosTransactionRequest',
        chainId: 'harbor-1',
        chain: { chainId: 'harbor-1', kind: 'COSMOS' },
        signer: addressOn('harbor-1'),
        operationIndices: [0],
      },
    ],
  })
  const [message] = result.transactions[0].messages
  expect(message.typeUrl).toMatch(/^\/[a-z.0-9]+\.Msg\w+$/i)
  expect(message.body).toEqual(JSON.parse(message.raw))
})

test('EVM call data starts with 0x, and approvals are included', async () => {
  await using world = await startRouterWorld()
  const route = await routeOf(world, fromEthereum, '250000000')
  const input = { routeToken: route.routeToken, addresses: addressesOf(route) }
  const { transferMessages: result } = await world.data(messages, { input })
  expect(result.transactions[0]).toMatchObject({
    __typename: 'EvmTransactionRequest',
    chainId: '1',
    chain: { chainId: '1', kind: 'EVM' },
    to: expect.stringMatching(/^0x[0-9a-f]{40}$/i),
    value: expect.stringMatching(/^\d+$/),
    data: expect.stringMatching(/^0x([0-9a-f]{2})+$/),
    approvals: [{ amount: '250000000' }],
  })
})

test('a route that requires an op hook is refused without the signed hook', async () => {
  await using world = await startRouterWorld()
  const route = await routeOf(world, hooked)
  const ends = { sourceAddress: addressOn('harbor-1'), destinationAddress: addressOn('galley-1') }
  const { opHook } = await world.data(hook, { input: { routeToken: route.routeToken, ...ends } })
  expect(opHook).toMatchObject({
    chainId: 'galley-1',
    chain: { chainId: 'galley-1' },
    messages: [{ typeUrl: '/minievm.evm.v1.MsgCall', body: { sender: ends.destinationAddress } }],
  })
  world.requests()
  const unsigned = { routeToken: route.routeToken, addresses: addressesOf(route) }
  expect(await world.fault(messages, { input: unsigned })).toEqual(['BAD_USER_INPUT'])
  expect(world.requests()).toEqual([])
  const signedOpHook = { signer: ends.destinationAddress, hook: 'AAEC' }
  const { transferMessages } = await world.data(messages, { input: { ...unsigned, signedOpHook } })
  expect(transferMessages.transactions).toHaveLength(1)
})

test('an op hook for a route that needs none is refused', async () => {
  await using world = await startRouterWorld()
  const route = await routeOf(world, deposit)
  const input = {
    routeToken: route.routeToken,
    sourceAddress: addressOn('harbor-1'),
    destinationAddress: addressOn('galley-1'),
  }
  expect(await world.fault(hook, { input })).toEqual(['UPSTREAM_REJECTED'])
  expect(await world.fault(hook, { input: { ...input, routeToken: 'x' } })).toEqual(['BAD_USER_INPUT'])
  expect(await world.fault(hook, { input: { ...input, destinationAddress: 'init1x' } })).toEqual(['BAD_USER_INPUT'])
})

test('invalid input is refused without a request to the router', async () => {
  await using world = await startRouterWorld()
  const { routeToken, ...restOfRoute } = await routeOf(world, fromEthereum, '250000000')
  const hubRoute = await routeOf(world, deposit)
  const addresses = addressesOf(restOfRoute)
  const [ethereum = '', noble = ''] = addresses
  const hubAddress = addressOn('harbor-1')
  world.requests()
  const bad = [
    { routeToken: 'x', addresses },
    { routeToken: '', addresses },
    { routeToken, addresses: [] },
    { routeToken, addresses: [ethereum] },
    { routeToken, addresses: [...addresses, noble] },
    { routeToken, addresses: [noble, ethereum] },
    { routeToken, addresses: [ethereum.slice(0, -1), noble] },
    { routeToken, addresses: [ethereum, `${noble.slice(0, -1)}b`] },
    { routeToken, addresses: [ethereum, ''] },
    { routeToken: hubRoute.routeToken, addresses: [hubAddress, noble] },
    ...['-1', '101', '100.1', 101].map((percent) => ({
      routeToken,
      addresses,
      slippageTolerancePercent: percent,
    })),
    { routeToken, addresses, timeoutSeconds: 0 },
    { routeToken, addresses, signedOpHook: { signer: 'x', hook: 'AAEC' } },
    { routeToken, addresses, signedOpHook: { signer: noble, hook: '***' } },
    { routeToken, addresses, affiliates: [{ chainId: 'osmosis-1', address: noble, feeBps: -1 }] },
    { routeToken, addresses, affiliates: [{ chainId: 'osmosis-1', address: 'x', feeBps: 1 }] },
    { routeToken, addresses, feePayerAddress: 'x' },
    { routeToken, addresses, postRouteHandler: {} },
    { routeToken, addresses, postRouteHandler: { autopilot: { action: 'CLAIM', receiver: 'x' } } },
    ...[
      { contractAddress: 'x', message: '{}' },
      { contractAddress: noble, message: '{' },
    ].map((contractCall) => ({ routeToken, addresses, postRouteHandler: { contractCall } })),
    { routeToken, addresses, extra: { operations: [] } },
    { routeToken, addresses, extra: { address_list: [] } },
    { routeToken, addresses, extra: 'x' },
  ]
  for (const input of bad) {
    expect(await world.fault(messages, { input }), JSON.stringify(input)).toEqual(['BAD_USER_INPUT'])
  }
  for (const percent of ['NaN', 'abc', '', '1e1', '0x1', ' 1', '٣', null, [], true]) {
    const input = { routeToken, addresses, slippageTolerancePercent: percent }
    const { errors } = await world.ask(messages, { input })
    expect(errors?.[0]?.message, JSON.stringify(percent)).toMatch(/Decimal/)
  }
  expect(world.requests().filter((request) => request.startsWith('POST'))).toEqual([])
})

test('a hex address of an indexed chain is sent as bech32', async () => {
  await using world = await startRouterWorld()
  const route = await routeOf(world, deposit)
  const hexAddress = addressOn('1')
  const input = { routeToken: route.routeToken, addresses: [hexAddress, hexAddress] }
  const { transferMessages: result } = await world.data(messages, { input })
  expect(result.transactions[0].signer).toMatch(/^init1/)
})

test('a bech32 chain never gets a hex address, with or without a registry', async () => {
  await using sandbox = await startSandbox({ clock: () => now, chains: youngChains(60) })
  const bare = sandbox.indexers.map(({ chainId, url }) => ({ chainId, url }))
  await using gateway = await createGateway({ chains: bare, router: { url: sandbox.routerUrl } })
  const ask = async (query: string, variables: object): Promise<Data> =>
    (await post(gateway.url, { query, variables })).body
  const quote = `query ($denom: Denom!, $chainId: ChainId!) { route(input: {
    source: { chainId: "harbor-1", denom: "uinit" }, amountIn: "1000000"
    destination: { chainId: $chainId, denom: $denom }
  }) { routeToken } }`
  const sent = async (chainId: string, name: string) => {
    const { routeToken } = (await ask(quote, { chainId, denom: name })).data.route
    const input = { routeToken, addresses: [addressOn('1'), addressOn('1')] }
    return ask(
      `query ($input: TransferMessagesInput!) { transferMessages(input: $input) {
        transactions { signer }
      } }`,
      { input },
    )
  }
  // The prefix is that of the router's record of the chain.
  expect((await sent('galley-1', denom('galley-1', 'INIT', 'l2/'))).data).toEqual({
    transferMessages: { transactions: [{ signer: addressOn('harbor-1') }] },
  })
  sandbox.requests.splice(0)
  const { errors } = await sent('osmosis-1', 'uosmo')
  expect(errors[0]).toMatchObject({
    message: 'An address on osmosis-1 is bech32 and starts with `osmo1`.',
    extensions: { code: 'BAD_USER_INPUT' },
  })
  expect(sandbox.requests.filter((request) => request.includes('/msgs'))).toEqual([])
})

const oddOperations =
  '[ {"ferry_transfer" : {"fee":1e400, "deep":{"n": 12345678901234567890.10,"b":[ ]}},\n\t"tx_index":0} ,{"transfer":{}} ]'

const routeResponse = `{"operations" : ${oddOperations}, "amount_in":"5","amount_out":"4","estimated_amount_out":"6",
    "source_asset_chain_id":"a-1","source_asset_denom":"a","dest_asset_chain_id":"b-1",
    "dest_asset_denom":"b","required_chain_addresses":["a-1","b-1"],"extra":{"operations":[]}}`

test('operations are sent back to the router byte for byte', async () => {
  await using router = await startFakeRouter((path) => ({
    status: 201,
    body: path === '/v2/fungible/msgs' ? '{"txs":[]}' : routeResponse,
  }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const route = await routeOf(world, deposit)
  const input = {
    routeToken: route.routeToken,
    addresses: [addressOn('osmosis-1'), addressOn('noble-1')],
    slippageTolerancePercent: 0.5,
    timeoutSeconds: 60,
    enableGasWarnings: true,
    affiliates: [{ chainId: 'a-1', address: addressOn('noble-1'), feeBps: 5 }],
  }
  await world.data(messages.replace('chain { chainId kind }', 'chain { chainId }'), { input })
  const sent = router.bodies.at(-1) ?? ''
  expect(sent).toContain(`"operations":${oddOperations}`)
  expect({ ...JSON.parse(sent), operations: null }).toEqual({
    amount_in: '5',
    amount_out: '4',
    estimated_amount_out: '6',
    source_asset_chain_id: 'a-1',
    source_asset_denom: 'a',
    dest_asset_chain_id: 'b-1',
    dest_asset_denom: 'b',
    address_list: input.addresses,
    slippage_tolerance_percent: '0.5',
    timeout_seconds: '60',
    chain_ids_to_affiliates: {
      'a-1': { affiliates: [{ address: addressOn('noble-1'), basis_points_fee: '5' }] },
    },
    enable_gas_warnings: true,
    operations: null,
  })
})

const evm = { chain_id: 1, to: '0xAb', value: '', data: '', required_erc20_approvals: null }
const responses: Record<string, { body: unknown; transactions: object[] }> = {
  'the older `msgs` are read as transactions': {
    body: {
      msgs: [{ multi_chain_msg: { chain_id: 'a', path: ['a', 'b'], msg: '{', msg_type_url: '/x' } }, { evm_tx: evm }],
    },
    transactions: [
      {
        __typename: 'CosmosTransactionRequest',
        path: ['a', 'b'],
        messages: [{ typeUrl: '/x', body: null, raw: '{' }],
      },
      {
        __typename: 'EvmTransactionRequest',
        chainId: '1',
        data: '0x',
        value: '0',
        approvals: [],
      },
    ],
  },
  'hex numbers, message objects and missing fields are read': {
    body: {
      txs: [
        {
          evm_tx: {
            chain_id: 1,
            to: '0xa',
            value: '0xde0b6b3a7640000',
            required_erc20_approvals: [{ token_contract: '0xb', spender: '0xc', amount: '0x5' }],
          },
        },
        { cosmos_tx: { chain_id: 'a', msgs: [{ msg: { n: 1 }, msg_type_url: '/x' }] } },
      ],
    },
    transactions: [
      { chainId: '1', value: '1000000000000000000', data: '0x', approvals: [{ amount: '5' }] },
      { path: [], messages: [{ body: { n: 1 }, raw: '{"n":1}' }] },
    ],
  },
  'Solana transactions and unknown kinds are read': {
    body: {
      txs: [
        { svm_tx: { chain_id: 'solana', tx: 'AAEC' }, operations_indices: [0, 2] },
        { ton_tx: { chain_id: 'ton', boc: 'x' } },
      ],
      msgs: [],
    },
    transactions: [
      { __typename: 'SvmTransactionRequest', transaction: 'AAEC', operationIndices: [0, 2] },
      { __typename: 'UnknownTransactionRequest', chainId: 'ton', body: { ton_tx: { boc: 'x' } } },
    ],
  },
}

for (const [claim, { body, transactions }] of Object.entries(responses)) {
  test(claim, async () => {
    await using router = await startFakeRouter((path) => ({
      body: path === '/v2/fungible/msgs' ? JSON.stringify(body) : routeResponse,
    }))
    await using world = await startRouterWorld({ routerUrl: router.url })
    const route = await routeOf(world, deposit)
    const input = {
      routeToken: route.routeToken,
      addresses: [addressOn('noble-1'), addressOn('noble-1')],
    }
    const text = messages.replace('chain { chainId kind }', 'chain { chainId }')
    const { transferMessages } = await world.data(text, { input })
    expect(transferMessages.transactions).toMatchObject(transactions)
  })
}

const unreadable = [
  '{"evm_tx":{}}',
  '{"evm_tx":{"chain_id":"1","to":"0xa","value":"1.5"}}',
  '{"evm_tx":{"chain_id":"1","to":"0xa","value":1e99}}',
  '{"evm_tx":{"chain_id":"1","to":"0xa","required_erc20_approvals":[{"spender":"0xa"}]}}',
]

test('long numbers in messages keep their digits', async () => {
  const body = '{"txs":[{"cosmos_tx":{"chain_id":"a","msgs":[{"msg":{"n":9007199254740993},"msg_type_url":"/x"}]}}]}'
  await using router = await startFakeRouter((path) => ({
    body: path === '/v2/fungible/msgs' ? body : routeResponse,
  }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { routeToken } = await routeOf(world, deposit)
  const input = { routeToken, addresses: [addressOn('noble-1'), addressOn('noble-1')] }
  const query = `query ($input: TransferMessagesInput!) { transferMessages(input: $input) {
    transactions { ... on CosmosTransactionRequest { messages { raw body } } } } }`
  const response = await fetch(world.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input } }),
  })
  expect(await response.text()).toContain(
    String.raw`[{"messages":[{"raw":"{\"n\":9007199254740993}","body":{"n":9007199254740993}}]}]`,
  )
})

test('a response without readable transactions is an error', async () => {
  const bodies = ['{}', '{"error":"x"}', '{"txs":7}', ...unreadable.map((tx) => `{"txs":[${tx}]}`)]
  for (const body of bodies) {
    await using router = await startFakeRouter((path) => ({
      body: path === '/v2/fungible/msgs' ? body : routeResponse,
    }))
    await using world = await startRouterWorld({ routerUrl: router.url })
    const route = await routeOf(world, deposit)
    const input = {
      routeToken: route.routeToken,
      addresses: [addressOn('noble-1'), addressOn('noble-1')],
    }
    expect(await world.fault(messages, { input })).toEqual(['UPSTREAM_INVALID_RESPONSE'])
  }
})

test('postRouteHandler and extra fields are sent to the router', async () => {
  const operations = JSON.stringify([{ transfer: { from_chain_id: 'a-1', to_chain_id: 'b-1' } }])
  await using router = await startFakeRouter((path) => ({
    body: path === '/v2/fungible/msgs' ? '{"txs":[]}' : `{"operations":${operations},"amount_out":"4"}`,
  }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { route } = await world.data(
    `{ route(input: { source: { chainId: "a-1", denom: "a" }, amountIn: "5"
      destination: { chainId: "b-1", denom: "b" } }) { routeToken } }`,
  )
  const receiver = addressOn('osmosis-1')
  const contractCall = { contractAddress: receiver, message: '{"stake":{"amount":1}}' }
  for (const more of [
    { postRouteHandler: { contractCall }, ignoreBlacklist: true },
    { postRouteHandler: { autopilot: { action: 'LIQUID_STAKE', receiver } } },
    { extra: { client_id: 'wallet' } },
  ]) {
    await world.data(messages, {
      input: { routeToken: route.routeToken, addresses: [receiver, receiver], ...more },
    })
  }
  const sent = router.bodies.filter((body) => body.includes('address_list'))
  expect(sent.map((body) => JSON.parse(body))).toMatchObject([
    {
      post_route_handler: { wasm_msg: { contract_address: receiver, msg: contractCall.message } },
      ignore_blacklist: true,
    },
    { post_route_handler: { autpilot_msg: { action: 'LIQUID_STAKE', receiver } } },
    { client_id: 'wallet', operations: JSON.parse(operations) },
  ])
})
