import { once } from '../memoize.ts'
import type { CoinMove, SandboxCoin } from './coins.ts'
import type { Fixtures } from './fixtures.ts'
import { flowsOf } from './flows.ts'
import type { Settlement, Shape } from './shape.ts'

// In each period of the traffic, some users give more than they get, and others get more. So that the balances
// of users neither end nor grow for ever, the relayer settles with each of them once in a period.

/** Numbers of the traffic between two settlements. */
const distance = 165
const firstNumber = 100
const groupSize = 6

/** The group of users with whom a transaction settles, by its number in the traffic. Undefined if it does not. */
export const settledGroup = (number: number): number | undefined =>
  number % distance === firstNumber ? Math.floor(number / distance) : undefined

/** What each user gives or gets of each denom in a period, by address and denom. */
function sumsOf(fixtures: Fixtures, period: readonly Shape[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const shape of period) {
    for (const { account, denom, amount } of flowsOf(fixtures, shape)) {
      const key = `${account} ${denom}`
      sums.set(key, (sums.get(key) ?? 0n) + amount)
    }
  }
  return sums
}

/** The settlement with a group, for the transactions of a period. */
export function createSettlements(fixtures: Fixtures, period: () => readonly Shape[]): (group: number) => Settlement {
  const { relayer, users, chain, token, bridgedDenom } = fixtures
  const ofContract = chain.vm === 'evm' ? [denomOf(token.hex)] : []
  const denoms = [chain.denom, bridgedDenom, ...ofContract].toSorted()
  // The sums of a whole period take long, and many worlds end before a settlement is read.
  const sums = once(() => sumsOf(fixtures, period()))
  return (group) => {
    const members = users.slice(group * groupSize, (group + 1) * groupSize)
    const coinsOf = (hex: string, sign: bigint): readonly SandboxCoin[] =>
      denoms
        .map((denom) => ({ denom, amount: sign * (sums().get(`${hex} ${denom}`) ?? 0n) }))
        .filter(({ amount }) => amount > 0n)
    const movesOf = (sign: bigint, moveOf: (user: (typeof users)[number]) => Omit<CoinMove, 'coins'>) =>
      members
        .map((user) => ({ ...moveOf(user), coins: coinsOf(user.hex, sign) }))
        .filter(({ coins }) => coins.length > 0)
    return {
      paid: movesOf(-1n, (user) => ({ from: relayer, to: user })),
      collected: movesOf(1n, (user) => ({ from: user, to: relayer })),
    }
  }
}

const denomOf = (contract: string): string => contract.replace(/^0x/, 'evm/')
