import type { SandboxChain, Vm } from '../chains.ts'
import { tokenOf } from './assets.ts'

/** A chain the router moves assets over: one of the sandbox's, or a well-known outside one. */
export interface RouterChain {
  readonly chainId: string
  readonly name: string
  readonly prettyName: string
  readonly type: 'cosmos' | 'evm'
  /** The virtual machine of a sandbox chain, undefined for outside chains. */
  readonly vm: Vm | undefined
  /** '' on an EVM chain, whose addresses are 0x hex. */
  readonly bech32Prefix: string
  readonly feeDenom: string
  /** Pays for gas where transactions are EVM transactions. */
  readonly evmFee?: { readonly name: string; readonly symbol: string; readonly decimals: number }
  /** Link to a transaction, ready for the hash to be appended. */
  readonly explorer: string
}

/** The swap venues and the chains they live on; a hub keeps its own. */
export const outsideVenues = [
  { name: 'osmosis-poolmanager', chainId: 'osmosis-1' },
  { name: 'ethereum-uniswap', chainId: '1' },
] as const

/** The real chains beyond the sandbox that its routes reach. */
export const outsideChains: readonly RouterChain[] = [
  {
    chainId: 'osmosis-1',
    name: 'osmosis',
    prettyName: 'Osmosis',
    type: 'cosmos',
    vm: undefined,
    bech32Prefix: 'osmo',
    feeDenom: 'uosmo',
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
export function sandboxSide(chain: SandboxChain): RouterChain {
  const { chainId, prettyName, vm, bech32Prefix, denom, symbol, decimals } = chain
  return {
    chainId,
    name: prettyName.toLowerCase(),
    prettyName,
    type: 'cosmos',
    vm,
    bech32Prefix,
    feeDenom: denom,
    ...(vm === 'evm' ? { evmFee: { name: tokenOf(symbol).name, symbol, decimals } } : {}),
    explorer: `https://scan.example/${chainId}/txs/`,
  }
}

/** The hub's own venue. */
export function hubVenue(hub: { readonly chainId: string }): { name: string; chainId: string } {
  return { name: `${hub.chainId.replace(/-\d+$/, '')}-dex`, chainId: hub.chainId }
}
