import { sha256 } from '@noble/hashes/sha2.js'
import { sha3_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { hexDigest } from '../random.ts'

/** What all forms of a token have in common, on any chain. */
export interface Token {
  readonly symbol: string
  readonly name: string
  /** Number of decimal places on the chain of origin. Wrapped forms may differ. */
  readonly decimals: number
  /** Market value of one token in USD, which determines the depth of the pools. */
  readonly usd: number
  /** Whether the router knows the value. Responses about an unpriced token have no USD amounts. */
  readonly priced: boolean
  readonly coingeckoId?: string
}

/** A form of a token on a chain. */
export interface RouterAsset {
  readonly chainId: string
  readonly denom: string
  readonly token: Token
  readonly decimals: number
  readonly originChainId: string
  readonly originDenom: string
  /** The ICS-20 path back to the origin. Empty if the asset did not come over IBC. */
  readonly trace: string
  /** The ERC-20 contract of the denom. Absent if there is none. */
  readonly contract?: string
  /** Whether wallets should not offer it. */
  readonly hidden?: boolean
}

const table: Readonly<Record<string, Token>> = {
  INIT: { symbol: 'INIT', name: 'Init', decimals: 6, usd: 0.35, priced: true, coingeckoId: 'initia' },
  GAL: { symbol: 'GAL', name: 'Galleon', decimals: 18, usd: 0.02, priced: true },
  LANT: { symbol: 'LANT', name: 'Lantern', decimals: 6, usd: 0.011, priced: false },
  OSMO: {
    symbol: 'OSMO',
    name: 'Osmosis',
    decimals: 6,
    usd: 0.24,
    priced: true,
    coingeckoId: 'osmosis',
  },
  USDC: {
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    usd: 1,
    priced: true,
    coingeckoId: 'usd-coin',
  },
  ETH: {
    symbol: 'ETH',
    name: 'Ether',
    decimals: 18,
    usd: 3200,
    priced: true,
    coingeckoId: 'ethereum',
  },
}

/** The tokens that a service of prices knows, by their CoinGecko ids. */
export const tokensWithPrices: ReadonlyMap<string, Token> = new Map(
  Object.values(table).flatMap((token) => (token.coingeckoId === undefined ? [] : [[token.coingeckoId, token]])),
)

/** The token with a symbol. An unlisted symbol is a token without a known price. */
export function tokenOf(symbol: string, decimals = 6): Token {
  return table[symbol] ?? { symbol, name: symbol, decimals, usd: 0.05, priced: false }
}

/** The voucher denom of an ICS-20 path such as `transfer/channel-0/uinit`. */
export function ibcDenom(path: string): string {
  return `ibc/${bytesToHex(sha256(utf8ToBytes(path))).toUpperCase()}`
}

/** The denom of a hub coin on the rollup of an OPinit bridge. */
export function l2Denom(bridgeId: number, hubDenom: string): string {
  const id = new Uint8Array(8)
  new DataView(id.buffer).setBigUint64(0, BigInt(bridgeId))
  return `l2/${bytesToHex(sha3_256(concatBytes(id, utf8ToBytes(hubDenom))))}`
}

/** A contract address of 20 bytes derived from the parts, lower-case with 0x. */
export function contractAddress(...of: readonly string[]): string {
  return `0x${bytesToHex(sha256(utf8ToBytes(of.join('/')))).slice(0, 40)}`
}

/** The ERC-20 contract that keeps the balances of a denom on an EVM chain. */
export const erc20Contract = (chainId: string, denom: string): string =>
  denom.startsWith('evm/') ? denom.replace('evm/', '0x') : `0x${hexDigest(20, chainId, 'erc20', denom)}`

/** The key of an asset in maps. EVM addresses are compared ignoring case. */
export function assetKey(chainId: string, denom: string): string {
  return `${chainId} ${/^(evm\/|0x)/.test(denom) ? denom.toLowerCase() : denom}`
}

/** The value of an amount in base units, in USD. Undefined if the router has no price for the token. */
export function usdOf(asset: RouterAsset, amount: bigint): number | undefined {
  return asset.token.priced ? (Number(amount) / 10 ** asset.decimals) * asset.token.usd : undefined
}

/** A symbol that differs between the forms of a token on a chain: vouchers name how they came. */
function recommendedSymbol({ trace, originChainId, chainId, token }: RouterAsset): string {
  const hops = trace.split('/').length / 2
  return originChainId !== chainId && hops > 1 ? `${token.symbol}.ibc${hops}` : token.symbol
}

/** The asset as the router returns it inside other records: without what its list of assets says of it. */
export function bareAssetBody(asset: RouterAsset): Record<string, unknown> {
  const { denom, chain_id, origin_denom, origin_chain_id, trace, is_cw20, is_evm, is_svm } = assetBody(asset)
  return { denom, chain_id, origin_denom, origin_chain_id, trace, is_cw20, is_evm, is_svm }
}

/** The asset as the router returns it. */
export function assetBody(asset: RouterAsset): Record<string, unknown> {
  const { token } = asset
  return {
    denom: asset.denom,
    chain_id: asset.chainId,
    origin_denom: asset.originDenom,
    origin_chain_id: asset.originChainId,
    trace: asset.trace,
    is_cw20: false,
    is_evm: asset.chainId === '1',
    is_svm: false,
    symbol: token.symbol,
    name: token.name,
    logo_uri: asset.hidden ? null : `https://assets.example/${token.symbol.toLowerCase()}.png`,
    decimals: asset.decimals,
    token_contract: asset.contract ?? null,
    description: null,
    coingecko_id: token.coingeckoId ?? null,
    recommended_symbol: recommendedSymbol(asset),
    ...(asset.hidden ? { hidden: true } : {}),
  }
}
