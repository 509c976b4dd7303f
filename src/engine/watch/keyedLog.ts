import type { Keys, NewRecords, Numbered } from './keyedSource.ts'

/** The newest records of a list, with their keys. */
export interface KeyedLog<T> {
  /** Adds the records after the last one, in order. Earlier records are ignored. A gap empties the log first. */
  add(page: Pick<NewRecords<T>, 'records' | 'hasGap'>): void
  /** Empties the window: the records after this number are next. */
  reset(number: bigint): void
  /** The first kept record after a number that has a key. */
  find(key: string, after: bigint): Numbered<T> | undefined
  /** The number of the last record read. */
  readonly end: bigint
  /** The records after this number are kept. */
  readonly floor: bigint
}

interface StoredEntry<T> extends Numbered<T> {
  readonly keys: Keys
}

/** Keeps at most `size` records. `keysOf` is called once for each. */
export function createKeyedLog<T>(keysOf: (record: T) => Keys, size: number): KeyedLog<T> {
  let kept: StoredEntry<T>[] = []
  let end = 0n
  let floor = 0n

  return {
    add({ records, hasGap }) {
      const [first] = records
      if (hasGap && first && first.number > end) {
        kept = []
        floor = first.number - 1n
      }
      for (const { number, record } of records) {
        if (number <= end) continue
        kept.push({ number, record, keys: keysOf(record) })
        end = number
      }
      if (kept.length <= size) return
      const dropped = kept.length - size
      floor = kept[dropped - 1]?.number ?? floor
      kept = kept.slice(dropped)
    },
    reset(number) {
      kept = []
      end = number
      floor = number
    },
    find(key, after) {
      let low = 0
      let high = kept.length
      while (low < high) {
        const middle = (low + high) >> 1
        if ((kept[middle]?.number ?? after) <= after) low = middle + 1
        else high = middle
      }
      return kept.slice(low).find(({ keys }) => keys === 'any' || keys.has(key))
    },
    get end() {
      return end
    },
    get floor() {
      return floor
    },
  }
}
