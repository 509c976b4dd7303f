import type { SandboxChain } from '../chains.ts'
import { sequencesAt } from './blocks.ts'
import { type Calls, createCalls } from './calls.ts'
import { createEvmTransactions, type EvmTransactions } from './evm.ts'
import { createFixtures, type Fixtures } from './fixtures.ts'
import { createNfts, type Nfts } from './nfts.ts'
import { heightAt, lastSequence, placeOf, timeOf } from './schedule.ts'
import { select } from './series.ts'
import { createTransactions, type Transactions } from './transactions.ts'
import { createWorkload, type Workload } from './workload.ts'

/** A chain-native transaction, named and placed. */
export interface TransactionSummary {
  /** Upper-case hex without 0x. */
  readonly hash: string
  /** The hash of its EVM receipt, lower-case with 0x, where it has one. */
  readonly evmHash?: string
  readonly height: number
  /** Position within its block, from 0. */
  readonly index: number
  /** Time of its block, unix milliseconds. */
  readonly timeMs: number
}

/** One simulated chain: a pure function of the seed, and of the clock for how much of it exists yet. */
export interface World {
  readonly chain: SandboxChain
  /** Newest block there is at this moment; 0 before the genesis. */
  height(): number
  /** Unix milliseconds of a block. */
  timeOf(height: number): number
  /** The newest block at a moment, whether or not the clock has got there. */
  heightAt(timeMs: number): number
  /** The newest transaction at or before a height that relays a packet, or the newest of any kind before the first relay. */
  relayTransaction(height: number): TransactionSummary
  /** All native transactions of a block, in block order; empty for blocks yet to come. */
  transactionsAt(height: number): readonly TransactionSummary[]
  /** The transaction of a native hash (any case, 0x allowed), if its block exists by now. */
  findTransaction(hash: string): TransactionSummary | undefined
  readonly fixtures: Fixtures
  readonly workload: Workload
  readonly transactions: Transactions
  readonly evm: EvmTransactions
  readonly calls: Calls
  readonly nfts: Nfts
}

/** The world of one chain; equal seeds give equal worlds. */
export function createWorld(chain: SandboxChain, seed: string, clock: () => number): World {
  const fixtures = createFixtures(chain, seed)
  const workload = createWorkload(fixtures)
  const evmHash = (sequence: number) => {
    const evmSequence = workload.evm.rank(sequence)
    return evmSequence > workload.evm.rank(sequence - 1) ? evm.hashOf(evmSequence) : undefined
  }
  const transactions = createTransactions(fixtures, workload, evmHash)
  const evm = createEvmTransactions(fixtures, workload, transactions.costOf)
  const relays = select(workload.space, (sequence) => workload.shapeAt(sequence).kind === 'receive')

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
    calls: createCalls(fixtures, workload, evm),
    nfts: createNfts(fixtures, workload),
  }
}
