import { afterAll, expect, test } from 'vitest'
import { sandboxChains } from '../../../packages/sandbox/src/chains.ts'
import { denom } from '../../../packages/sandbox/test/support/sandboxRouter.ts'
import { hashOf, startRouterWorld } from '../../support/routerWorld.ts'
import { startWorld, type World } from '../../support/world.ts'

// The calls that a bridging wallet makes of the router and of indexers, as documents. Each is asked of a
// gateway that has cached nothing, with the number of upstream requests it costs. What such a wallet still
// has to ask elsewhere:
//   - (R8b) whether the account that signs a hook exists, its number and its sequence (a node of the chain)
//   - gas prices, and the registration of denoms (nodes and the chain registry)
//   - withdrawals of an optimistic rollup: claims, outputs, finalization (its executor)
//   - broadcasting of signed transactions (a node of the chain)

const worlds: AsyncDisposable[] = []
afterAll(async () => {
  for (const world of worlds) await world[Symbol.asyncDispose]()
})

const person = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'
const hex = '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817'

const routeFields = `
  routeToken amountIn amountOut usdAmountIn usdAmountOut estimatedDurationSeconds expiresAt
  doesSwap requiresOpHook transactionCount requiredAddresses { chainId }
  assetOut { symbol decimals logoUrl } operations { rawKind bridge fromChainId toChainId }
  fees { amount behavior asset { denom symbol decimals } } warning { kind message } extraInfos extraWarnings`

const toGalley = (prefix: string) => `source: { chainId: "harbor-1", denom: "uinit" },
  destination: { chainId: "galley-1", denom: "${denom('galley-1', 'INIT', prefix)}" }`

const tokenOf = async (world: World, prefix = 'l2/') =>
  (await world.data(`{ route(input: { ${toGalley(prefix)}, amountIn: "2500000" }) { routeToken } }`)).route.routeToken

interface Call {
  readonly name: string
  readonly document: string
  /** Whether the chains have as many blocks as in `npm start`, so that the account fills a page. */
  readonly isOld?: boolean
  readonly requests: number
  /** Variables from calls that come before, which are not counted. */
  readonly prepare?: (world: World) => Promise<Record<string, unknown>>
  readonly expected: object
}

const text = expect.any(String)

