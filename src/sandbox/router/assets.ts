import { sha256 } from '@noble/hashes/sha2.js'
import { sha3_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** What every form of one token shares, whichever chain it sits on. */
export interface Token {
  readonly symbol: string
  readonly name: string
  /** Decimals of the form the token was born in; wrapped forms may differ. */
  readonly decimals: number
  /** Market value of one whole token, which sets the depth of the pools. */
  readonly usd: number
  /** Whether the router knows that value: replies about an unpriced token carry no USD amounts. */
  readonly priced: boolean
  readonly coingeckoId?: string
}

/** One token in one of its forms on one chain. */
export interface RouterAsset {
  readonly chainId: string
  readonly denom: string
  readonly token: Token
  readonly decimals: number
  readonly originChainId: string
  readonly originDenom: string
  /** The ICS-20 path back to the origin, '' when the asset did not come over IBC. */
  readonly trace: string
  /** The ERC-20 contract behind the denom, where there is one. */
  readonly contract?: string
  /** Plumbing that wallets do not offer for choice. */
  readonly hidden?: boolean
}

const table: Readonly<Record<string, Token>> = {
  INIT: { symbol: 'INIT', name: 'Init', decimals: 6, usd: 0.35, priced: true },
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

/** The token of that symbol; a symbol nobody listed is a token without a known price. */
export function tokenOf(symbol: string, decimals = 6): Token {
  return table[symbol] ?? { symbol, name: symbol, decimals, usd: 0.05, priced: false }
}

/** The voucher denom of an ICS-20 path such as `transfer/channel-0/uinit`. */
export function ibcDenom(path: string): string {
  return `ibc/${bytesToHex(sha256(utf8ToBytes(path))).toUpperCase()}`
}

/** The denom a hub coin takes on the rollup behind that bridge. */
export function l2Denom(bridgeId: number, hubDenom: string): string {
  const id = new Uint8Array(8)
  new DataView(id.buffer).setBigUint64(0, BigInt(bridgeId))
  return `l2/${bytesToHex(sha3_256(concatBytes(id, utf8ToBytes(hubDenom))))}`
}

/** A made-up but lasting 20-byte contract address, lower-case with 0x. */
export function contractAddress(...of: readonly string[]): string {
  return `0x${bytesToHex(sha256(utf8ToBytes(of.join('/')))).slice(0, 40)}`
}

/** Where an asset is found again: EVM addresses compare without regard to case. */
export function assetKey(chainId: string, denom: string): string {
  return `${chainId} ${/^(evm\/|0x)/.test(denom) ? denom.toLowerCase() : denom}`
}

/** The value of a base-unit amount, undefined when the router has no price for the token. */
export function usdOf(asset: RouterAsset, amount: bigint): number | undefined {
  return asset.token.priced ? (Number(amount) / 10 ** asset.decimals) * asset.token.usd : undefined
}

/** The asset as the router's replies carry it. */
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
    recommended_symbol: token.symbol,
    ...(asset.hidden ? { hidden: true } : {}),
  }
}
