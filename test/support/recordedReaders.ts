import { execute, parse } from 'graphql'
import type { LiveContext } from '../../src/engine/graphql/builder.ts'
import { resolveLimits } from '../../src/engine/limits/limits.ts'
import type { UpstreamRequest } from '../../src/engine/upstream/request.ts'
import { RequestScope } from '../../src/engine/upstream/requestScope.ts'
import { UpstreamHttpError } from '../../src/engine/upstream/upstreamError.ts'
import { Feeds } from '../../src/engine/watch/feeds.ts'
import { noPeers } from '../../src/engine/watch/peers.ts'
import { Poller } from '../../src/engine/watch/poller.ts'
import { CacheStore } from '../../src/kit/cache/cache.ts'
import { systemClock } from '../../src/kit/clock/clock.ts'
import { createFairScheduler } from '../../src/kit/clock/fairScheduler.ts'
import { schema } from '../../src/schema/schema.ts'
import { pathOf, type RecordedAnswer, type RecordedService, recordedAnswer, recordedChain, textOf } from './recorded.ts'
import { fakeChain, networkOf } from './testServer.ts'
import { testSigner } from './testSigner.ts'
import type { Data } from './world.ts'

// The schemas of the wire are private to their subjects. A request has the reader of its answers, so the gateway is made to send
// the request of each path.

type Ask = (document: string) => Promise<Data>

const account = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa8ae'

const ofChain = (fields: string) => (ask: Ask) => ask(`{ chain { ${fields} } }`)
const ofBlock = (height: number, list: string) =>
  ofChain(`block(height: ${height}) { ${list}(first: 1) { nodes { id } } }`)
const ofAccount = (list: string) => ofChain(`account(address: "${account}") { ${list}(first: 1) { nodes { id } } }`)
const ofQuery = (fields: string) => (ask: Ask) => ask(`{ ${fields} }`)

const route = `route(input: {
  source: { chainId: "137", denom: "polygon-native" }, destination: { chainId: "osmosis-1", denom: "uosmo" }
  amountIn: "1000000000000000000"
}) { routeToken requiredAddresses { chainId } }`

async function transferMessages(ask: Ask) {
  const { routeToken } = (await ask(`{ ${route} }`)).route
  const addresses = JSON.stringify([
    'axelar1x8ad0zyw52mvndh7hlnafrg0gt284ga7u3rez0',
    'osmo1x8ad0zyw52mvndh7hlnafrg0gt284ga7syxplu',
    'cosmos1x8ad0zyw52mvndh7hlnafrg0gt284ga7cl43fw',
  ])
  await ask(`{ transferMessages(input: { routeToken: "${routeToken}", addresses: ${addresses} }) { minAmountOut } }`)
}

const token = 'collection: "0x1111111111111111111111111111111111111111", tokenId: "8"'

const transaction = 'chainId: "osmosis-1", hash: "19444D7C23B4C1FB96649EFECA5CCBDF88A6937D6EFDAFD41B96B3CE7BAC12B0"'

