import { type Account, makeAccount } from '../address.ts'
import type { SandboxChain } from '../chains.ts'
import { hexDigest, pick } from '../random.ts'
import { type CollectionFixture, createCollections } from './collections.ts'

/** The lasting cast of one chain: who and what its transactions are about. */
export interface Fixtures {
  readonly chain: SandboxChain
  readonly seed: string
  /** The same users on every chain of a seed, as wallets are. */
  readonly users: readonly Account[]
  readonly relayer: Account
  readonly feeCollector: Account
  readonly dex: Account
  readonly token: Account
  readonly collections: readonly CollectionFixture[]
  readonly validators: readonly Validator[]
  /** A coin that came over the bridge, in which some fees are paid. */
  readonly bridgedDenom: string
  /** Fee per unit of gas, in base units of the fee token. */
  readonly gasPrice: bigint
}

/** Who proposes blocks. */
export interface Validator {
  readonly moniker: string
  readonly operatorAddress: string
}

const userCount = 48
const monikers = ['Polaris', 'Dead Reckoning', 'Sextant Labs', 'north-star ✦', 'Fathom Five']

/** The cast of a chain; nothing of it depends on heights or on the clock. */
export function createFixtures(chain: SandboxChain, seed: string): Fixtures {
  const { chainId, bech32Prefix: prefix, vm } = chain
  const contractBytes = vm === 'evm' ? 20 : 32
  const users = Array.from({ length: userCount }, (_, index) =>
    makeAccount(prefix, 20, seed, 'person', index),
  )
  const own = (bytes: 20 | 32, name: string) => makeAccount(prefix, bytes, seed, chainId, name)
  return {
    chain,
    seed,
    users,
    relayer: makeAccount(prefix, 20, seed, 'relayer'),
    feeCollector: own(20, 'fee_collector'),
    dex: own(contractBytes, 'dex'),
    token: own(contractBytes, 'token'),
    collections: createCollections(chain, seed, userCount),
    validators: monikers.slice(0, chain.isHub ? monikers.length : 1).map((moniker, index) => ({
      moniker: chain.isHub ? moniker : `${chain.prettyName} Sequencer`,
      operatorAddress: makeAccount(`${prefix}valoper`, 20, seed, chainId, 'validator', index)
        .bech32,
    })),
    bridgedDenom: chain.isHub
      ? `ibc/${hexDigest(32, seed, chainId, 'bridged').toUpperCase()}`
      : `l2/${hexDigest(32, seed, chainId, 'bridged')}`,
    gasPrice: chain.decimals === 18 ? 1_000_000_000n : 1n,
  }
}

/** Whole tokens of the fee token as base units. */
export function wholeTokens({ decimals }: SandboxChain, amount: number): bigint {
  return BigInt(amount) * 10n ** BigInt(decimals)
}

/** Somebody, chosen by the parts. */
export function randomUser(...parts: (string | number)[]): number {
  return pick(userCount, ...parts)
}
