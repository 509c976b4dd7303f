import type { SandboxChain } from '../chains.ts'
import { once } from '../memoize.ts'
import { itemAt } from '../random.ts'
import { calmBlocks, calmSizes, livelySizes } from './blockSizes.ts'

/** The place of a transaction in its chain. */
export interface TransactionPlace {
  readonly height: number
  /** Position within the block, from 0. */
  readonly index: number
}

/** The places of a run of blocks whose numbers of transactions repeat, and how many transactions the first of them have. */
function createRun(sizes: ArrayLike<number>) {
  const counts = [0]
  const places: TransactionPlace[] = []
  for (let height = 0; height < sizes.length; height++) {
    const size = sizes[height] ?? 0
    for (let index = 0; index < size; index++) places.push({ height, index })
    counts.push(places.length)
  }
  return {
    /** The number of transactions in the first blocks. */
    countIn: (blocks: number): number =>
      Math.floor(blocks / sizes.length) * places.length + (counts[blocks % sizes.length] ?? 0),
    /** The place of a transaction. Both are counted from 0. */
    placeOf(number: number): TransactionPlace {
      const { height, index } = itemAt(places, number)
      return { height: Math.floor(number / places.length) * sizes.length + height, index }
    },
  }
}

const calm = createRun(calmSizes)
const lively = once(() => createRun(livelySizes()))

/** The number of transactions of a young chain. */
export const calmTransactions = calm.countIn(calmBlocks)

/** The sequence of the last transaction at or below a height, which is also their number. */
export function lastSequence(height: number): number {
  if (height <= 0) return 0
  return height <= calmBlocks ? calm.countIn(height) : calmTransactions + lively().countIn(height - calmBlocks)
}

/** The block and position of a transaction. Sequences count the transactions of a chain from 1. */
export function placeOf(sequence: number): TransactionPlace {
  if (sequence <= calmTransactions) {
    const { height, index } = calm.placeOf(sequence - 1)
    return { height: height + 1, index }
  }
  const { height, index } = lively().placeOf(sequence - calmTransactions - 1)
  return { height: calmBlocks + height + 1, index }
}

/** Milliseconds by which a block comes too early. Its successor is always later than it. */
function earlyBy({ blockTime, isUneven }: SandboxChain, height: number): number {
  if (!isUneven || height <= 1) return 0
  // The height of each record is compared with the newest one, so this is no digest: it mixes the bits as MurmurHash does.
  let bits = Math.imul(height ^ (height >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return Math.floor((blockTime * ((bits ^ (bits >>> 16)) & 511)) / 1_000)
}

/** The time of a block, in milliseconds since 1970. */
export function timeOf(chain: SandboxChain, height: number): number {
  return nominalTimeOf(chain, height) - earlyBy(chain, height)
}

/** The time at which a block would come if all came evenly. It comes then, or earlier by at most half of the block time. */
export const nominalTimeOf = ({ genesis, blockTime }: SandboxChain, height: number): number =>
  genesis + (height - 1) * blockTime

/** The first height whose nominal time is not before a time. */
export const firstHeightFrom = ({ genesis, blockTime }: SandboxChain, timeMs: number): number =>
  Math.max(1, Math.ceil((timeMs - genesis) / blockTime) + 1)

/** The height at a time. 0 before block 1. */
export function heightAt(chain: SandboxChain, timeMs: number): number {
  const height = Math.floor((timeMs - chain.genesis) / chain.blockTime) + 1
  return Math.max(0, timeOf(chain, height + 1) <= timeMs ? height + 1 : height)
}

/** The time of a block as RFC 3339 in UTC. The indexer returns nanoseconds for transactions and whole seconds for blocks. */
export function timestampOf(chain: SandboxChain, height: number, nanoseconds = false): string {
  const seconds = new Date(timeOf(chain, height)).toISOString()
  if (!nanoseconds) return `${seconds.slice(0, 19)}Z`
  const fraction = `${seconds.slice(20, 23)}${String(1 + ((height * 7_919) % 999_983)).padStart(6, '0')}`
  return `${seconds.slice(0, 19)}.${fraction.replace(/0+$/, '')}Z`
}
