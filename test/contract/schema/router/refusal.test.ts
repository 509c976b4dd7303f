import { afterAll, beforeEach, expect, test } from 'vitest'
import { startWorld } from '../../../support/world.ts'

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.sandbox.faults.clear())

const route = `query ($amount: BigInt!, $denom: Denom = "ethereum-native") {
  route(input: {
    source: { chainId: "1", denom: $denom }, destination: { chainId: "osmosis-1", denom: "uosmo" }
    amountIn: $amount
  }) { amountOut }
}`

test('a refused route has upstreamMessage and info of the router', async () => {
  const [error] = await world.errors(route, { amount: '1000' })
  expect(error).toMatchObject({
    message: 'The router rejected the request (400).',
    path: ['route'],
    extensions: {
      code: 'UPSTREAM_REJECTED',
      service: 'router',
      upstreamMessage: 'amount in is less than the fees of the route',
      info: expect.stringMatching(/^Send at least \d+ ethereum-native\.$/),
    },
  })
})

test('an unknown asset is an error and not a missing route', async () => {
  const { data, errors } = await world.ask(route, { amount: '1000', denom: 'ethereum' })
  expect(data).toEqual({ route: null })
  expect(errors?.[0]?.extensions).toMatchObject({
    code: 'UPSTREAM_REJECTED',
    upstreamMessage: 'source asset not found',
  })
})

test('refusals of hooks, messages and tracking have the message of the router', async () => {
  const refuse = (path: string) =>
    world.sandbox.faults.set('router', path, {
      ...{ kind: 'status', status: 400, contentType: 'application/json' },
      body: JSON.stringify({
        statusCode: 400,
        message: [`no ${path}`],
        info: 'see http://x.example',
      }),
    })
  for (const path of ['/op-hook', '/v2/fungible/msgs', '/v2/tx/track', '/v2/tx/status']) refuse(path)
  const quote = `{ route(input: {
    source: { chainId: "harbor-1", denom: "uinit" }, amountIn: "1000000"
    destination: { chainId: "osmosis-1", denom: "uosmo" }
  }) { routeToken requiredAddresses { chainId } } }`
  const { routeToken } = (await world.data(quote)).route
  const addresses = ['init1wllqcgh04444mr53tegtrkdlc970awqhddazg3', 'osmo1wllqcgh04444mr53tegtrkdlc970awqhtqwp4p']
  const input = { routeToken, addresses }
  const hook = { routeToken, sourceAddress: addresses[0], destinationAddress: addresses[1] }
  const transfer = { chainId: 'harbor-1', hash: 'ab'.repeat(32) }
  const documents: [string, object][] = [
    ['query ($input: TransferMessagesInput!) { transferMessages(input: $input) { minAmountOut } }', { input }],
    ['query ($input: OpHookInput!) { opHook(input: $input) { chainId } }', { input: hook }],
    ['mutation ($input: TrackTransferInput!) { trackTransfer(input: $input) { explorerUrl } }', { input: transfer }],
    ['query ($chainId: ChainId!, $hash: String!) { transfer(chainId: $chainId, hash: $hash) { state } }', transfer],
  ]
  const words = []
  for (const [query, variables] of documents) {
    const [error] = await world.errors(query, variables as Record<string, unknown>)
    words.push([error?.extensions?.upstreamMessage ?? error?.message, error?.extensions?.info])
  }
  expect(words).toEqual([
    ['no /v2/fungible/msgs', 'see'],
    ['no /op-hook', 'see'],
    ['no /v2/tx/track', 'see'],
    ['no /v2/tx/status', 'see'],
  ])
})

const notFound = {
  kind: 'status',
  status: 404,
  contentType: 'application/json',
  body: '{"code":5,"message":"no such path","details":[]}',
} as const

test.each([
  ['/v2/info/chains', '{ routableChains(first: 1) { nodes { chainId } } }'],
  ['/v2/fungible/assets', '{ assets(first: 1) { nodes { denom } } }'],
  ['/v2/info/bridges', '{ bridges { name } }'],
  ['/v2/fungible/venues', '{ swapVenues { name } }'],
  [
    '/v2/fungible/assets_between_chains',
    '{ assetsBetweenChains(sourceChainId: "1", destinationChainId: "harbor-1") { transactionCount } }',
  ],
  [
    '/v2/fungible/assets_from_source',
    '{ asset(chainId: "harbor-1", denom: "uinit") { destinations(first: 1) { nodes { denom } } } }',
  ],
  [
    '/v2/fungible/recommend_assets',
    '{ asset(chainId: "harbor-1", denom: "uinit") { recommendedDestinations(chainId: "1") { reason } } }',
  ],
  [
    '/v2/info/balances',
    '{ chain(chainId: "1") { account(address: "0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817") { balances { denom } } } }',
  ],
])('a router without %s gives an error that is not cached', async (path, query) => {
  await using own = await startWorld()
  own.sandbox.faults.set('router', path, notFound)
  const [error, ...others] = await own.errors(query)
  expect(others).toEqual([])
  expect(error?.extensions).toMatchObject({
    ...{ code: 'UPSTREAM_REJECTED', service: 'router', upstreamMessage: 'no such path' },
  })
  own.sandbox.faults.clear()
  await own.data(query)
})

test('error text of an indexer is not passed on', async () => {
  world.sandbox.faults.set('harbor-1', '/', { kind: 'status', status: 400, body: 'secret' })
  const [error] = await world.errors('{ chain(chainId: "harbor-1") { blocks { nodes { height } } } }')
  expect(error?.extensions).toMatchObject({ code: 'UPSTREAM_REJECTED' })
  expect(JSON.stringify(error)).not.toContain('secret')
})

test('an error that the router sends with status 200 is no empty list', async () => {
  const lists = {
    '/v2/info/chains': 'routableChains { nodes { chainId } }',
    '/v2/info/bridges': 'bridges { name }',
    '/v2/fungible/assets': 'asset(chainId: "harbor-1", denom: "uinit") { symbol }',
    '/v2/fungible/venues': 'swapVenues { name }',
    '/v2/fungible/assets_between_chains':
      'assetsBetweenChains(sourceChainId: "1", destinationChainId: "harbor-1") { rawBridges }',
  }
  for (const [path, field] of Object.entries(lists)) {
    await using fresh = await startWorld()
    const body = '{"code":2,"message":"internal server error","details":[]}'
    fresh.sandbox.faults.set('router', path, { kind: 'status', status: 200, body })
    const errors = await fresh.errors(`{ ${field} }`)
    expect(
      errors.map(({ extensions }) => extensions?.code),
      path,
    ).toEqual(['UPSTREAM_INVALID_RESPONSE'])
  }
})
