import { makeAccount } from '../address.ts'
import { pick } from '../random.ts'
import { type Fixtures, wholeTokens } from './fixtures.ts'

/** A holder as the indexer returns it. */
export interface Holder {
  /** 0x hex on EVM chains, bech32 elsewhere. */
  readonly account: string
  readonly amount: string
}

const holderCount = 131

/**
 * The holders of a denom, the largest last. Undefined if the chain does not know the denom. The denom
 * must be in lower case.
 */
export function holdersOf(fixtures: Fixtures, denom: string): readonly Holder[] | undefined {
  const { chain, token } = fixtures
  if (chain.vm !== 'evm') return denom === chain.denom ? ranking(fixtures, denom) : undefined
  // On EVM chains every denom is an ERC-20 contract, also known as `evm/<address>`.
  const contract = denom.replace(/^evm\//, '0x')
  const coin = chain.denom.replace(/^evm\//, '0x')
  return contract === coin || contract === token.hex ? ranking(fixtures, contract) : undefined
}

function ranking({ chain, seed, users }: Fixtures, denom: string): readonly Holder[] {
  const unit = wholeTokens(chain, 1) / 1000n
  return Array.from({ length: holderCount }, (_, index) => {
    const { hex, bech32 } =
      users[index] ?? makeAccount(chain.bech32Prefix, 20, seed, chain.chainId, 'holder', index)
    const thousandths =
      // Some hold equal amounts, and one holds nothing.
      index % 7 === 3 ? 1_000_000 : pick(4 ** (2 + (index % 14)), seed, denom, 'holder', index)
    return {
      account: chain.vm === 'evm' ? hex : bech32,
      amount: unit * BigInt(index && thousandths),
    }
  })
    .sort((a, b) => Number(a.amount - b.amount))
    .map(({ account, amount }) => ({ account, amount: String(amount) }))
}
