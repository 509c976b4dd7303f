import { type SandboxChain, sandboxChains } from '../chains.ts'
import { once } from '../memoize.ts'
import { type AllTransactions, createAllTransactions } from './allTransactions.ts'
import { type Calls, createCalls } from './calls.ts'
import { createEvmTransactions, type EvmTransactions } from './evm.ts'
import type { Fixtures } from './fixtures.ts'
import { createHolders, type Holders } from './holders.ts'
import { createNfts, type Nfts } from './nfts.ts'
import { heightAt, lastSequence, timeOf } from './schedule.ts'
import { select } from './series.ts'
import { createCourses, createLanes } from './stories/lanes.ts'
import { movementOf, type TransactionRef } from './stories/movement.ts'
import { sideOf, withBridgeIds } from './stories/network.ts'
import { createTimetable } from './timetable.ts'
import { createTransactions, type Transactions } from './transactions.ts'
import type { Workload } from './workload.ts'

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
  /** Whether the chain has a transaction with this native or EVM hash (any case, 0x allowed), or will have it in a later block. */
  hasHash(hash: string): boolean
  /** The transactions on all chains, in order, with which the stories go on with what one of this chain does, by its native hash. */
  movementOf(hash: string): readonly TransactionRef[]
  readonly fixtures: Fixtures
  readonly workload: Workload
  /** The transactions of the workload, without those of the stories, by their number in it. */
  readonly traffic: Transactions
  /** All transactions, by their position in the chain. */
  readonly transactions: AllTransactions
  readonly evm: EvmTransactions
  readonly calls: Calls
  readonly nfts: Nfts
  readonly holders: Holders
  /** The same chain, as it is at the times of another clock. Both share what they have computed. */
  withClock(clock: () => number): World
}

/**
 * Creates the simulation of one chain of a network. Equal seeds give equal records. The network is by default that of the
 * default chains, if the chain is one of them, and the chain alone otherwise.
 */
export function createWorld(
  given: SandboxChain,
  seed: string,
  clock: () => number,
  chains: readonly SandboxChain[] = sandboxChains.includes(given) ? sandboxChains : [given],
): World {
  const network = withBridgeIds(chains)
  const chain = network.find(({ chainId }) => chainId === given.chainId) ?? given
  const side = sideOf(chain, seed)
  const { fixtures, workload } = side
  const evmHash = (number: number) => {
    const evmSequence = workload.evm.rank(number)
    return evmSequence > workload.evm.rank(number - 1) ? evm.hashOf(evmSequence) : undefined
  }
  const traffic = createTransactions(fixtures, workload)
  const courses = createCourses(side, network)
  const lanes = createLanes(side, courses)
  const timetable = createTimetable(lanes)
  const transactions = createAllTransactions(fixtures, traffic, lanes, timetable)
  const evm = createEvmTransactions(fixtures, workload, traffic)
  const relays = select(workload.space, (sequence) => workload.shapeAt(sequence).kind === 'receive')
  // These look at a whole period, and few visitors ask for them.
  const calls = once(() => createCalls(fixtures, workload, evm))
  const nfts = once(() => createNfts(fixtures, workload))
  const holders = once(() => createHolders(fixtures, workload, lanes))

  const positionOf = (hash: string): number | undefined => {
    const digits = hash.replace(/^0x/i, '')
    return /^[0-9a-f]{64}$/i.test(digits) ? transactions.find(digits) : undefined
  }
  const summary = (position: number): TransactionSummary => {
    const { lane, number, height: at, index } = timetable.seatOf(position)
    const evmCounterpart = lane ? undefined : evmHash(number)
    return {
      hash: transactions.hashOf(position),
      ...(evmCounterpart ? { evmHash: evmCounterpart } : {}),
      ...{ height: at, index },
      timeMs: timeOf(chain, at),
    }
  }

  const at = (clock: () => number): World => {
    const height = () => heightAt(chain, clock())
    return {
      chain,
      height,
      withClock: at,
      timeOf: (height) => timeOf(chain, height),
      heightAt: (timeMs) => heightAt(chain, timeMs),
      relayTransaction(below) {
        const newest = lastSequence(Math.max(1, below))
        const count = relays.rank(newest)
        return summary(timetable.positionOf({ number: count > 0 ? relays.at(count) : newest }))
      },
      transactionsAt(block) {
        if (block > height()) return []
        const before = timetable.lastAt(block - 1)
        return Array.from({ length: timetable.lastAt(block) - before }, (_, index) => summary(before + index + 1))
      },
      findTransaction(hash) {
        const position = positionOf(hash)
        return position && position <= timetable.lastAt(height()) ? summary(position) : undefined
      },
      hasHash: (hash) =>
        positionOf(hash) !== undefined ||
        (chain.vm === 'evm' && evm.find(hash.replace(/^0x/i, '').toLowerCase()) !== undefined),
      movementOf(hash) {
        const position = positionOf(hash)
        return position ? movementOf(courses, chain.chainId, timetable.seatOf(position)) : []
      },
      fixtures,
      workload,
      traffic,
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
  return at(clock)
}
