/** A record of a list by the number in its key, and by the value that the list ascends in. */
export interface Point {
  readonly key: bigint
  readonly value: bigint
}

/** Two records between which a value is reached: by the first one not yet, by the second one it is. */
export interface Bracket {
  /** Undefined if no such record is known. Keys begin with 1. */
  readonly below: Point | undefined
  readonly above: Point
}

/** Neighboring records of a list, in the order of the read. */
export interface Neighbors {
  /** Their values. Undefined for a record that cannot be read; at least one can. */
  readonly values: readonly (bigint | undefined)[]
  readonly lastKey: bigint
  /** The key of the record at an index. It can cost a request. */
  readonly keyAt: (index: number) => bigint | Promise<bigint>
}

/** Reads some neighboring records of an ascending list, which can lack keys. */
export interface NeighborReader {
  /** The records with this key and greater ones, ascending. Undefined if there are none. */
  readonly from: (key: bigint) => Promise<Neighbors | undefined>
  /** The records before a key, descending. Undefined if there are none. */
  readonly before: (key: bigint) => Promise<Neighbors | undefined>
}

/** Reads in the middle of the bracket after a guess that did not halve it. */
const readsOfMiddle = 2

/**
 * A key that is greater than those of all records below a target, and not greater than that of the first record whose
 * value is at least the target.
 *
 * Times of blocks are nearly regular, so a key is guessed by the values on both sides. The records there either show
 * the place itself, or become a side of the bracket. They also show how far apart keys are. Without a lower side, the key is
 * guessed by the rate of the records before the upper one: most targets are recent. Where few records can be
 * left, those before the upper side are read, which also steps over a hole of any width. After a guess that did not
 * halve the bracket, the values are irregular, and the middle is read twice.
 */
export async function findFirstKey(target: bigint, { below, above }: Bracket, read: NeighborReader): Promise<bigint> {
  let low = below?.key ?? 0n
  let high = above.key
  let [spacing, count] = [1n, 1n]
  let [widthBefore, middles, isUpperNew] = [2n * high, 0, false]
  let rate: Rate | undefined
  while (high - low > 1n) {
    const width = high - low
    middles = middles > 0 ? middles - 1 : width > widthBefore / 2n ? readsOfMiddle : 0
    widthBefore = width
    const guess =
      middles > 0 ? low + width / 2n : below ? guessBetween(below, above, target) : guessBefore(above, target, rate)
    if (guess === undefined || (isUpperNew && high - guess <= spacing * count)) {
      const found = await read.before(high)
      if (!found) return high
      const index = found.values.findIndex((value) => value !== undefined && value < target)
      if (index >= 0) return (await found.keyAt(index)) + 1n
      isUpperNew = false
      const value = lastOf(found.values) ?? above.value
      rate = { keys: high - found.lastKey, values: above.value - value }
      high = found.lastKey
      above = { key: high, value }
      // To learn the rate halves nothing.
      if (guess === undefined) widthBefore = 2n * high
      continue
    }
    const aside = less((spacing * count) / 2n, (guess - low) / 2n)
    const start = greater(low + 1n, less(guess - aside, high - 1n))
    const found = await read.from(start)
    const last = found && lastOf(found.values)
    const index = found ? found.values.findLastIndex((value) => value !== undefined && value < target) : -1
    if (found && index >= 0 && last !== undefined && last >= target) return (await found.keyAt(index)) + 1n
    if (found) {
      count = BigInt(found.values.length)
      spacing = greater(1n, (found.lastKey - start) / count)
    }
    isUpperNew = index < 0
    if (found && index >= 0) {
      low = found.lastKey
      below = { key: low, value: last ?? target - 1n }
    } else {
      high = start
      above = {
        key: high,
        value: found?.values.find((value) => value !== undefined) ?? above.value,
      }
    }
  }
  return high
}

const guessBetween = (below: Point, above: Point, target: bigint): bigint =>
  above.value > below.value
    ? below.key + ((above.key - below.key) * (target - below.value)) / (above.value - below.value)
    : below.key + (above.key - below.key) / 2n

/** How many keys there are to a difference of values, among the records that were read last. */
interface Rate {
  readonly keys: bigint
  readonly values: bigint
}

/** The key of a target below a point, if all keys come at the rate of those before it. Undefined while that is not known. */
const guessBefore = ({ key, value }: Point, target: bigint, rate: Rate | undefined): bigint | undefined =>
  rate && (rate.values > 0n ? greater(0n, key - ((value - target) * rate.keys) / rate.values) : key / 2n)

const lastOf = (values: readonly (bigint | undefined)[]): bigint | undefined =>
  values.findLast((value) => value !== undefined)

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const less = (a: bigint, b: bigint): bigint => (a < b ? a : b)
