import { afterAll, expect, test } from 'vitest'
import { addressOn, startRouterWorld } from '../../../support/routerWorld.ts'
import { chainIds, type Data } from '../../../support/world.ts'

const world = await startRouterWorld()
afterAll(() => world[Symbol.asyncDispose]())

const fragment = `fragment Amount on AssetAmount {
  __typename denom amount formattedAmount usdValue asset { denom symbol decimals }
}`
const coinOf = { [chainIds.MOVE]: 'uinit', [chainIds.WASM]: 'ulant' }

/** The exact decimal text of an amount in whole units. */
const whole = (amount: string, decimals: number) => {
  const digits = amount.padStart(decimals + 1, '0')
  const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return text.replace(/\.?0+$/, '')
}

test('an AssetAmount fragment works on coins, holders, balances and token transfers', async () => {
  const data = await world.data(`${fragment} {
    chain(chainId: "${chainIds.MOVE}") {
      transactions(first: 20) { nodes { fee { amount { ...Amount } } } }
      richList(denom: "uinit", first: 5) { nodes { ...Amount } }
      account(address: "${addressOn('1')}") { balances { ...Amount } }
    }
    evm: chain(chainId: "${chainIds.EVM}") {
      evmTransactions(first: 60) { nodes { tokenTransfers { standard contract { hexAddress } ...Amount } } }
    }
  }`)
  const coins = data.chain.transactions.nodes.flatMap(({ fee }: Data) => fee?.amount ?? [])
  const moved = data.evm.evmTransactions.nodes.flatMap((node: Data) => node.tokenTransfers)
  const erc20 = moved.filter(({ standard }: Data) => standard === 'ERC20')
  const amounts = [...coins, ...data.chain.richList.nodes, ...data.chain.account.balances, ...erc20]
  expect(new Set(amounts.map(({ __typename }) => __typename))).toEqual(
    new Set(['Coin', 'TokenHolder', 'Balance', 'TokenTransfer']),
  )
  for (const { denom, amount, formattedAmount, asset } of amounts) {
    expect(denom).toEqual(expect.any(String))
    if (asset) expect(formattedAmount).toBe(whole(amount, asset.decimals))
  }
  expect(amounts.filter(({ asset }) => asset).length).toBeGreaterThan(20)
  // The router has a price of INIT, and values a balance as it values an amount.
  const [balance] = data.chain.account.balances.filter(({ denom }: Data) => denom === 'uinit')
  const [holder] = data.chain.richList.nodes
  expect(Number(holder.usdValue) / Number(holder.formattedAmount)).toBeCloseTo(
    Number(balance.usdValue) / Number(balance.formattedAmount),
    2,
  )
})

test('a page of amounts takes one list of assets and one price per asset', async () => {
  await using fresh = await startRouterWorld()
  const denom = coinOf[chainIds.MOVE]
  const page = `{ chain { richList(denom: "${denom}", first: 100) { nodes { formattedAmount usdValue asset { symbol } } } } }`
  fresh.requests()
  const { chain } = await fresh.data(page)
  expect(chain.richList.nodes).toHaveLength(100)
  expect(fresh.requests()).toEqual([
    expect.stringMatching(/^GET \/v2\/fungible\/assets\?chain_ids=harbor-1/),
    'POST /v2/fungible/route',
  ])
})

test('an asset of a contract is found by the contract address', async () => {
  const { asset } = await world
    .data('{ assets(chainId: "galley-1", first: 100) { nodes { denom } } }')
    .then(async ({ assets }) => {
      const { denom } = assets.nodes.find((node: Data) => /^evm\//.test(node.denom))
      const address = denom.replace('evm/', '0x')
      expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/)
      const found = await world.data(`{ asset(chainId: "galley-1", denom: "${address}") { denom } }`)
      expect(found.asset).toEqual({ denom })
      return found
    })
  expect(asset).not.toBeNull()
})

const richList = `{ chain { richList(denom: "uinit", first: 2) {
  nodes { rank amount formattedAmount usdValue asset { symbol } }
} } }`

test('without a router, prices and assets of amounts are null', async () => {
  await using bare = await startRouterWorld({ routerUrl: null })
  const { richList: list } = (await bare.data(richList)).chain
  expect(list.nodes).toEqual([
    { rank: 1, amount: expect.any(String), formattedAmount: null, usdValue: null, asset: null },
    { rank: 2, amount: expect.any(String), formattedAmount: null, usdValue: null, asset: null },
  ])
})

test('while the router is down, amounts are returned and other fields are errors', async () => {
  await using down = await startRouterWorld({ routerUrl: 'http://127.0.0.1:1' })
  const { data, errors } = await down.ask(richList)
  expect(data?.chain.richList.nodes.map(({ amount }: Data) => amount)).toEqual([expect.any(String), expect.any(String)])
  expect(new Set(errors?.map(({ path }) => path?.at(-1)))).toEqual(new Set(['formattedAmount', 'usdValue', 'asset']))
})

test('a holder has the same rank from both ends of the list', async () => {
  const { chain } = await world.data(`{ chain {
    down: richList(denom: "uinit", first: 30) { nodes { rank amount } pageInfo { endCursor } }
    up: richList(denom: "uinit", last: 30, order: ASC) { nodes { rank amount } }
  } }`)
  const ranks = chain.down.nodes.map(({ rank }: Data) => rank)
  expect(ranks).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
  expect(chain.up.nodes.toReversed().map(({ rank }: Data) => rank)).toEqual(ranks)
  const next = await world.data(
    `{ chain { richList(denom: "uinit", first: 2, after: "${chain.down.pageInfo.endCursor}") { nodes { rank } } } }`,
  )
  expect(next.chain.richList.nodes).toEqual([{ rank: 31 }, { rank: 32 }])
})
