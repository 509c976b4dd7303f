import type { SandboxChain } from '../chains.ts'
import { once } from '../memoize.ts'
import { sequencesAt } from './blocks.ts'
import { type Calls, createCalls } from './calls.ts'
import { createEvmTransactions, type EvmTransactions } from './evm.ts'
import { createFixtures, type Fixtures } from './fixtures.ts'
import { createHolders, type Holders } from './holders.ts'
import { createNfts, type Nfts } from './nfts.ts'
import { heightAt, lastSequence, placeOf, timeOf } from './schedule.ts'
import { select } from './series.ts'
import { createTransactions, type Transactions } from './transactions.ts'
import { createWorkload, type Workload } from './workload.ts'

/** A native transaction, its hashes and its place. */
interface TransactionSummary {
  /** Upper-case hex without 0x. */
  readonly hash: string
  /** The hash of its EVM receipt, lower-case with 0x. Absent if it has none. */
  readonly evmHash?: string
  readonly height: number
  /** Position within its block, from 0. */
  readonly index: number
  /** Time of its block, in milliseconds since 1970. */
  readonly timeMs: number
}

/** One simulated chain. The seed determines its records, and the clock how many of them exist. */
export interface World {
  readonly chain: SandboxChain
  /** The current height. 0 before block 1. */
  height(): number
  /** The time of a block, in milliseconds since 1970. */
  timeOf(height: number): number
  /** The height at a time, also in the future. */
  heightAt(timeMs: number): number
  /** The newest transaction at or below a height that relays a packet. Before the first relay, the newest of any kind. */
  relayTransaction(height: number): TransactionSummary
  /** The native transactions of a block, in block order. Empty for future blocks. */
  transactionsAt(height: number): readonly TransactionSummary[]
  /** The transaction with a native hash (any case, 0x allowed). Undefined if its block does not exist yet. */
  findTransaction(hash: string): TransactionSummary | undefined
  readonly fixtures: Fixtures
  readonly workload: Workload
  readonly transactions: Transactions
  readonly evm: EvmTransactions
  readonly calls: Calls
  readonly nfts: Nfts
  readonly holders: Holders
}

/** Creates the simulation of one chain. Equal seeds give equal records. */
export function createWorld(chain: SandboxChain, seed: string, clock: () => number): World {
  const fixtures = createFixtures(chain, seed)
  const workload = createWorkload(fixtures)
  const evmHash = (sequence: number) => {
    const evmSequence = workload.evm.rank(sequence)
    return evmSequence > workload.evm.rank(sequence - 1) ? evm.hashOf(evmSequence) : undefined
  }
  const transactions = createTransactions(fixtures, workload)
  const evm = createEvmTransactions(fixtures, workload, transactions)
  const relays = select(workload.space, (sequence) => workload.shapeAt(sequence).kind === 'receive')
  // These look at a whole period, and few visitors ask for them.
  const calls = once(() => createCalls(fixtures, workload, evm))
  const nfts = once(() => createNfts(fixtures, workload))
  const holders = once(() => createHolders(fixtures, workload))

  const height = () => heightAt(chain, clock())
  const summary = (sequence: number): TransactionSummary => {
    const place = placeOf(sequence)
    const evmCounterpart = evmHash(sequence)
    return {
      hash: transactions.hashOf(sequence),
      ...(evmCounterpart ? { evmHash: evmCounterpart } : {}),
      ...place,
      timeMs: timeOf(chain, place.height),
    }
  }

  return {
    chain,
    height,
    timeOf: (at) => timeOf(chain, at),
    heightAt: (timeMs) => heightAt(chain, timeMs),
    relayTransaction(at) {
      const newest = lastSequence(Math.max(1, at))
      const count = relays.rank(newest)
      return summary(count > 0 ? relays.at(count) : newest)
    },
    transactionsAt: (at) => (at > height() ? [] : sequencesAt(at).map(summary)),
    findTransaction(hash) {
      const digits = hash.replace(/^0x/i, '')
      const sequence = /^[0-9a-f]{64}$/i.test(digits) ? transactions.find(digits) : undefined
      return sequence && sequence <= lastSequence(height()) ? summary(sequence) : undefined
    },
    fixtures,
    workload,
    transactions,
    evm,
    get calls() {
      return calls()
    },
    get nfts() {
      return nfts()
    },
    get holders() {
      return holders()
    },
  }
}
