import { pick } from '../random.ts'
import { isSignedAsEthereum } from './ethereum.ts'
import { bridgedAmount, type Fixtures } from './fixtures.ts'
import type { Shape } from './shape.ts'
import type { Lane } from './stories/lane.ts'

/** Gas and fee of a transaction. `gasUsed` exceeds `gasWanted` if it ran out of gas. */
export interface Cost {
  readonly gasWanted: bigint
  readonly gasUsed: bigint
  readonly fee: { readonly denom: string; readonly amount: string }
}

/** The cost of a transaction. */
export function costOf(fixtures: Fixtures, shape: Shape): Cost {
  const { chain, seed, bridgedDenom, gasPrice } = fixtures
  const { source, failed, variant } = shape
  const scope = [seed, chain.chainId, 'tx'] as const
  const gasWanted = BigInt(90_000 + pick(210_000, ...scope, 'gas', source))
  const spent = 60 + pick(35, ...scope, 'spent', source)
  // The fee of an EVM transaction has no denom.
  const isBridged = source % 17 === 3 && !isSignedAsEthereum(fixtures, shape)
  const fee = gasWanted * gasPrice
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
