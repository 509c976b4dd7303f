import { vi } from 'vitest'
import type { z } from 'zod'
import type * as compiledSchema from '../../src/engine/wire/compiledSchema.ts'
import type { parseJson } from '../../src/engine/wire/exactJson.ts'
import { bridgeRows } from '../schema/router/bridgeRows.ts'
import type { Data } from './world.ts'

/** A schema that reads something from an upstream, with values that it was given to read. */
export interface WireSamples {
  readonly schema: z.ZodType
  readonly values: unknown[]
}

/** What the gateway decoded while it answered documents over all its upstreams. */
export interface Recording {
  readonly samples: readonly WireSamples[]
  /** The object schemas of the graph, each with the place that defines it. */
  readonly objects: ReadonlyMap<z.ZodType, string>
  /** Parses as `parseJson` does. The schemas know the long numbers of their own modules alone. */
  readonly parse: typeof parseJson
}

/** Different values kept for each schema. More would not find more, only take longer. */
const maxValues = 4
/** Items kept of each list, so that a mutation is likely to meet every field. */
const maxItems = 2

/** Answers documents that use every wire schema, with a gateway whose decoder is observed. */
export async function recordWireSamples(): Promise<Recording> {
  const samples = new Map<z.ZodType, Map<string, unknown>>()
  const objects = new Map<z.ZodType, string>()
  const record = (schema: z.ZodType, value: unknown) => {
    const values = samples.get(schema) ?? new Map<string, unknown>()
    samples.set(schema, values)
    if (values.size < maxValues) values.set(JSON.stringify(value) ?? '', shortened(value))
  }
  vi.resetModules()
  vi.doMock('../../src/engine/wire/compiledSchema.ts', async (original) => {
    const actual = await original<typeof compiledSchema>()
    const decode: typeof actual.decode = (schema, value) => {
      record(schema, value)
      return actual.decode(schema, value)
    }
    return { ...actual, decode }
  })
  vi.doMock('zod', async (original) => {
    const actual = await original<{ z: typeof z }>()
    const recorded =
      <Args extends unknown[], T extends z.ZodType>(make: (...args: Args) => T) =>
      (...args: Args): T => {
        const schema = make(...args)
        const place = /src\/schema\/\S+?\.ts:\d+/.exec(new Error().stack ?? '')?.[0]
        if (place) objects.set(schema, place)
        return schema
      }
    const { object, looseObject } = actual.z
    return {
      ...actual,
      z: { ...actual.z, object: recorded(object), looseObject: recorded(looseObject) },
    }
  })
  const { parseJson: parse } = await import('../../src/engine/wire/exactJson.ts')
  try {
    await readIndexers()
    await readRouter()
    await readBridges()
  } finally {
    vi.doUnmock('../../src/engine/wire/compiledSchema.ts')
    vi.doUnmock('zod')
    vi.resetModules()
  }
  return {
    samples: [...samples].map(([schema, values]) => ({ schema, values: [...values.values()] })),
    objects,
    parse,
  }
}

/** A copy of a value with few items in each list. */
const shortened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, maxItems).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]))
}

const load = () =>
  Promise.all([
    import('./routerWorld.ts'),
    import('../../packages/sandbox/test/support/sandboxRouter.ts'),
    import('./world.ts'),
  ])

const indexerDocument = /* GraphQL */ `
  query ($chainId: ChainId!, $denom: Denom!) {
    chain(chainId: $chainId) {
      vm averageBlockTimeSeconds status { height }
      blocks(first: 3) { nodes { height proposer { moniker } transactions(first: 3) { nodes { hash } } } }
      transactions(first: 3) { nodes { hash } }
      evmTransactions(first: 3) { nodes { hash logs { data } internalTransactions(first: 2) { nodes { index } } } }
      nftCollections(first: 3) { nodes { address nfts(first: 2) { nodes { tokenId } } } }
      richList(denom: $denom, first: 3) { nodes { amount } }
    }
  }
`

const recordsDocument = /* GraphQL */ `
  query ($chainId: ChainId!, $height: UInt53!, $hash: Hash!, $evmHash: Hash!, $hasEvm: Boolean!, $address: Address!) {
    chain(chainId: $chainId) {
      block(height: $height) { hash }
      transaction(hash: $hash) { code }
      evmTransaction(hash: $evmHash) @include(if: $hasEvm) { isSuccessful }
      nftCollection(address: $address) { name }
    }
  }
`

