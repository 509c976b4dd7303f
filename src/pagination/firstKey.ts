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

/**
 * The first key of an ascending list whose value is at least `target`. Lists can lack keys: `firstFrom` reads the
 * first record with at least a given key, or undefined if there is none. It is called at most log2(n) + 2 times, with
 * n keys in the bracket.
 *
 * Times of blocks are nearly regular, so a key is guessed by the values on both sides, a little towards the middle:
 * the next guess is then bounded on both sides. No guess is nearer to one side than halving allows for the calls that
 * are left. A million regular blocks take seven calls on average.
 */
export async function findFirstKey(
  target: bigint,
  { below, above }: Bracket,
  firstFrom: (key: bigint) => Promise<Point | undefined>,
): Promise<bigint> {
  let low = below?.key ?? 0n
  for (let left = bitsOf(above.key - low - 1n) + 1; above.key - low > 1n; ) {
    left -= 1
    const reach = 1n << BigInt(left)
    const first = greater(low + 1n, above.key - reach)
    const last = less(above.key - 1n, low + reach)
    const guess = below ? guessBetween(below, above, target) : (low + above.key) / 2n
    const key = greater(first, less(guess, last))
    const found = await firstFrom(key)
    if (found && found.value < target) {
      below = found
      low = found.key
    } else above = { key, value: found?.value ?? above.value }
  }
  return above.key
}

function guessBetween(below: Point, above: Point, target: bigint): bigint {
  const width = above.key - below.key
  const middle = below.key + width / 2n
  const rise = above.value - below.value
  if (rise <= 0n) return middle
  const key = below.key + (width * (target - below.value)) / rise
  const aside = 1n << BigInt(Math.max(0, (bitsOf(width) >> 1) - 2))
  return key < middle ? less(key + aside, middle) : greater(key - aside, middle)
}

const bitsOf = (number: bigint): number => number.toString(2).length
const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const less = (a: bigint, b: bigint): bigint => (a < b ? a : b)