/** What makes the gateway request the paths of a route, where `*` stands for a value, the last of which is given. */
const askers: Readonly<Record<string, (ask: Ask, value: string) => Promise<unknown>>> = {
  '/status': ofChain('status { height }'),
  '/indexer/block/v1/avg_blocktime': ofChain('averageBlockTimeSeconds'),
  '/indexer/block/v1/blocks': ofChain('blocks(first: 1) { nodes { hash } }'),
  '/indexer/block/v1/blocks/*': (ask, height) => ask(`{ chain { block(height: ${height}) { hash } } }`),
  '/indexer/tx/v1/txs': ofChain('transactions(first: 1) { nodes { hash } }'),
  '/indexer/tx/v1/txs/*': (ask, hash) => ask(`{ chain { transaction(hash: "${hash}") { code } } }`),
  '/indexer/tx/v1/txs/by_account/*': ofAccount('transactions'),
  '/indexer/tx/v1/txs/by_height/*': ofBlock(24, 'transactions'),
  '/indexer/tx/v1/evm-txs': ofChain('evmTransactions(first: 1) { nodes { hash } }'),
  '/indexer/tx/v1/evm-txs/*': (ask, hash) => ask(`{ chain { evmTransaction(hash: "${hash}") { type } } }`),
  '/indexer/tx/v1/evm-txs/by_account/*': ofAccount('evmTransactions'),
  '/indexer/tx/v1/evm-txs/by_height/*': ofBlock(24, 'evmTransactions'),
  '/indexer/tx/v1/evm-internal-txs': ofChain('evmInternalTransactions(first: 1) { nodes { index } }'),
  '/indexer/tx/v1/evm-internal-txs/*': (ask, hash) =>
    ask(`{ chain { evmTransaction(hash: "${hash}") { internalTransactions(last: 1) { nodes { index } } } } }`),
  '/indexer/tx/v1/evm-internal-txs/by_account/*': ofAccount('evmInternalTransactions'),
  '/indexer/tx/v1/evm-internal-txs/by_height/*': ofChain(
    'block(height: 20) { evmInternalTransactions(last: 1) { nodes { id } } }',
  ),
  '/indexer/nft/v1/collections': ofChain('nftCollections(first: 1) { nodes { address } }'),
  '/indexer/nft/v1/collections/*': (ask, address) => ask(`{ chain { nftCollection(address: "${address}") { name } } }`),
  '/indexer/nft/v1/collections/by_account/*': ofAccount('nftCollections'),
  '/indexer/nft/v1/collections/by_name/*': ofChain(
    'nftCollections(first: 1, filter: { search: "bored" }) { nodes { address } }',
  ),
  '/indexer/nft/v1/tokens/by_account/*': ofAccount('nfts'),
  '/indexer/nft/v1/tokens/by_collection/*': ofChain(`nft(${token}) { uri }`),
  '/indexer/nft/v1/txs/*/*': ofChain(`nft(${token}) { transactions(first: 1) { nodes { id } } }`),
  '/indexer/richlist/v1/*': ofChain(`richList(denom: "uinit", first: 1) { nodes { amount } }`),
  '/v2/info/chains': ofQuery('routableChains(first: 1) { nodes { name } }'),
  '/v2/info/balances': ofQuery(
    `chain(chainId: "osmosis-1") { account(address: "osmo12xufazw43lanl8dkvf3l7y9zzm8n3zswftw2yc") { balances { amount } } }`,
  ),
  '/v2/fungible/assets': ofQuery('assets(chainId: "osmosis-1", first: 1) { nodes { symbol } }'),
  '/v2/fungible/assets_from_source': ofQuery(
    'asset(chainId: "osmosis-1", denom: "uosmo") { destinations(first: 1) { nodes { symbol } } }',
  ),
  '/v2/fungible/assets_between_chains': ofQuery(
    'assetsBetweenChains(sourceChainId: "cosmoshub-4", destinationChainId: "osmosis-1") { transactionCount }',
  ),
  '/v2/fungible/route': ofQuery(route),
  '/v2/fungible/msgs': transferMessages,
  '/v2/tx/status': ofQuery(`transfer(${transaction}) { state }`),
  '/v2/tx/track': (ask) => ask(`mutation { trackTransfer(input: { ${transaction} }) { explorerUrl } }`),
}

/** The route of a path: of several that fit, the one with the longest text of its own. */
function routeOf(path: string): string | undefined {
  const fits = (route: string) => new RegExp(`^${route.replaceAll('*', '[^/]+')}$`).test(path)
  return Object.keys(askers)
    .filter(fits)
    .toSorted((a, b) => b.length - a.length)[0]
}

/** How the gateway reads an answer: by the request that it sends to this path, or else to another path of the same route. */
export async function readerOf(answer: RecordedAnswer): Promise<UpstreamRequest<unknown>['read']> {
  const path = pathOf(answer.path)
  const route = routeOf(path)
  if (route === undefined) throw new Error(`no document is known that makes the gateway request ${path}`)
  const sent = new Map<string, UpstreamRequest<unknown>>()
  const service = path.startsWith('/v2/') ? 'router' : 'indexer'
  const upstream = (name: RecordedService) => async (request: UpstreamRequest<Data>) => {
    const { method, target } = request
    const isOfRoute = name === service && method === answer.method && routeOf(pathOf(target)) === route
    if (isOfRoute) sent.set(pathOf(target), request)
    const known = recordedAnswer(name, method, target)
    if (known?.status === 200) return request.read(known.body, textOf(known))
    if (known && known.status !== 404) throw new UpstreamHttpError(name, known.status, textOf(known))
    if (request.is404Error) throw new UpstreamHttpError(name, 404, '')
    return null
  }
  const chain = { ...fakeChain(recordedChain, upstream('indexer')), vm: 'EVM' as const, bech32Prefix: 'init' }
  const cache = new CacheStore(systemClock)
  const ask: Ask = async (document) => {
    const contextValue: LiveContext = {
      service: { version: '0.0.0', isSandbox: false },
      network: { ...networkOf(chain), router: { service: 'router', source: 'router', send: upstream('router') } },
      clock: systemClock,
      cache,
      limits: resolveLimits({}),
      scheduler: createFairScheduler(systemClock),
      poller: new Poller({ cache }),
      feeds: new Feeds(),
      peers: noPeers,
      signer: testSigner,
      scope: new RequestScope(new AbortController().signal, { clock: systemClock, cache }),
      errorsBeside: [],
    }
    const { data, errors } = await execute({ schema, document: parse(document), contextValue })
    if (errors && sent.size === 0) throw new Error(`${document}: ${errors}`, { cause: errors[0]?.originalError })
    return data
  }
  await askers[route]?.(ask, path.slice(path.lastIndexOf('/') + 1))
  const request = sent.get(path) ?? [...sent.values()][0]
  if (!request) throw new Error(`the gateway does not request ${answer.method} ${path}`)
  return request.read
}
