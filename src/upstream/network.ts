import type { Upstream } from './client.ts'

/** The virtual machine of a chain. */
export type Vm = 'EVM' | 'MOVE' | 'WASM'

/** A block explorer. Its pages are URL templates with `${txHash}` or `${accountAddress}`. */
export interface Explorer {
  readonly name: string | null
  readonly transactionPage: string | null
  readonly accountPage: string | null
}

/** A chain served by this gateway. */
export interface ServedChain {
  readonly chainId: string
  readonly name: string
  /** Undefined if not configured. The gateway then asks the indexer whether the chain has an EVM. */
  readonly vm: Vm | undefined
  readonly bech32Prefix: string | undefined
  readonly logoUrl: string | undefined
  readonly explorers: readonly Explorer[]
  /** Base denoms accepted for fees. */
  readonly feeDenoms: readonly string[]
  readonly indexer: Upstream
}

/** All upstreams of the gateway. */
export interface Network {
  readonly chains: ReadonlyMap<string, ServedChain>
  readonly defaultChain: ServedChain
  /** Undefined if no router is configured. */
  readonly router: Upstream | undefined
}
