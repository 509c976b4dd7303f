import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { account, hash } from './browser.ts'

/** A request to the REST API of a service: its name, the path, and what is sent to a POST. */
type RestRequest = readonly [service: string, path: string, body?: object]

const all = ['harbor-1', 'galley-1', 'lantern-1']
const hex = '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817'
const evmHash = '0xb14aa36458e1928ec4826b3642bdb97fcc38127264b3e07bb067adba1640d639'
const contract = '0x7cb7069ac3f429e199d886f49c31aa997560d464'
const gal = 'evm/4f3edf983ac636a65a842ce7c78d9aa706d3b113'

/** The assets that a search for "lantern" finds. */
const lanterns = [
  ['lantern-1', 'ulant'],
  ['harbor-1', 'ibc/04B20B84C55D147E2F35BEDDEEC5CA5D821D104BA8F99A84AA8E9DB0EEA75600'],
  ['osmosis-1', 'ibc/1D52A1102BC756FB833FE552A6F9F9D412F07AC89009C59DDB2EC88188D95475'],
] as const

/** The first assets of all chains, in the order of the router. */
const listed = [
  ['1', 'ethereum-native'],
  ['1', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
  ['1', '0x5ee51f8357a5dfc7e93cf9c2cc8198f8d13f807b'],
  ['1', '0xe8484d7d45d62da0ce90e6cd07d38daafedd4c1b'],
  ['osmosis-1', 'uosmo'],
  ['osmosis-1', 'ibc/498A0751C798A0D9A389AA3691123DADA57DAA4FE165D5C75894505B876BA6E4'],
  ['osmosis-1', 'ibc/EA1D43981D5C9A1C4AAEA9C23BB1D4FA126BA9BC7020A25E0AE4AA841EA25DC5'],
  ['osmosis-1', 'ibc/D049E2070D1BAD7036F8683C91255F4322F34ACE2D344E2F34C8FE274596D36B'],
  ['osmosis-1', 'ibc/680D95BD2185A5E57C09490FBB483AF5AC9C9E8961442B914DDB109846D82172'],
  ['osmosis-1', 'ibc/1D52A1102BC756FB833FE552A6F9F9D412F07AC89009C59DDB2EC88188D95475'],
  ['noble-1', 'uusdc'],
  ['harbor-1', 'uinit'],
  ['harbor-1', 'ibc/B4F8297D4C270E82BDF11D51FD51A9FD23B0958B98B1E08346477452119E7D70'],
  ['harbor-1', 'ibc/6490A7EAB61059BFC1CDDEB05917DD70BDF3A611654162A1A47DB930D40D8AF4'],
  ['harbor-1', 'ibc/B19F73FC55C4A09121C765356CDE687C73C70199BB88C820CB9310E2EAC9F6D0'],
] as const

const key = encodeURIComponent(btoa('{"sequence":1}'))

const chains: RestRequest = ['router', '/v2/info/chains']
const assets = (chainId: string): RestRequest => ['router', `/v2/fungible/assets?chain_ids=${chainId}`]
const newest = (chainId: string): RestRequest => [chainId, '/indexer/block/v1/blocks?pagination.limit=1']
/** How many transactions a chain has, which takes longer than to read the newest. */
const countOf = (chainId: string): RestRequest => [
  chainId,
  '/indexer/tx/v1/txs?pagination.limit=1&pagination.count_total=true',
]
/** What an asset is worth: the value that the router gives of a route. */
const price = (chainId: string, denom: string): RestRequest => {
  const source = { source_asset_chain_id: chainId, source_asset_denom: denom }
  const dest = { dest_asset_chain_id: chainId, dest_asset_denom: denom }
  const amount = { amount_in: '1000000000000', allow_unsafe: true }
  return ['router', '/v2/fungible/route', { ...source, ...dest, ...amount }]
}

/** What each tab of an account has beside it: its balances, with names and values. */
const accountParts: readonly RestRequest[] = [
  ...all.map(assets),
  [
    'router',
    '/v2/info/balances',
    {
      chains: Object.fromEntries(all.map((chainId) => [chainId, { address: account, denoms: [] }])),
    },
  ],
  chains,
]

/**
 * What a frontend without the graph requests for what is shown on a page, with its names, words and values. Pages of
 * NFTs have one of them.
 */
export const restRequests = (
  collection: string,
  tokenId: string,
): Readonly<Record<string, readonly RestRequest[]>> => ({
  '/': [
    ...all.flatMap((chainId): RestRequest[] => [
      [chainId, '/indexer/block/v1/blocks?pagination.limit=30'],
      [chainId, '/indexer/tx/v1/txs?pagination.limit=6'],
      countOf(chainId),
      [chainId, '/indexer/nft/v1/collections?pagination.limit=50'],
      assets(chainId),
    ]),
    ...[price('harbor-1', 'uinit'), price('galley-1', gal), price('lantern-1', 'ulant')],
    chains,
  ],
  '/search': [
    ...all.map((chainId): RestRequest => [chainId, '/indexer/nft/v1/collections/by_name/lantern']),
    ['router', '/v2/fungible/assets'],
    chains,
    ...lanterns.map(([chainId, denom]) => price(chainId, denom)),
    // Which bridge an asset came over.
    ['router', '/v2/info/bridges'],
  ],
  '/chain/…': [
    ['galley-1', '/status'],
    ['galley-1', '/indexer/block/v1/avg_blocktime'],
    ['galley-1', '/indexer/block/v1/blocks?pagination.limit=30'],
    ['galley-1', '/indexer/tx/v1/txs?pagination.limit=20'],
    countOf('galley-1'),
    ['galley-1', '/indexer/nft/v1/collections?pagination.limit=12'],
    ...[assets('galley-1'), chains],
    price('galley-1', gal),
    price('galley-1', 'l2/771d639f30fbe45e3fbca954ffbe2fcc26f915f5513c67a4a2d0bc1d635bdefd'),
    price('galley-1', 'l2/024e465f25d07e24d4a02559dc615ee0a6c1d6bbc34a3ad68d8e3b7a918f4b89'),
    price('galley-1', 'evm/2b37fd7c6f09a85f45b40512dc6337b51be6a71a'),
    price('galley-1', 'evm/09aab0067d1a8c33099eff8e40aef4ed9cd23e95'),
  ],
  '/block/…': [
    ['galley-1', '/indexer/block/v1/blocks/1041'],
    ['galley-1', '/indexer/tx/v1/txs/by_height/1041'],
    ['galley-1', '/indexer/tx/v1/evm-txs/by_height/1041'],
    // Whether there is a next one.
    newest('galley-1'),
    ...[assets('galley-1'), chains, price('galley-1', gal)],
  ],
  '/tx/…': [
    // No chain is in the address of the page.
    ...all.map((chainId): RestRequest => [chainId, `/indexer/tx/v1/txs/${hash}`]),
    // Which EVM transaction it is.
    ['galley-1', '/indexer/tx/v1/txs/by_height/1041'],
    ['galley-1', '/indexer/tx/v1/evm-txs/by_height/1041'],
    ['galley-1', `/indexer/tx/v1/evm-internal-txs/${evmHash}`],
    ['galley-1', `/indexer/nft/v1/collections/${contract}`],
    ...[assets('galley-1'), chains, price('galley-1', gal)],
  ],
  '/address/…': [
    ...accountParts,
    ...all.map((chainId): RestRequest => [chainId, `/indexer/tx/v1/txs/by_account/${hex}`]),
  ],
  '/address/…?tab=transfers': [
    ...accountParts,
    ...all.map((chainId): RestRequest => [chainId, `/indexer/tx/v1/txs/by_account/${hex}`]),
  ],
  '/address/…?tab=nfts': [
    ...accountParts,
    ...all.map((chainId): RestRequest => [chainId, `/indexer/nft/v1/tokens/by_account/${hex}`]),
  ],
  '/address/…?tab=evm': [
    ...accountParts,
    ['galley-1', `/indexer/tx/v1/evm-txs/by_account/${hex}`],
    ['galley-1', `/indexer/tx/v1/evm-internal-txs/by_account/${hex}`],
    // A receipt has no time: the block of each of the 20 rows has it.
    ...Array.from({ length: 20 }, (_, index): RestRequest => ['galley-1', `/indexer/block/v1/blocks/${1000 + index}`]),
  ],
  '/asset/…': [['harbor-1', '/indexer/richlist/v1/uinit'], ...[assets('harbor-1'), chains, price('harbor-1', 'uinit')]],
  '/assets': [
    ...[['router', '/v2/fungible/assets'] as const, chains],
    // The first fifteen of the list.
    ...listed.map(([chainId, denom]) => price(chainId, denom)),
    ['router', '/v2/info/bridges'],
  ],
  '/validators/…': [['harbor-1', '/indexer/block/v1/blocks?pagination.limit=100'], chains],
  '/contracts/…': [
    ['galley-1', '/indexer/tx/v1/txs?pagination.limit=100'],
    ['galley-1', '/indexer/nft/v1/collections?pagination.limit=50'],
    ...[assets('galley-1'), chains],
  ],
  '/usage/…': [['galley-1', '/indexer/tx/v1/txs?pagination.limit=100'], chains],
  '/collection/…': [
    ['galley-1', `/indexer/nft/v1/collections/${collection}`],
    ['galley-1', `/indexer/nft/v1/tokens/by_collection/${collection}`],
    chains,
  ],
  '/contract/…': [
    ['galley-1', `/indexer/tx/v1/evm-txs/by_account/${contract}`],
    ['galley-1', `/indexer/tx/v1/evm-internal-txs/by_account/${contract}`],
    // The oldest of both, and the block that has the time of it.
    ['galley-1', `/indexer/tx/v1/evm-txs/by_account/${contract}?pagination.limit=1`],
    ['galley-1', `/indexer/tx/v1/evm-internal-txs/by_account/${contract}?pagination.limit=1`],
    ['galley-1', '/indexer/block/v1/blocks/1'],
    ['galley-1', `/indexer/nft/v1/collections/${contract}`],
    ...[assets('galley-1'), chains],
  ],
  '/nft/…': [
    ['galley-1', `/indexer/nft/v1/tokens/by_collection/${collection}?token_id=${tokenId}`],
    ['galley-1', `/indexer/nft/v1/txs/${collection}/${tokenId}`],
    // The last page of a list has the key of a next one too: only that shows whether there are more.
    ['galley-1', `/indexer/nft/v1/txs/${collection}/${tokenId}?pagination.key=${key}`],
    chains,
  ],
  '/transfer/…': [chains],
  '/transfers': [chains],
  '/quote': [
    ...[chains, assets('harbor-1'), assets('galley-1')],
    [
      'router',
      '/v2/fungible/route',
      {
        ...{ amount_in: '1000000', allow_multi_tx: true },
        ...{ source_asset_chain_id: 'harbor-1', source_asset_denom: 'uinit' },
        ...{ dest_asset_chain_id: 'galley-1', dest_asset_denom: gal },
      },
    ],
  ],
  '/status': [
    ...all.flatMap((chainId): RestRequest[] => [
      [chainId, '/status'],
      [chainId, '/indexer/block/v1/avg_blocktime'],
      newest(chainId),
    ]),
    ['router', '/v2/info/bridges'],
    chains,
  ],
})

/** The services of a sandbox without a gateway. `request` resolves to the status of an answer. */
export async function startServices() {
  const main = fileURLToPath(new URL('../../../../dist/main.js', import.meta.url))
  const services = spawn(process.execPath, [main, 'sandbox'], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const urls = new Map<string, string>()
  for await (const line of createInterface({ input: services.stdout })) {
    const [, name = '', value = ''] = /^([A-Z_]+)=(.*)$/.exec(line) ?? []
    if (name === 'ROUTER_URL') urls.set('router', value)
    if (name === 'INDEXERS') {
      for (const part of value.split(',')) {
        const [chainId = '', url = ''] = part.split('=')
        urls.set(chainId, url)
      }
    }
    if (urls.size > all.length) break
  }
  services.stdout.resume()
  const request = async ([service, path, body]: RestRequest): Promise<number> => {
    const headers = { 'content-type': 'application/json' }
    const post = body && { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${urls.get(service)}${path}`, post)
    await response.arrayBuffer()
    return response.status
  }
  return { request, urls, stop: () => services.kill('SIGKILL') }
}