const calls: readonly Call[] = [
  {
    name: 'R1: all chains with names, logos, gas prices and endpoints',
    document: `{ routableChains(first: 100, filter: { includeHidden: true }) { nodes {
      chainId name prettyName kind logoUrl bech32Prefix feeDenoms isHidden isIndexed rpcUrls restUrls
      feeAssets { denom gasPrice { low average high } } evmFeeAsset { name symbol decimals }
    } } }`,
    requests: 1,
    expected: { routableChains: { nodes: expect.any(Array) } },
  },
  {
    name: 'R2: one symbol on all chains',
    document: `{ assets(filter: { symbols: ["INIT"] }, first: 100) { nodes {
      chainId denom symbol name decimals logoUrl isHidden
    } } }`,
    requests: 1,
    expected: { assets: { nodes: expect.any(Array) } },
  },
  {
    name: 'R3: the picker of the assets of a chain',
    document: `{ assets(chainId: "galley-1", search: "init", first: 100) { nodes {
      denom symbol name decimals logoUrl isHidden
    } } }`,
    requests: 1,
    expected: { assets: { nodes: expect.any(Array) } },
  },
  {
    name: 'R4: balances with their values',
    document: `{ chain(chainId: "harbor-1") { account(address: "${person}") {
      balances { denom amount usdValue usdPrice }
    } } }`,
    // Those of one more operation within five minutes cost one: the router's list of chains is kept.
    requests: 2,
    expected: { chain: { account: { balances: expect.any(Array) } } },
  },
  {
    name: 'R5: balances on several chains, with and without an indexer',
    document: `{ ${['harbor-1', 'galley-1', 'lantern-1', '1']
      .map(
        (chainId, index) => `c${index}: chain(chainId: "${chainId}") {
          account(address: "${hex}") { balances { denom amount usdValue } }
        }`,
      )
      .join(' ')} }`,
    requests: 2,
    expected: {
      c0: { account: { balances: expect.any(Array) } },
      c3: { account: { balances: expect.any(Array) } },
    },
  },
  {
    name: 'R6: two quotes beside each other, with the records that the form shows',
    document: `{
      fast: route(input: { ${toGalley('l2/')}, amountIn: "2500000" }) { ${routeFields} }
      lossless: route(input: { ${toGalley('l2/')}, amountIn: "2500000", isOpWithdrawal: true }) { ${routeFields} }
    }`,
    requests: 3,
    expected: { fast: { amountOut: text }, lossless: { amountOut: text } },
  },
  {
    name: 'R6b: what to send to receive an exact amount',
    document: `{ route(input: { ${toGalley('l2/')}, amountOut: "2500000" }) { amountIn routeToken } }`,
    requests: 1,
    expected: { route: { amountIn: '2500000' } },
  },
  {
    name: 'R8: the hook to sign before a deposit',
    prepare: async (world) => ({
      input: {
        routeToken: await tokenOf(world, 'evm/'),
        ...{ sourceAddress: person, destinationAddress: person },
      },
    }),
    document: 'query ($input: OpHookInput!) { opHook(input: $input) { chainId messages { typeUrl raw } } }',
    requests: 1,
    expected: { opHook: { chainId: 'galley-1' } },
  },
  {
    name: 'R9: the transactions to sign for a quote',
    prepare: async (world) => ({
      input: {
        routeToken: await tokenOf(world),
        ...{ addresses: [person, person], slippageTolerancePercent: '0.5' },
      },
    }),
    document: `query ($input: TransferMessagesInput!) { transferMessages(input: $input) {
      transactions {
        chainId signer
        ... on CosmosTransactionRequest { messages { typeUrl raw } }
        ... on EvmTransactionRequest { to value data approvals { tokenContract spender amount } }
      }
    } }`,
    requests: 1,
    expected: {
      transferMessages: {
        transactions: [
          {
            chainId: 'harbor-1',
            messages: [{ typeUrl: '/opinit.ophost.v1.MsgInitiateTokenDeposit', raw: text }],
          },
        ],
      },
    },
  },
  {
    name: 'R10: tracking of a transaction that was just sent',
    document: `mutation { trackTransfer(input: { chainId: "harbor-1", hash: "${hashOf('01')}" }) {
      explorerUrl transfer { state }
    } }`,
    requests: 2,
    expected: { trackTransfer: { explorerUrl: text, transfer: { state: 'SUBMITTED' } } },
  },
  {
    name: 'R11: the status of the transfers on a page of the history',
    prepare: async (world) => {
      for (const ending of ['00', '01']) {
        await world.data(`mutation { trackTransfer(
          input: { chainId: "harbor-1", hash: "${hashOf(ending)}" }
        ) { explorerUrl } }`)
      }
      return {}
    },
    document: `{ ${['00', '01', '02']
      .map(
        (ending, index) => `t${index}: transfer(chainId: "harbor-1", hash: "${hashOf(ending)}") {
          state isTerminal hops { state toChainId transactions { hash explorerUrl } }
          assetRelease { chainId denom amount isReleased }
        }`,
      )
      .join(' ')} }`,
    // The status of each, and the indexer's record of the one that the router does not know.
    requests: 4,
    expected: { t0: { state: 'SUBMITTED' }, t1: { isTerminal: false }, t2: null },
  },
  {
    name: 'R12: the messages that send NFTs to another chain',
    document: `{ nftTransferMessages(input: {
      sourceChainId: "harbor-1", sourceAddress: "${person}", tokenIds: ["1"], collectionAddress: "${hex}"
      destinationChainId: "galley-1", destinationAddress: "${person}"
    }) { rawKind isAmino body } }`,
    requests: 1,
    expected: { nftTransferMessages: [{ rawKind: text }] },
  },
  {
    name: 'I1: the newest transactions of an account on all chains',
    document: `{ account(address: "${person}") { activity(first: 10) {
      edges { chain { chainId } node { ... on Transaction {
        hash timestamp isSuccessful messages { typeUrl body } events { type }
        signers { account { bech32Address } } fee { amount { denom amount } }
      } } }
      pageInfo { endCursor hasNextPage } unavailableChains { chainId }
    } } }`,
    isOld: true,
    requests: 3,
    expected: { account: { activity: { edges: expect.any(Array), unavailableChains: [] } } },
  },
  {
    name: 'I1b: the denom that fees were last paid in',
    document: `{ chain(chainId: "harbor-1") { account(address: "${person}") {
      transactions(filter: { signedOnly: true }, first: 1) { nodes { fee { amount { denom } } } }
    } } }`,
    requests: 1,
    expected: { chain: { account: { transactions: { nodes: expect.any(Array) } } } },
  },
  {
    name: 'I2: the NFTs of an account on all chains',
    document: `{ account(address: "${person}") { nfts(first: 100) {
      edges { chain { chainId } node {
        tokenId uri objectAddress collection { address name }
      } }
      pageInfo { endCursor hasNextPage }
    } } }`,
    requests: 3,
    expected: { account: { nfts: { edges: expect.any(Array) } } },
  },
  {
    name: 'I3: the creator of a collection',
    prepare: async (world) => {
      const { chain } = await world.data(
        '{ chain(chainId: "harbor-1") { nftCollections(first: 1) { nodes { address } } } }',
      )
      return { address: chain.nftCollections.nodes[0].address }
    },
    document: `query ($address: Address!) { chain(chainId: "harbor-1") {
      nftCollection(address: $address) { creator { bech32Address } }
    } }`,
    requests: 1,
    expected: { chain: { nftCollection: { creator: { bech32Address: text } } } },
  },
  {
    name: 'I4: the price of an asset, whether it is held or not',
    document: '{ asset(chainId: "harbor-1", denom: "uinit") { symbol usdPrice } }',
    requests: 2,
    expected: { asset: { symbol: 'INIT', usdPrice: '0.35' } },
  },
]

