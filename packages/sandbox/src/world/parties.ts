import type { Account } from '../address.ts'
import { itemAt, pick } from '../random.ts'
import { type Fixtures, wholeTokens } from './fixtures.ts'
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
  const thousandths = 1 + pick(250_000, ...parts)
  return (wholeTokens(chain, 1) / 1000n) * BigInt(thousandths)
}
