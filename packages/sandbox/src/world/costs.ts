import { draws, itemAt, pick } from '../random.ts'
import { isSignedAsEthereum } from './ethereum.ts'
import { bridgedAmount, type Fixtures } from './fixtures.ts'
import { calmTransactions } from './schedule.ts'
import type { Shape } from './shape.ts'
import type { Lane } from './stories/lane.ts'

/** Gas and fee of a transaction. `gasUsed` exceeds `gasWanted` if it ran out of gas. */
export interface Cost {
  readonly gasWanted: bigint
  readonly gasUsed: bigint
  readonly fee: { readonly denom: string; readonly amount: string }
}

type Scope = readonly [seed: string, chainId: string, name: string]

/** Gas that is wanted, how much of it is spent in percent, and the price of a unit in tenths of the usual one. */
interface Gas {
  readonly gas: number
  readonly spent: number
  readonly price: number
}

const calmGas = (scope: Scope, source: number): Gas => ({
  gas: 90_000 + pick(210_000, ...scope, 'gas', source),
  spent: 60 + pick(35, ...scope, 'spent', source),
  price: 10,
})

/** Limits that wallets set without an estimate. */
const usualLimits = [100_000, 150_000, 200_000, 200_000, 250_000, 300_000, 500_000]
const prices = [10, 10, 10, 10, 10, 11, 12, 15, 20, 25, 40]

/** Some transactions have a limit of their wallet, some an estimate, and few a large one. Some pay more to be fast. */
function livelyGas(scope: Scope, source: number): Gas {
  const [ofClass = 0, ofLimit = 0, ofSpent = 0, ofPrice = 0] = draws(...scope, 'gas', source)
  const share = ofLimit / 2 ** 32
  const estimate = 80_000 + Math.floor(900_000 * share ** 4)
  const hasUsualLimit = ofClass % 3 === 0
  return {
    gas: hasUsualLimit ? itemAt(usualLimits, ofLimit) : estimate,
    // Estimates are close.
    spent: hasUsualLimit ? 45 + (ofSpent % 50) : 70 + (ofSpent % 24),
    price: itemAt(prices, ofPrice),
  }
}

/** The cost of a transaction. */
export function costOf(fixtures: Fixtures, shape: Shape): Cost {
  const { chain, seed, bridgedDenom, gasPrice } = fixtures
  const { source, failed, variant } = shape
  const scope = [seed, chain.chainId, 'tx'] as const
  const { gas, spent, price } = source > calmTransactions ? livelyGas(scope, source) : calmGas(scope, source)
  const gasWanted = BigInt(gas)
  // The fee of an EVM transaction has no denom.
  const isBridged = source % 17 === 3 && !isSignedAsEthereum(fixtures, shape)
  // An EVM transaction pays the price of its block.
  const fee = isSignedAsEthereum(fixtures, shape) ? gasWanted * gasPrice : (gasWanted * gasPrice * BigInt(price)) / 10n
  return {
    gasWanted,
    gasUsed: failed && variant === 0 ? gasWanted + 1_234n : (gasWanted * BigInt(spent)) / 100n,
    fee: {
      denom: isBridged ? bridgedDenom : chain.denom,
      amount: String(isBridged ? bridgedAmount(fixtures, fee) : fee),
    },
  }
}

/** What each transaction of a lane costs: as much each time, so that the balances after it are known. */
export function storyCost({ seed, chain, gasPrice }: Fixtures, { name }: Lane): Cost {
  const gasWanted = BigInt(300_000 + pick(200_000, seed, chain.chainId, 'gas', name))
  return {
    gasWanted,
    gasUsed: (gasWanted * 4n) / 5n,
    fee: { denom: chain.denom, amount: String(gasWanted * gasPrice) },
  }
}
