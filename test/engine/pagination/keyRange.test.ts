import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Item } from '../../../src/engine/pagination/page.ts'
import type { KeyRange } from '../../../src/engine/pagination/source.ts'
import { runs } from '../../support/property.ts'
import { readAll, readerOf } from './readerOf.ts'

/** A record whose number only its page keys show. Several share a second. */
interface Row {
  readonly number: bigint
  readonly second: number
}

/** Records in ascending order: numbers without holes, or with holes up to 10^9. */
const rowLists = fc.constantFrom(1, 3, 1_000_000_000).chain((widest) =>
  fc
    .array(fc.tuple(fc.integer({ min: 1, max: widest }), fc.integer({ min: 0, max: 2 })), {
      maxLength: 40,
      size: 'max',
    })
    .map((steps) => {
      let [number, second] = [0n, 0]
      return steps.map(([hole, wait]): Row => {
        number += BigInt(hole)
        second += wait
        return { number, second }
      })
    }),
)

const encode = (number: bigint) => Buffer.from(`{"sequence":${number}}`).toString('base64')

interface Indexer {
  readonly rows: readonly Row[]
  readonly cap: number
  readonly isKeySentAtEnd: boolean
}

const listOf = ({ rows, cap, isKeySentAtEnd }: Indexer, isDescending: boolean, range: KeyRange<Row>) =>
  readerOf<Row>(
    ({ key, limit, isReverse }) => {
      const text = key && /\d+/.exec(Buffer.from(key, 'base64').toString())?.[0]
      const bound = text ? BigInt(text) : undefined
      const left = (isReverse ? rows.toReversed() : rows).filter(
        ({ number }) => bound === undefined || (isReverse ? number < bound : number > bound),
      )
      const items = left.slice(0, Math.min(limit, cap))
      const last = items.at(-1)
      const isEnd = items.length === left.length && !isKeySentAtEnd
      return { items, nextKey: last && !isEnd ? encode(last.number) : null, total: null }
    },
    { isDescending, range: async () => range },
  )

/** The range of a span: its keys are anywhere between the records around its bounds. */
function rangeOf(
  rows: readonly Row[],
  { since, until }: { readonly since: number | undefined; readonly until: number | undefined },
  isNear: boolean,
): KeyRange<Row> {
  const has = ({ second }: Row) => (since === undefined || second >= since) && (until === undefined || second < until)
  const before = rows.findLast(({ second }) => since !== undefined && second < since)
  const first = rows.find(({ second }) => since === undefined || second >= since)
  const after = rows.find(({ second }) => until !== undefined && second >= until)
  const last = rows.findLast(({ second }) => until === undefined || second < until)
  const end = after && (isNear ? after.number : (last?.number ?? 0n) + 1n)
  return {
    above: isNear && first ? first.number - 1n : (before?.number ?? 0n),
    below: until === undefined ? undefined : (end ?? (last?.number ?? 0n) + 1n),
    has,
  }
}

const recordsOf = (items: readonly Item<Row>[]) => items.map(({ item }) => item)

test('a time range has exactly its records, after and before each position', async () => {
  // In thousandths of the time that the list covers.
  const spans = fc
    .record({ since: fc.nat(700), length: fc.integer({ min: 100, max: 1000 }) })
    .chain(({ since, length }) =>
      fc.constantFrom(
        { since, until: undefined },
        { since: undefined, until: length },
        { since, until: since + length },
      ),
    )
  const indexers = fc.record({
    rows: rowLists,
    cap: fc.constantFrom(1, 3, 10, 1000),
    isKeySentAtEnd: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      indexers,
      spans,
      fc.record({ isNear: fc.boolean(), isDescending: fc.boolean(), isForward: fc.boolean() }),
      fc.constantFrom(1, 2, 5, 20, 100),
      fc.constantFrom(1, 3, 20, 100),
      async (indexer, parts, { isNear, isDescending, isForward }, count, step) => {
        const lastSecond = indexer.rows.at(-1)?.second ?? 0
        const secondOf = (part: number | undefined) =>
          part === undefined ? undefined : Math.round((part * lastSecond) / 1000)
        const span = { since: secondOf(parts.since), until: secondOf(parts.until) }
        const range = rangeOf(indexer.rows, span, isNear)
        const list = listOf(indexer, isDescending, range)
        const wanted = indexer.rows.filter(range.has)
        const ordered = isDescending ? wanted.toReversed() : wanted
        const found = await readAll(list, { count, isForward })
        expect(recordsOf(found)).toEqual(isForward ? ordered : ordered.toReversed())
        for (const { item, position } of found) {
          const at = ordered.indexOf(item)
          const after = await readAll(list, { count: step, from: position })
          const before = await readAll(list, {
            ...{ count: step, isForward: false, from: position },
          })
          expect(recordsOf(after)).toEqual(ordered.slice(at + 1))
          expect(recordsOf(before)).toEqual(ordered.slice(0, at).toReversed())
        }
      },
    ),
    { numRuns: runs(200) },
  )
})
