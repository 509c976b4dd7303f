import type { Upstream } from './client.ts'

/** The virtual machine a chain runs its contracts on. */
export type Vm = 'EVM' | 'MOVE' | 'WASM'

/** A page of a block explorer, as a template: `${txHash}` or `${accountAddress}` stands for the key. */
export interface Explorer {
  readonly name: string | null
  readonly transactionPage: string | null
  readonly accountPage: string | null
}

/** A chain whose indexer the gateway asks. */
export interface ServedChain {
  readonly chainId: string
  readonly name: string
  /** Undefined when the configuration does not tell; whether it is an EVM is then asked of the indexer. */
  readonly vm: Vm | undefined
  readonly bech32Prefix: string | undefined
  readonly logoUrl: string | undefined
  readonly explorers: readonly Explorer[]
  /** Base denoms fees are paid in. */
  readonly feeDenoms: readonly string[]
  readonly indexer: Upstream
}

/** Everything the gateway can ask. */
export interface Network {
  readonly chains: ReadonlyMap<string, ServedChain>
  readonly defaultChain: ServedChain
  /** Undefined when no router is configured. */
  readonly router: Upstream | undefined
}