async function readIndexers() {
  const [{ startRouterWorld }, , { startWorld }] = await load()
  await using unconfigured = await startWorld({ vms: 'probed' })
  await unconfigured.data('{ chains { vm } }')
  await using bare = await startWorld({ isBare: true })
  await bare.data('{ chain { bech32Prefix } }')
  await using young = await startWorld({ isBare: true })
  young.sandbox.faults.set('harbor-1', '/indexer/block/v1/blocks', {
    kind: 'answer',
    json: { blocks: [] },
  })
  await young.data('{ chain { bech32Prefix } }')
  await using priced = await startWorld()
  await priced.data('{ chain { transactions(first: 3) { nodes { balanceChanges { usdValueAtTime } } } } }')
  await using world = await startRouterWorld()
  for (const { chainId, feeDenoms } of (await world.data('{ chains { chainId feeDenoms } }')).chains) {
    const denom = feeDenoms[0] ?? 'uinit'
    const { data } = await world.ask(indexerDocument, { chainId, denom })
    const { blocks, transactions, evmTransactions, nftCollections } = data.chain
    const evmHash = evmTransactions?.nodes[0]?.hash
    await world.data(recordsDocument, {
      chainId,
      height: blocks.nodes[0].height,
      hash: transactions.nodes[0].hash,
      evmHash: evmHash ?? transactions.nodes[0].hash,
      hasEvm: evmHash !== undefined,
      address: nftCollections.nodes[0].address,
    })
  }
}

const routeDocument = /* GraphQL */ `
  query ($input: RouteInput!) {
    route(input: $input) {
      routeToken requiresOpHook requiredAddresses { chainId }
      operations { __typename fees { kind } assetIn { symbol } }
    }
  }
`
const messagesDocument = /* GraphQL */ `
  query ($input: TransferMessagesInput!) { transferMessages(input: $input) { transactions { chainId } } }
`
const hookDocument = /* GraphQL */ `
  query ($input: OpHookInput!) { opHook(input: $input) { chainId } }
`
const trackDocument = /* GraphQL */ `
  mutation ($input: TrackTransferInput!) { trackTransfer(input: $input) { explorerUrl } }
`
const transferDocument = /* GraphQL */ `
  query ($chainId: ChainId!, $hash: String!) { transfer(chainId: $chainId, hash: $hash) { state } }
`
const balancesDocument = /* GraphQL */ `
  query ($address: Address!) {
    routableChains(first: 3) { nodes { prettyName isHidden } }
    assets(chainId: "harbor-1", first: 3) { nodes { symbol } }
    chain(chainId: "harbor-1") { account(address: $address) { balances { amount } } }
    asset(chainId: "harbor-1", denom: "uinit") {
      usdPrice destinations(first: 2) { nodes { denom } }
      recommendedDestinations(chainId: "osmosis-1") { reason }
    }
    bridges { name }
    swapVenues { name }
    assetsBetweenChains(sourceChainId: "harbor-1", destinationChainId: "galley-1") { bridges }
    nftTransferMessages(input: {
      sourceChainId: "harbor-1", sourceAddress: $address, tokenIds: ["1"], collectionAddress: "0x01"
      destinationChainId: "harbor-1", destinationAddress: $address
    }) { rawKind }
  }
`

async function readRouter() {
  const [{ startRouterWorld, addressOn, hashOf }, { denom }] = await load()
  await using world = await startRouterWorld()
  const pairs = [
    [
      ['harbor-1', 'uinit'],
      ['galley-1', denom('galley-1', 'INIT', 'l2/')],
    ],
    [
      ['harbor-1', 'uinit'],
      ['galley-1', denom('galley-1', 'INIT', 'evm/')],
    ],
    [
      ['1', denom('1', 'USDC')],
      ['noble-1', 'uusdc'],
    ],
    [
      ['1', denom('1', 'USDC')],
      ['harbor-1', 'uinit'],
    ],
  ] as const
  for (const [from, to] of pairs) {
    const { route } = await world.data(routeDocument, {
      input: {
        source: { chainId: from[0], denom: from[1] },
        destination: { chainId: to[0], denom: to[1] },
        amountIn: '5000000',
      },
    })
    const ends = { sourceAddress: addressOn(from[0]), destinationAddress: addressOn(to[0]) }
    if (route.requiresOpHook) {
      await world.data(hookDocument, { input: { routeToken: route.routeToken, ...ends } })
    } else {
      const addresses = route.requiredAddresses.map(({ chainId }: Data) => addressOn(chainId))
      await world.data(messagesDocument, { input: { routeToken: route.routeToken, addresses } })
    }
  }
  await world.data(balancesDocument, { address: addressOn('harbor-1') })
  for (const ending of ['00', '02', 'e0', 'e1', 'e5', 'e6', 'e8']) {
    const transfer = { chainId: 'harbor-1', hash: hashOf(ending) }
    await world.data(trackDocument, { input: transfer })
    await world.clock.advance(5_000)
    await world.data(transferDocument, transfer)
  }
}

