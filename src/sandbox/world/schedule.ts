import type { SandboxChain } from '../chains.ts'
import { itemAt } from '../random.ts'

/** Where a transaction sits. */
export interface Place {
  readonly height: number
  /** Position within the block, from 0. */
  readonly index: number
}

/** How many transactions each block of a round of ten holds. */
const round: readonly number[] = [2, 0, 1, 3, 1, 0, 5, 1, 0, 2]
const places: readonly Place[] = round.flatMap((count, height) =>
  Array.from({ length: count }, (_, index) => ({ height, index })),
)

/** The number of transactions in the blocks up to and including a height, which is also its last sequence. */
export function lastSequence(height: number): number {
  if (height <= 0) return 0
  const rest = round.slice(0, height % round.length).reduce((sum, count) => sum + count, 0)
  return Math.floor(height / round.length) * places.length + rest
}

/** The block and position of a sequence, which counts a chain's transactions from 1. */
export function placeOf(sequence: number): Place {
  const rounds = Math.floor((sequence - 1) / places.length)
  const { height, index } = itemAt(places, sequence - 1)
  return { height: rounds * round.length + height + 1, index }
}

/** Unix milliseconds of a block. */
export function timeOf({ genesis, blockTime }: SandboxChain, height: number): number {
  return genesis + (height - 1) * blockTime
}

/** The newest block at a moment, 0 before the genesis. */
export function heightAt({ genesis, blockTime }: SandboxChain, timeMs: number): number {
  return Math.max(0, Math.floor((timeMs - genesis) / blockTime) + 1)
}

/** A block's time as RFC 3339 in UTC; transactions carry the nanoseconds that blocks leave out. */
export function timestampOf(chain: SandboxChain, height: number, nanoseconds = false): string {
  const seconds = new Date(timeOf(chain, height)).toISOString()
  if (!nanoseconds) return `${seconds.slice(0, 19)}Z`
  const fraction = `${seconds.slice(20, 23)}${String(1 + ((height * 7_919) % 999_983)).padStart(6, '0')}`
  return `${seconds.slice(0, 19)}.${fraction.replace(/0+$/, '')}Z`
}
