import { afterAll, expect, test } from 'vitest'
import { startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'
import type { Data } from '../../../support/world.ts'

const world = await startRouterWorld()
afterAll(() => world[Symbol.asyncDispose]())

test('routableChains searches all chains of the router, indexed or not', async () => {
  const query = `query ($search: String, $kind: ChainKind) {
    routableChains(search: $search, filter: { kind: $kind }) {
      totalCount
      nodes {
        id chainId name prettyName kind bech32Prefix feeDenoms isTestnet isHidden
        isIndexed isRoutable isDefault supportsMemo
      }
    }
  }`
  expect((await world.data(query)).routableChains.totalCount).toBe(6)
  const { routableChains } = await world.data(query, { search: ' OSMO' })
  const { id, ...chain } = routableChains.nodes[0]
  expect(chain).toEqual({
    chainId: 'osmosis-1',
    name: 'osmosis',
    prettyName: 'Osmosis',
    kind: 'COSMOS',
    bech32Prefix: 'osmo',
    feeDenoms: ['uosmo'],
    isTestnet: false,
    isHidden: false,
    isIndexed: false,
    isRoutable: true,
    isDefault: false,
    supportsMemo: true,
  })
  expect(await world.data(`{ node(id: "${id}") { ... on Chain { chainId } } }`)).toEqual({
    node: { chainId: 'osmosis-1' },
  })
  const evm = await world.data(query, { kind: 'EVM' })
  expect(evm.routableChains.nodes.map(({ chainId }: Data) => chainId)).toEqual(['1'])
})

test('chain returns indexed and routable chains with one type', async () => {
  const { data, errors } = await world.ask(`{
    ethereum: chain(chainId: "1") { kind rawKind isIndexed isRoutable }
    none: chain(chainId: "atlantis-1") { name }
    chain { chainId name prettyName kind isIndexed isRoutable }
    chains { chainId }
  }`)
  expect(errors).toBeUndefined()
  expect(data).toEqual({
    ethereum: { kind: 'EVM', rawKind: 'evm', isIndexed: false, isRoutable: true },
    none: null,
    chain: {
      ...{ chainId: 'harbor-1', name: 'harbor', prettyName: 'Harbor', kind: 'COSMOS' },
      ...{ isIndexed: true, isRoutable: true },
    },
    chains: [{ chainId: 'harbor-1' }, { chainId: 'galley-1' }, { chainId: 'lantern-1' }],
  })
})

test('records of a chain without an indexer are null, without an error', async () => {
  const { data, errors } = await world.ask(`{ chain(chainId: "osmosis-1") {
    vm status { height } averageBlockTimeSeconds
    block(height: 1) { hash } blocks { nodes { hash } }
    transaction(hash: "${'ab'.repeat(32)}") { hash } transactions { nodes { hash } }
    evmTransaction(hash: "${'ab'.repeat(32)}") { hash } evmTransactions { nodes { hash } }
    evmInternalTransactions { nodes { index } }
    nft(collection: "0x1", tokenId: "1") { tokenId } nftCollection(address: "0x1") { name }
    nftCollections { nodes { name } } richList(denom: "uosmo") { nodes { amount } }
    account(address: "0x${'1'.repeat(40)}") {
      address transactions { nodes { hash } } evmTransactions { nodes { hash } }
      evmInternalTransactions { nodes { index } } nfts { nodes { tokenId } }
      nftCollections { nodes { name } }
    }
  } }`)
  expect(errors).toBeUndefined()
  const { account, ...fields } = data.chain
  const { address, ...lists } = account
  expect(address).toMatch(/^osmo1/)
  expect(new Set([...Object.values(fields), ...Object.values(lists)])).toEqual(new Set([null]))
})

test('a chain has endpoints, gas prices and fee assets', async () => {
  const fields = `{
    rpcUrls restUrls
    feeAssets { denom asset { symbol } gasPrice { low average high } }
    evmFeeAsset { name symbol decimals }
  }`
  const data = await world.data(`{
    osmosis: chain(chainId: "osmosis-1") ${fields}
    ethereum: chain(chainId: "1") ${fields}
    galley: chain(chainId: "galley-1") ${fields}
  }`)
  const gasPrice = { low: '0.015', average: '0.015', high: '0.04' }
  expect(data.osmosis).toEqual({
    rpcUrls: ['https://rpc.osmosis.example'],
    restUrls: ['https://rest.osmosis.example'],
    feeAssets: [{ denom: 'uosmo', asset: { symbol: 'OSMO' }, gasPrice }],
    evmFeeAsset: null,
  })
  expect(data.ethereum).toMatchObject({
    rpcUrls: ['https://rpc.ethereum.example'],
    evmFeeAsset: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  })
  expect(data.galley).toMatchObject({
    feeAssets: [
      { asset: { symbol: 'GAL' }, gasPrice: { low: '1000000000', average: '1000000000', high: '4000000000' } },
    ],
    evmFeeAsset: { symbol: 'GAL', decimals: 18 },
  })
})

test('the gas prices of the sandbox are those that its transactions pay', async () => {
  const { chains } = await world.data(`{ chains {
    feeAssets { denom gasPrice { low high } }
    transactions(first: 50) { nodes { gasWanted fee { amount { amount denom } } } }
  } }`)
  for (const { feeAssets, transactions } of chains) {
    const [{ denom, gasPrice }] = feeAssets
    const paid = transactions.nodes.flatMap(({ gasWanted, fee }: Data) =>
      fee.amount[0]?.denom === denom ? [Number(fee.amount[0].amount) / Number(gasWanted)] : [],
    )
    expect(paid.length).toBeGreaterThan(5)
    expect(Math.min(...paid)).toBe(Number(gasPrice.low))
    expect(Math.max(...paid)).toBeLessThanOrEqual(Number(gasPrice.high))
  }
})

test('without gas prices in the registry, those of the router are used', async () => {
  const reply = {
    chains: [
      {
        chain_id: 'harbor-1',
        fee_assets: [{ denom: 'uinit', gas_price: { low: 1e-7, average: '0.02', high: -1 } }],
      },
    ],
  }
  const bare = { low: null, average: null, high: null }
  const listing = { feeAssets: ['uinit', 'uother'].map((name) => ({ denom: name, ...bare })) }
  const query = '{ chain { feeDenoms feeAssets { denom gasPrice { low average high } } } }'
  for (const status of [200, 500]) {
    await using router = await startFakeRouter(() => ({ status, body: JSON.stringify(reply) }))
    await using listed = await startRouterWorld({ routerUrl: router.url, listing })
    const gasPrice = status === 200 ? { low: '0.0000001', average: '0.02', high: null } : null
    const { data, errors } = await listed.ask(query)
    const odd = ['chain', 'feeAssets', 0, 'gasPrice', 'high']
    expect(errors?.map(({ path }) => path)).toEqual(status === 200 ? [odd] : undefined)
    expect(data.chain).toEqual({
      feeDenoms: ['uinit', 'uother'],
      feeAssets: [
        { denom: 'uinit', gasPrice },
        { denom: 'uother', gasPrice: null },
      ],
    })
  }
})

test('a router that fails affects only fields that need it', async () => {
  await using router = await startFakeRouter(() => ({ status: 500, body: '{}' }))
  await using broken = await startRouterWorld({ routerUrl: router.url })
  const { data, errors } = await broken.ask(`{
    chain { name prettyName kind logoUrl isIndexed isRoutable bech32Prefix block(height: 3) { height } }
    osmosis: chain(chainId: "osmosis-1") { name }
    routableChains { totalCount }
  }`)
  expect(data).toEqual({
    chain: {
      ...{ name: 'harbor', prettyName: 'Harbor', kind: 'COSMOS', logoUrl: null, isIndexed: true },
      ...{ isRoutable: null, bech32Prefix: 'init', block: { height: expect.anything() } },
    },
    osmosis: null,
    routableChains: null,
  })
  expect(errors?.map(({ path }) => path?.join('.')).toSorted()).toEqual([
    'chain.isRoutable',
    'chain.logoUrl',
    'osmosis',
    'routableChains',
  ])
})

test('without a router, chains have the values of the configuration', async () => {
  await using alone = await startRouterWorld({ routerUrl: null })
  expect(
    await alone.data(
      '{ chain { prettyName isRoutable evmFeeAsset { name } rpcUrls logoUrl } none: chain(chainId: "1") { name } }',
    ),
  ).toEqual({
    chain: {
      ...{ prettyName: 'Harbor', isRoutable: false, evmFeeAsset: null },
      ...{ rpcUrls: [], logoUrl: null },
    },
    none: null,
  })
})
