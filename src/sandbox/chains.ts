/** The virtual machine a chain runs its contracts on. */
export type Vm = 'evm' | 'move' | 'wasm'

/** One chain of the simulated network; every record of it is a pure function of (seed, height). */
export interface SandboxChain {
  readonly chainId: string
  readonly prettyName: string
  readonly vm: Vm
  /** The hub is the layer every rollup bridges to. */
  readonly isHub: boolean
  readonly bech32Prefix: string
  /** Base denom of the fee token. */
  readonly denom: string
  readonly symbol: string
  /** Decimal places between the base denom and the symbol. */
  readonly decimals: number
  /** Milliseconds between blocks. */
  readonly blockTime: number
  /** Unix milliseconds of block 1. */
  readonly genesis: number
  readonly quirks?: Quirks
}

/** Ways in which this chain's indexer departs from the usual one. */
export interface Quirks {
  /** Larger limits are clamped to this instead of refused. */
  readonly maxLimit?: number
  /** Page keys cannot be decoded, and hold only in the direction they were cut in. */
  readonly opaqueKeys?: boolean
  readonly internalTxOff?: boolean
  readonly richListOff?: boolean
  /** Counts with a time limit give up: their totals are "-1". */
  readonly totals?: 'timeout'
}

const genesis = Date.UTC(2026, 8, 1)

/** The chains the sandbox serves an indexer for: a Move hub, an EVM rollup and a Wasm rollup. */
export const sandboxChains: readonly SandboxChain[] = [
  {
    chainId: 'harbor-1',
    prettyName: 'Harbor',
    vm: 'move',
    isHub: true,
    bech32Prefix: 'init',
    denom: 'uinit',
    symbol: 'INIT',
    decimals: 6,
    blockTime: 5_000,
    genesis,
  },
  {
    chainId: 'galley-1',
    prettyName: 'Galley',
    vm: 'evm',
    isHub: false,
    bech32Prefix: 'init',
    denom: 'evm/4f3edf983ac636a65a842ce7c78d9aa706d3b113',
    symbol: 'GAL',
    decimals: 18,
    blockTime: 2_000,
    genesis,
  },
  {
    chainId: 'lantern-1',
    prettyName: 'Lantern',
    vm: 'wasm',
    isHub: false,
    bech32Prefix: 'init',
    denom: 'ulant',
    symbol: 'LANT',
    decimals: 6,
    blockTime: 3_000,
    genesis,
  },
]
