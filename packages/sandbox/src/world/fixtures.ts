import { type Account, makeAccount, toBech32 } from '../address.ts'
import type { SandboxChain } from '../chains.ts'
import { usualGasPrice } from '../gasPrice.ts'
import { pick } from '../random.ts'
import { contractAddress, ibcDenom, l2Denom } from '../router/assets.ts'
import { type CollectionFixture, createCollections } from './collections.ts'

/** What never changes about a chain: the accounts, contracts and collections that its transactions use. */
export interface Fixtures {
  readonly chain: SandboxChain
  readonly seed: string
  /** The same on every chain of a seed, as users have one wallet for all chains. */
  readonly users: readonly Account[]
  readonly relayer: Account
  /** Whose coins go between the chains in every way. The same on every chain of a seed. */
  readonly traveller: Account
  readonly feeCollector: Account
  readonly dex: Account
  readonly token: Account
  readonly collections: readonly CollectionFixture[]
  readonly validators: readonly Validator[]
  /** A bridged coin that the router lists, with six decimal places. It pays some of the fees. */
  readonly bridgedDenom: string
  /** What other chains call the bridged coin when they send it here over IBC. */
  readonly bridgedDenomAbroad: string
  /** Fee per unit of gas, in base units of the fee token. */
  readonly gasPrice: bigint
}

/** A proposer of blocks. */
interface Validator {
  readonly moniker: string
  readonly operatorAddress: string
}

/** The coin of the hub of the default chains. */
export const hubDenom = 'uinit'

/** The number of the bridge of a rollup, which every rollup of a network has. */
export const bridgeIdOf = ({ bridgeId = 1 }: SandboxChain): number => bridgeId

const l2Coin = (chain: SandboxChain): string => l2Denom(bridgeIdOf(chain), hubDenom)

/** The channel of the hub that leads to a rollup. */
export const hubChannelOf = (rollup: SandboxChain): string => `channel-${19 + bridgeIdOf(rollup)}`

/** The channel of a chain that is not of the sandbox, which leads to each rollup. */
export const outsideChannel = 'channel-301'

const userCount = 48
const monikers = ['Polaris', 'Dead Reckoning', 'Sextant Labs', 'north-star ✦', 'Fathom Five']

/** The fixtures of a chain. They do not depend on heights or on the clock. */
export function createFixtures(chain: SandboxChain, seed: string): Fixtures {
  const { chainId, bech32Prefix: prefix, vm } = chain
  const contractBytes = vm === 'evm' ? 20 : 32
  const users = Array.from({ length: userCount }, (_, index) => makeAccount(prefix, 20, seed, 'person', index))
  const account = (bytes: 20 | 32, name: string) => makeAccount(prefix, bytes, seed, chainId, name)
  // The hub has a coin of another chain, and a rollup the coin of the hub, which went to another chain and comes back.
  const [bridgedDenom, bridgedDenomAbroad] = chain.isHub
    ? [ibcDenom('transfer/channel-9/uosmo'), 'uosmo']
    : [l2Coin(chain), `transfer/${outsideChannel}/${l2Coin(chain)}`]
  return {
    chain,
    seed,
    users,
    relayer: makeAccount(prefix, 20, seed, 'relayer'),
    traveller: makeAccount(prefix, 20, seed, 'traveller'),
    feeCollector: account(20, 'fee_collector'),
    dex: account(contractBytes, 'dex'),
    token: vm === 'evm' ? erc20Of(chain) : account(contractBytes, 'token'),
    collections: createCollections(chain, seed, userCount),
    validators: monikers.slice(0, chain.isHub ? monikers.length : 1).map((moniker, index) => ({
      moniker: chain.isHub ? moniker : `${chain.prettyName} Sequencer`,
      operatorAddress: makeAccount(`${prefix}valoper`, 20, seed, chainId, 'validator', index).bech32,
    })),
    bridgedDenom,
    bridgedDenomAbroad,
    gasPrice: usualGasPrice(chain),
  }
}

/** The ERC-20 form of the hub's coin, which the router lists as an asset. */
function erc20Of({ chainId, bech32Prefix }: SandboxChain): Account {
  const hex = contractAddress(chainId, 'INIT')
  return { hex, bech32: toBech32(bech32Prefix, hex) }
}

/** An amount of the fee token as one of the bridged coin: as many whole coins, of six decimal places. */
export function bridgedAmount({ chain: { decimals } }: Pick<Fixtures, 'chain'>, amount: bigint): bigint {
  return (amount * 10n ** 6n) / 10n ** BigInt(decimals)
}

/** An amount of whole fee tokens, in base units. */
export function wholeTokens({ decimals }: SandboxChain, amount: number): bigint {
  return BigInt(amount) * 10n ** BigInt(decimals)
}

/** The index of a user, derived from the parts. */
export function randomUser(...parts: (string | number)[]): number {
  return pick(userCount, ...parts)
}