/** Bodies of every bridge, and the kinds of transactions that the sandbox has none of. */
async function readBridges() {
  const [{ startRouterWorld, startFakeRouter, addressOn, hashOf }] = await load()
  const rows = Object.values(bridgeRows)
  const swap = {
    swap_in: {
      swap_venue: { name: 'venue', chain_id: 'a' },
      swap_operations: [{ pool: '1', denom_in: 'x', denom_out: 'y' }],
      swap_amount_in: '5',
      price_impact_percent: '0.1',
    },
    smart_swap_in: {
      swap_routes: [{ swap_amount_in: '5', swap_venue: { name: 'v' }, swap_operations: [] }],
    },
  }
  const operations = [
    ...rows.flatMap(({ keys, operation, fees }) =>
      keys.map((key) => ({
        tx_index: 0,
        amount_in: '7',
        [key]: { from_chain_id: 'a', to_chain_id: 'b', ...operation.wire, ...fees.wire },
      })),
    ),
    { swap: { from_chain_id: 'a', chain_id: 'a', ...swap } },
    { evm_swap: { input_token: 'x', amount_in: '5', swap_venues: [{ name: 'v' }] } },
    { transfer: null, bank_send: { chain_id: 'a', denom: 'x' } },
  ]
  const hops = rows.map(({ hopKey, hop, transactions }) => ({
    [hopKey]: {
      ...{ from_chain_id: 'a', to_chain_id: 'b', ...hop?.wire },
      packet_txs: Object.fromEntries(Object.keys(transactions).map((slot) => [slot, { chain_id: 'a', tx_hash: 'AB' }])),
    },
  }))
  const message = { msg_type_url: '/x', msg: '{}' }
  const asset = { chain_id: 'a', denom: 'ibc/1', origin_chain_id: 'b', origin_denom: 'x' }
  const replies: Record<string, object> = {
    '/v2/fungible/assets': { chain_to_assets_map: { a: { assets: [asset] } } },
    '/v2/fungible/ibc_origin_assets': {
      origin_assets: [{ asset: { chain_id: 'b', denom: 'x' }, asset_found: true }],
    },
    '/v2/fungible/route': { amount_out: '5', operations, required_chain_addresses: ['a', 'b'] },
    '/v2/tx/status': { state: 'STATE_PENDING', transfer_sequence: hops },
    '/v2/fungible/msgs': {
      txs: [
        { multi_chain_msg: { chain_id: 'a', path: ['a', 'b'], ...message } },
        { cosmos_tx: { chain_id: 'a', path: [], msgs: [message], signer_address: 'x' } },
        {
          evm_tx: {
            ...{ chain_id: '1', to: '0xa', value: '5', data: 'ab' },
            required_erc20_approvals: [{ token_contract: '0xb', spender: '0xc', amount: '5' }],
          },
          operations_indices: [0, 1],
        },
        { svm_tx: { chain_id: 'solana', tx: 'AAEC' } },
        { other_tx: { chain_id: 'a', signer_address: 'x' } },
      ],
    },
  }
  await using router = await startFakeRouter((path) => ({
    body: JSON.stringify(replies[path.replace(/\?.*/, '')] ?? {}),
  }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const source = { chainId: 'a', denom: 'x' }
  const { route } = await world.data(
    'query ($input: RouteInput!) { route(input: $input) { routeToken operations { __typename } } }',
    { input: { source, destination: { chainId: 'b', denom: 'y' }, amountIn: '7' } },
  )
  const addresses = [addressOn('harbor-1'), addressOn('galley-1')]
  await world.data(messagesDocument, { input: { routeToken: route.routeToken, addresses } })
  await world.data(transferDocument, { chainId: 'a', hash: hashOf('00') })
  await world.data('{ assets(chainId: "a") { nodes { origin { denom } } } }')
}
