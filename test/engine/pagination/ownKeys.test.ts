import { expect, test } from 'vitest'
import { UpstreamHttpError } from '../../../src/engine/upstream/upstreamError.ts'
import { type Answer, readAll, readerOf } from './readerOf.ts'

// A list whose records show their keys, of an upstream whose page keys are its own. A page that is the whole list
// shows none of them.

const heights = [1, 2, 3, 4, 5]

const badKey = () => new UpstreamHttpError('chain-1', 400, 'no such key')

/** Five blocks, with the page keys `after-1` and so on, and what the upstream does with any other key. */
const blocks =
  (onOther: 'refuses' | 'ignores'): Answer<number> =>
  ({ key, limit, isReverse }) => {
    const own = /^after-(\d)$/.exec(key ?? '')?.[1]
    if (key !== undefined && own === undefined && onOther === 'refuses') throw badKey()
    const start = Number(own ?? 0)
    const end = start + limit
    const items = (isReverse ? heights.toReversed() : heights).slice(start, end)
    return { items, nextKey: end < heights.length ? `after-${end}` : null, total: null }
  }

for (const onOther of ['refuses', 'ignores'] as const) {
  for (const isDescending of [true, false]) {
    for (const isForward of [true, false]) {
      const name = `an upstream that ${onOther} the key of a record (descending: ${isDescending}, forward: ${isForward})`
      test.each([1, 2, 3, 4, 5])(`${name}, by %s`, async (count) => {
        const read = readerOf(blocks(onOther), {
          isDescending,
          strategy: { kind: 'keyset', field: 'height' },
          keyOf: (height) => BigInt(height),
        })
        const expected = isDescending === isForward ? heights.toReversed() : heights
        const whole = await read(null, isForward, 5)
        for (const [i, { position }] of whole?.items.entries() ?? []) {
          const on = await read(position, isForward, count)
          expect(on?.items.map(({ item }) => item)).toEqual(expected.slice(i + 1, i + 1 + count))
          expect(on?.hasMore).toBe(i + 1 + count < 5)
          const back = await read(position, !isForward, 5)
          expect(back?.items.map(({ item }) => item)).toEqual(expected.slice(0, i).toReversed())
        }
        const rows = await readAll(read, { count, isForward })
        expect(rows.map(({ item }) => item)).toEqual(expected)
      })
    }
  }
}
