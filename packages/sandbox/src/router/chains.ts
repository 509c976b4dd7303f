import type { SandboxChain, Vm } from '../chains.ts'
import { usualGasPrice } from '../gasPrice.ts'
import { tokenOf } from './assets.ts'

/** A chain of the router: one of the sandbox's, or a well-known outside one. */
export interface RouterChain {
  readonly chainId: string
  readonly name: string
  readonly prettyName: string
  readonly type: 'cosmos' | 'evm'
  /** The virtual machine. Undefined for outside chains. */
  readonly vm: Vm | undefined
  /** Empty on an EVM chain, where addresses are 0x hex. */
  readonly bech32Prefix: string
  readonly feeDenom: string
  /** What a unit of gas costs in base units of that denom. Undefined on an EVM chain. */
  readonly gasPrice?: GasPrice
  /** The token that pays for gas of EVM transactions. */
  readonly evmFee?: { readonly name: string; readonly symbol: string; readonly decimals: number }
  /** The link to a transaction, without the hash at its end. */
  readonly explorer: string
}

/** Prices of a unit of gas. */
export interface GasPrice {
  readonly low: string
  readonly average: string
  readonly high: string
}

const outsideGasPrice: GasPrice = { low: '0.015', average: '0.015', high: '0.04' }

/** Transactions in a hurry pay up to four times the usual price. */
const sandboxGasPrice = (usual: bigint): GasPrice => ({ low: `${usual}`, average: `${usual}`, high: `${usual * 4n}` })

/** The swap venues of the outside chains. */
export const outsideVenues = [
  { name: 'osmosis-poolmanager', chainId: 'osmosis-1' },
  { name: 'ethereum-uniswap', chainId: '1' },
] as const

/** The outside chains that routes can reach. */
export const outsideChains: readonly RouterChain[] = [
  {
    chainId: 'osmosis-1',
    name: 'osmosis',
    prettyName: 'Osmosis',
    type: 'cosmos',
    vm: undefined,
    bech32Prefix: 'osmo',
    feeDenom: 'uosmo',
    gasPrice: outsideGasPrice,
    explorer: 'https://www.mintscan.io/osmosis/transactions/',
  },
  {
    chainId: 'noble-1',
    name: 'noble',
    prettyName: 'Noble',
    type: 'cosmos',
    vm: undefined,
    bech32Prefix: 'noble',
    feeDenom: 'uusdc',
    gasPrice: outsideGasPrice,
    explorer: 'https://www.mintscan.io/noble/transactions/',
  },
  {
    chainId: '1',
    name: 'ethereum',
    prettyName: 'Ethereum',
    type: 'evm',
    vm: undefined,
    bech32Prefix: '',
    feeDenom: 'ethereum-native',
    evmFee: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    explorer: 'https://etherscan.io/tx/',
  },
]

/** A chain of the sandbox as the router sees it. */
export function sandboxSide(chain: SandboxChain): RouterChain & { readonly gasPrice: GasPrice } {
  const { chainId, prettyName, vm, bech32Prefix, denom, symbol, decimals } = chain
  return {
    chainId,
    name: prettyName.toLowerCase(),
    prettyName,
    type: 'cosmos',
    vm,
    bech32Prefix,
    feeDenom: denom,
    gasPrice: sandboxGasPrice(usualGasPrice(chain)),
    ...(vm === 'evm' ? { evmFee: { name: tokenOf(symbol).name, symbol, decimals } } : {}),
    explorer: `https://scan.example/${chainId}/txs/`,
  }
}

/** The swap venue of the hub. */
export function hubVenue(hub: { readonly chainId: string }): { name: string; chainId: string } {
  return { name: `${hub.chainId.replace(/-\d+$/, '')}-dex`, chainId: hub.chainId }
}
