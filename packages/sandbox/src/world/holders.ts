import { makeAccount, toBech32 } from '../address.ts'
import { pick } from '../random.ts'
import { type Fixtures, wholeTokens } from './fixtures.ts'
import { createLedger } from './ledger.ts'
import type { Lane } from './stories/lane.ts'
import type { Workload } from './workload.ts'

/** A holder as the indexer returns it. */
export interface Holder {
  /** 0x hex on EVM chains, bech32 elsewhere. */
  readonly account: string
  readonly amount: string
}

/** The accounts that hold the tokens of a chain: those of its transactions, and some that never act. */
export interface Holders {
  /** The holders at a height, the largest last. Undefined if the chain does not know the denom (lower case). */
  rankingAt(denom: string, height: number): readonly Holder[] | undefined
  /** The balance of an account (0x form) in base units. Undefined if it is no holder. */
  balanceAt(account: string, denom: string, height: number): bigint | undefined
  /** What transactions between chains changed of a balance of another coin, in base units. Never below zero. */
  changeAt(account: string, denom: string, height: number): bigint
}

const holderCount = 131

/** The holders of a chain. */
export function createHolders(fixtures: Fixtures, workload: Workload, lanes: readonly Lane[]): Holders {
  const { chain, seed, token, bridgedDenom } = fixtures
  const ledger = createLedger(fixtures, workload, lanes)
  const others = new Map<string, ReadonlyMap<string, bigint>>()

  /** The denom of the bank module. On EVM chains every denom is an ERC-20 contract, also known by its address. */
  const knownDenom = (denom: string): string | undefined => {
    if (chain.vm !== 'evm') return denom === chain.denom ? denom : undefined
    const full = denom.replace(/^0x/, 'evm/')
    return full === chain.denom || full === token.hex.replace(/^0x/, 'evm/') ? full : undefined
  }

  /** The accounts that never act, and what they hold. */
  const othersOf = (denom: string): ReadonlyMap<string, bigint> => {
    const known = others.get(denom)
    if (known) return known
    const first = ledger.accountsOf(denom).length
    const unit = wholeTokens(chain, 1) / 1000n
    const made = new Map(
      Array.from({ length: holderCount - first }, (_, offset) => {
        const index = first + offset
        const { hex } = makeAccount(chain.bech32Prefix, 20, seed, chain.chainId, 'holder', index)
        const thousandths =
          // Some hold equal amounts, and one holds nothing.
          index % 7 === 3 ? 1_000_000 : pick(4 ** (2 + (index % 14)), seed, denom, 'holder', index)
        return [hex, index + 1 === holderCount ? 0n : unit * BigInt(thousandths)] as const
      }),
    )
    others.set(denom, made)
    return made
  }

  const balanceAt = (account: string, denom: string, height: number): bigint | undefined => {
    // The bridged coin has no list of holders, but transactions move it.
    if (denom === bridgedDenom) return ledger.balanceAt(account, denom, height)
    const known = knownDenom(denom)
    if (known === undefined) return undefined
    return ledger.balanceAt(account, known, height) ?? othersOf(known).get(account)
  }

  return {
    balanceAt,
    changeAt: ledger.changeAt,
    rankingAt(denom, height) {
      const known = knownDenom(denom)
      if (known === undefined) return undefined
      return [...ledger.accountsOf(known), ...othersOf(known).keys()]
        .map((hex) => ({ hex, amount: balanceAt(hex, known, height) ?? 0n }))
        .sort((a, b) => Number(a.amount - b.amount))
        .map(({ hex, amount }) => ({
          account: chain.vm === 'evm' ? hex : toBech32(chain.bech32Prefix, hex),
          amount: String(amount),
        }))
    },
  }
}
