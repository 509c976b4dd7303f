/** The virtual machine a chain runs its contracts on. */
export type Vm = 'evm' | 'move' | 'wasm'

/** One chain of the simulated network. Each of its records is a pure function of seed and height. */
export interface SandboxChain {
  readonly chainId: string
  readonly prettyName: string
  readonly vm: Vm
  /** Whether it is the chain that every rollup bridges to. At most one chain is the hub. */
  readonly isHub: boolean
  readonly bech32Prefix: string
  /** Base denom of the fee token. */
  readonly denom: string
  readonly symbol: string
  /** Number of decimal places of the fee token. */
  readonly decimals: number
  /** The number of its bridge to the hub, of a rollup. Default: its place among the rollups, from 1. */
  readonly bridgeId?: number
  /** Time between blocks, in milliseconds. */
  readonly blockTime: number
  /** Whether blocks come sooner than that, by up to half of it. The mean time stays the same. Default: false. */
  readonly isUneven?: boolean
  /** Time of block 1, in milliseconds since 1970. */
  readonly genesis: number
  readonly quirks?: Quirks
}

/** Differences of a chain's indexer from the reference indexer. */
export interface Quirks {
  /** Reduces larger page limits to this number instead of rejecting them. */
  readonly maxLimit?: number
  /** Uses page keys that cannot be decoded and are valid in one direction only. */
  readonly opaqueKeys?: boolean
  /** Sends no key with the last page of a list. */
  readonly keylessEnd?: boolean
  /** Serves no EVM internal transactions. */
  readonly internalTxOff?: boolean
  /** Serves no rich list. */
  readonly richListOff?: boolean
  /** Counting takes too long: totals that need a count are "-1". */
  readonly totals?: 'timeout'
  /** Has no record of some blocks: of few that are empty, or of many, although it has their transactions. */
  readonly missingHeights?: 'few' | 'many'
  /** NFTs of collections are burnt, and others minted, every few blocks. */
  readonly burns?: boolean
  /** Gives NFTs ids that are hard to put in a path. */
  readonly oddIds?: boolean
  /** Holders of equal amounts come in another order on each page. */
  readonly looseTies?: boolean
  /** Some transactions do the same as the one before them, but are not signed as EVM transactions. */
  readonly repeats?: boolean
  /** Some records have values that the reference indexer never writes, or cannot be read at all. */
  readonly oddRecords?: boolean
}

const genesis = Date.UTC(2026, 8, 1)

/** The default chains: a Move hub, an EVM rollup and a Wasm rollup. */
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
    isUneven: true,
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
    bridgeId: 1,
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
    bridgeId: 2,
    blockTime: 3_000,
    isUneven: true,
    genesis,
    quirks: { missingHeights: 'few' },
  },
]
