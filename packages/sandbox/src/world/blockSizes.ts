import { once } from '../memoize.ts'

// How many transactions of the traffic each block has. A young chain is regular, so that few blocks have all that a test
// looks for. Then come busy and quiet minutes, which repeat after hours.

/** The blocks of a young chain. */
export const calmBlocks = 1_050

/** The number of transactions in each of ten blocks of a young chain. */
export const calmSizes: readonly number[] = [2, 0, 1, 3, 1, 0, 5, 1, 0, 2]

/** After this many blocks, their numbers of transactions repeat. */
const livelyBlocks = 5_000
/** As many as of a young chain in as many blocks, so that chains of one age have as many. */
const livelyTotal = 7_500
/** Before quiet minutes get their least, which makes it 1.5. */
const usual = 1.2
/** The most transactions of a block. */
const largest = 14

/** Blocks that are always empty: those of which some indexers have no record. */
export const lostHeights = { span: 1_000, heights: [36] } as const

const isLost = (index: number): boolean =>
  lostHeights.heights.some((height) => (calmBlocks + 1 + index) % lostHeights.span === height)

/** A number from 0 up to, but not including, 1. It mixes the bits of both as MurmurHash does. */
function chance(index: number, salt: number): number {
  let bits = Math.imul(index ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  bits = Math.imul(bits ^ (bits >>> 16), 0x27d4eb2f)
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32
}

/** A wave without a shape, from -1 to 1, whose hills are about as wide as its length. */
function wave(index: number, length: number): number {
  const [left, right] = [Math.floor(index / length), Math.floor(index / length + 1) % (livelyBlocks / length)]
  const part = (index % length) / length
  const [from, to] = [chance(left, length), chance(right, length)]
  return 2 * (from + (to - from) * part * part * (3 - 2 * part)) - 1
}

/** The number of hits of many tries, of which this many hit on average. */
function hits(mean: number, luck: number): number {
  const share = mean / largest
  let likelihood = 1
  for (let tries = 0; tries < largest; tries++) likelihood *= 1 - share
  let rest = luck
  for (let count = 0; count < largest; count++) {
    if (rest < likelihood) return count
    rest -= likelihood
    likelihood *= ((largest - count) / (count + 1)) * (share / (1 - share))
  }
  return largest
}

/**
 * The number of transactions in each of the blocks. Five blocks in a row have at least two, since the numbers of packets
 * are those of transactions.
 */
export const livelySizes = once((): Uint8Array => {
  const sizes = Uint8Array.from({ length: livelyBlocks }, (_, index) => {
    const mean = usual * (1 + 0.6 * wave(index, 8)) * (1 + 0.9 * wave(index, 40)) * (1 + 0.8 * wave(index, 250))
    const isRush = chance(index, 3) < 0.02
    return isLost(index) ? 0 : hits(isRush ? 5 * usual : mean, chance(index, 1))
  })
  const sizeOf = (index: number) => sizes[(index + livelyBlocks) % livelyBlocks] ?? 0
  for (let index = 0; index < livelyBlocks; index++) {
    const before = sizeOf(index - 1) + sizeOf(index - 2) + sizeOf(index - 3)
    if (!isLost(index)) sizes[index] = Math.max(sizeOf(index), 2 - before)
  }
  let missing = livelyTotal - sizes.reduce((sum, size) => sum + size, 0)
  for (let turn = 0; missing !== 0; turn++) {
    const index = Math.floor(chance(turn, 2) * livelyBlocks)
    const size = sizeOf(index)
    // Only busy blocks are changed, so that the quiet ones stay as they are.
    if (size < 3 || size >= largest) continue
    sizes[index] = size + Math.sign(missing)
    missing -= Math.sign(missing)
  }
  return sizes
})