test.each(calls)('$name: one document takes $requests upstream requests', async (call) => {
  const world = await startWorld(call.isOld ? { chains: sandboxChains } : {})
  worlds.push(world)
  const variables = (await call.prepare?.(world)) ?? {}
  const { data, errors, sent } = await world.trace(call.document, variables)
  expect({ data, errors }).toMatchObject({ errors: undefined, data: call.expected })
  expect(sent.length, sent.join('\n')).toBe(call.requests)
})

test('R7: a refused quote has the message of the router, and takes one request', async () => {
  const world = await startWorld()
  worlds.push(world)
  const { errors, sent } = await world.trace(`{ route(input: {
    source: { chainId: "1", denom: "ethereum-native" }, amountIn: "1000"
    destination: { chainId: "osmosis-1", denom: "uosmo" }
  }) { amountOut } }`)
  expect(errors?.[0]?.extensions).toMatchObject({ upstreamMessage: text, info: text })
  expect(sent).toHaveLength(1)
})

test('R11: watchers of one transfer share its polls', async () => {
  await using world = await startRouterWorld()
  const document = `subscription { transfer(chainId: "harbor-1", hash: "${hashOf('02')}") {
    state isTerminal hops { state toChainId transactions { hash } } assetRelease { amount }
  } }`
  const watches = await Promise.all([1, 2, 3].map(() => world.watch(document)))
  await world.clock.advance(0)
  // The tracking, and its status.
  expect(world.requests()).toHaveLength(2)
  await world.clock.advance(5_000)
  expect(world.requests().length).toBeLessThanOrEqual(5)
  await world.clock.advance(60_000)
  for (const { end, events } of watches) {
    expect(end).toBe('completed')
    expect(events.at(-1)).toMatchObject({ transfer: { state: 'COMPLETED_SUCCESS' } })
  }
})
