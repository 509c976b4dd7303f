import { expect, test } from 'vitest'
import { denom, assets as sandboxAssets } from '../../../../packages/sandbox/test/support/sandboxRouter.ts'
import { addressOn, startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'
import type { Data } from '../../../support/world.ts'
import { testOfPlainRecords } from '../../../support/world.ts'

const plainTest = testOfPlainRecords()

test('pages of assets have each asset once, forward and backward', async () => {
  await using world = await startRouterWorld()
  const query = `query ($first: Int, $after: String, $last: Int, $before: String) {
    assets(chainId: "galley-1", first: $first, after: $after, last: $last, before: $before) {
      totalCount
      nodes { denom }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`
  const denoms = sandboxAssets
    .filter((asset) => asset.chainId === 'galley-1' && !asset.hidden)
    .map((asset) => asset.denom)
  const readAllPages = async (
    args: (cursor: string | null) => Record<string, unknown>,
    direction: 'next' | 'previous',
  ) => {
    const pages: string[] = []
    let cursor: string | null = null
    for (;;) {
      const { assets } = await world.data(query, args(cursor))
      const page = assets.nodes.map((asset: Data) => asset.denom)
      direction === 'next' ? pages.push(...page) : pages.unshift(...page)
      const { hasNextPage, hasPreviousPage, startCursor, endCursor } = assets.pageInfo
      if (!(direction === 'next' ? hasNextPage : hasPreviousPage)) return pages
      cursor = direction === 'next' ? endCursor : startCursor
    }
  }
  expect(await readAllPages((after) => ({ first: 2, after }), 'next')).toEqual(denoms)
  expect(await readAllPages((before) => ({ last: 2, before }), 'previous')).toEqual(denoms)
  expect((await world.data(query, { first: 0 })).assets).toMatchObject({
    totalCount: denoms.length,
    nodes: [],
    pageInfo: { hasNextPage: true, startCursor: null, endCursor: null },
  })
})

test('invalid page arguments are refused', async () => {
  await using world = await startRouterWorld()
  const bad = ['first: -1', 'first: 1001', 'first: 1, last: 1', 'after: "x"', 'after: ""', 'before: "x"']
  for (const args of bad) {
    const { errors } = await world.ask(`{ assets(chainId: "galley-1", ${args}) { nodes { denom } } }`)
    const ofOthers = args === 'first: 1001' ? 'PAGE_TOO_LARGE' : 'INVALID_ARGUMENT'
    const reason = /after|before/.test(args) ? 'INVALID_CURSOR' : ofOthers
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', reason })
  }
  const { assets } = await world.data('{ assets(chainId: "galley-1", first: 1) { pageInfo { endCursor } } }')
  const { endCursor } = assets.pageInfo
  for (const other of ['chainId: "harbor-1"', 'chainId: "galley-1", search: "init"']) {
    const { errors } = await world.ask(`{ assets(${other}, after: "${endCursor}") { nodes { denom } } }`)
    expect(errors?.[0]?.extensions).toMatchObject({
      ...{ code: 'BAD_USER_INPUT', reason: 'CURSOR_OF_ANOTHER_LIST' },
    })
  }
})

plainTest('an asset is found by denom, by contract address in any case, and by search', async () => {
  await using world = await startRouterWorld()
  const contract = denom('1', 'USDC')
  const query = `query ($denom: Denom!) {
    asset(chainId: "1", denom: $denom) {
      id symbol name decimals logoUrl originChainId tokenContract chain { chainId prettyName }
    }
  }`
  for (const spelling of [contract, contract.toLowerCase()]) {
    expect((await world.data(query, { denom: spelling })).asset).toMatchObject({
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      chain: { chainId: '1', prettyName: 'Ethereum' },
    })
  }
  expect((await world.data(query, { denom: 'unothing' })).asset).toBeNull()
  const { id } = (await world.data(query, { denom: contract })).asset
  expect(await world.data(`{ node(id: "${id}") { ... on Asset { symbol } } }`)).toEqual({
    node: { symbol: 'USDC' },
  })
  const { assets } = await world.data('{ assets(chainId: "galley-1", search: "usd") { nodes { symbol } } }')
  expect(new Set(assets.nodes.map((asset: Data) => asset.symbol))).toEqual(new Set(['USDC']))
})

plainTest('queries share the requests for chains and assets', async () => {
  await using world = await startRouterWorld()
  const query = () => world.data('{ assets(chainId: "galley-1", first: 5) { nodes { denom chain { isRoutable } } } }')
  await Promise.all([query(), query(), query()])
  await query()
  expect(world.requests()).toEqual([
    expect.stringMatching(/^GET \/v2\/fungible\/assets\?chain_ids=galley-1&/),
    expect.stringMatching(/^GET \/v2\/info\/chains\?/),
  ])
})

test('an unknown chain is refused, and a failed request is an error', async () => {
  await using world = await startRouterWorld()
  const nowhere = await world.ask('{ assets(chainId: "nowhere-1") { nodes { denom } } }')
  expect(nowhere.errors?.[0]?.extensions).toMatchObject({
    ...{ code: 'BAD_USER_INPUT', reason: 'UNKNOWN_CHAIN' },
  })
  world.sandbox.faults.set('router', '/v2/fungible/assets', { kind: 'status', status: 500 })
  const query = '{ assets(chainId: "harbor-1") { nodes { denom } } }'
  expect(await world.fault(query)).toEqual(['UPSTREAM_UNAVAILABLE'])
  world.sandbox.faults.clear()
  expect((await world.data(query)).assets.nodes.length).toBeGreaterThan(0)
})

test('a coin has the asset of its denom', async () => {
  await using world = await startRouterWorld()
  const query = `{ chain(chainId: "harbor-1") { transactions(first: 5) { nodes {
    fee { amount { denom asset { symbol decimals } } }
  } } } }`
  const { data, errors } = await world.ask(query)
  if (errors) throw new Error(JSON.stringify(errors))
  const coins = data.chain.transactions.nodes.flatMap((tx: Data) => tx.fee?.amount ?? [])
  expect(coins.find((coin: Data) => coin.denom === 'uinit')).toMatchObject({
    asset: { symbol: 'INIT', decimals: 6 },
  })
})

const balances = `query ($address: Address!, $denoms: [Denom!]) {
  chain(chainId: "harbor-1") {
    account(address: $address) {
      balances(denoms: $denoms) {
        denom amount formattedAmount decimals usdPrice usdValue asset { symbol }
      }
    }
  }
}`

plainTest('bech32 and hex addresses have the same balances', async () => {
  await using world = await startRouterWorld()
  const balancesOf = async (address: string, denoms?: string[]) =>
    (await world.data(balances, { address, denoms })).chain.account.balances
  const [native, hex] = [addressOn('harbor-1'), addressOn('1')]
  const held = await balancesOf(native)
  expect(held.length).toBeGreaterThan(0)
  expect(held[0]).toMatchObject({
    amount: expect.stringMatching(/^\d+$/),
    formattedAmount: expect.stringContaining('.'),
    asset: { symbol: expect.any(String) },
  })
  expect(await balancesOf(hex)).toEqual(held)
  expect(await balancesOf(native, [held[0].denom])).toEqual([held[0]])
  expect(world.requests().filter((request) => request.startsWith('POST'))).toHaveLength(3)
})

test('a null list of the router is empty', async () => {
  await using router = await startFakeRouter((path) => ({
    body: path.startsWith('/v2/info/balances')
      ? '{"chains":{"harbor-1":{"denoms":null}}}'
      : '{"chain_to_assets_map":null}',
  }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { assets } = await world.data('{ assets(chainId: "harbor-1") { totalCount } }')
  expect(assets).toEqual({ totalCount: 0 })
  const { chain } = await world.data(balances, { address: addressOn('harbor-1') })
  expect(chain.account).toEqual({ balances: [] })
})

test('balances are null with an error if the router fails', async () => {
  await using world = await startRouterWorld()
  world.sandbox.faults.set('router', '/v2/info/balances', { kind: 'status', status: 500 })
  const { data, errors } = await world.ask(balances, { address: addressOn('harbor-1') })
  expect(data.chain.account).toEqual({ balances: null })
  expect(errors).toHaveLength(1)
  const denoms = Array.from({ length: 101 }, (_, index) => `u${index}`)
  expect(await world.fault(balances, { address: addressOn('harbor-1'), denoms })).toEqual(['BAD_USER_INPUT'])
})

test('a symbol as denom is refused with a suggestion of the denoms', async () => {
  await using world = await startRouterWorld()
  const of = 'chainId: "harbor-1", denom: "INIT"'
  for (const document of [
    `{ asset(${of}) { denom } }`,
    `{ chain(chainId: "harbor-1") { account(address: "0x1") { balances(denoms: ["INIT"]) { denom } } } }`,
    `{ route(input: { source: { ${of} }, destination: { chainId: "galley-1", denom: "x" }, amountIn: "1" }) { amountOut } }`,
  ]) {
    const { errors } = await world.ask(document)
    expect(errors?.[0]).toMatchObject({
      extensions: { code: 'BAD_USER_INPUT', reason: 'SYMBOL_AS_DENOM' },
      message: expect.stringContaining('`uinit`'),
    })
  }
  expect(world.requests().filter((line) => line.startsWith('POST'))).toEqual([])
  // A text that is no symbol of the chain is only not found.
  const { asset } = await world.data('{ asset(chainId: "harbor-1", denom: "NOTHING") { denom } }')
  expect(asset).toBeNull()
})
