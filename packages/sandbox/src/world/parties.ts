import type { Account } from '../address.ts'
import { draws, itemAt, pick } from '../random.ts'
import { type Fixtures, wholeTokens } from './fixtures.ts'
import { calmTransactions } from './schedule.ts'
import type { Shape } from './shape.ts'

/** The parties of a transaction: its first signer and the counterparty. */
export function partiesOf({ users, relayer }: Fixtures, shape: Shape): [Account, Account] {
  const peer = itemAt(users, shape.peer)
  const isRelayed = shape.kind === 'receive' || shape.kind === 'settle'
  return [isRelayed ? relayer : itemAt(users, shape.sender), peer]
}

/** The amount that a transaction moves, in base units of the fee token. */
export function amountOf({ chain, seed }: Fixtures, { source }: Shape): bigint {
  const parts = [seed, chain.chainId, 'amount', source]
  if (source > calmTransactions) return (wholeTokens(chain, 1) * livelyMillionths(draws(...parts))) / 1_000_000n
  const thousandths = 1 + pick(250_000, ...parts)
  return (wholeTokens(chain, 1) / 1000n) * BigInt(thousandths)
}

/** Whole and half tokens as people type them, small ones more often. */
const roundMillionths: readonly number[] = [0.1, 0.5, 1, 1, 2, 5, 5, 10, 10, 15, 20, 25, 50, 100, 100, 250, 500].map(
  (tokens) => tokens * 1_000_000,
)
/** The sizes of amounts that are what a price or a balance left, in millionths. */
const oddSizes: readonly number[] = [1e3, 1e4, 1e5, 1e5, 1e6, 1e6, 1e6, 1e7, 1e7, 1e8]

/** An amount of a chain that is used, in millionths of a token: many are small, many are round, and few are large. */
function livelyMillionths([ofClass = 0, ofSize = 0, ofRest = 0]: readonly number[]): bigint {
  const share = ofClass % 1_000
  if (share < 330) return BigInt(itemAt(roundMillionths, ofSize))
  if (share < 780) {
    const size = itemAt(oddSizes, ofSize)
    return BigInt(size + (ofRest % (9 * size)))
  }
  if (share < 985) return BigInt((1 + (ofSize % 2_500)) * 10_000)
  const thousands = 1 + (ofSize % 25)
  return BigInt(thousands) * 1_000_000_000n + BigInt(ofRest % 3 ? 0 : ofRest % 1_000_000_000)
}
