import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeCursor, type Position } from '../../../src/engine/pagination/cursor.ts'
import { createPageCursors, decodePageCursor } from '../../../src/engine/pagination/pageCursors.ts'
import type { Signer } from '../../../src/engine/signing/signer.ts'
import { testSigner } from '../../support/testSigner.ts'

const list = 'galley-1 /indexer/tx/v1/txs  DESC'

/** The cursors of all positions, and how many signatures they took. */
function cursorsOf(positions: readonly Position[], name = list) {
  let signatures = 0
  const signer: Signer = {
    ...testSigner,
    sign: (...args) => {
      signatures += 1
      return testSigner.sign(...args)
    },
  }
  const cursorAt = createPageCursors(
    signer,
    () => name,
    () => positions,
  )
  return { cursors: positions.map((_, i) => cursorAt(i)), signatures: () => signatures }
}

const step = fc.integer({ min: -2, max: 2 })
const size = fc.integer({ min: 0, max: 12 })

/** Records beside each other, as pages of each kind of list have them. */
const run: fc.Arbitrary<Position[]> = fc.oneof(
  fc
    .tuple(fc.bigInt(10n ** 9n, 2n ** 62n), fc.integer({ min: -1e6, max: 1e6 }), step, step, size)
    .map(([key, offset, keyStep, offsetStep, length]) =>
      Array.from({ length }, (_, i) => ({
        kind: 'keyset' as const,
        key: key + BigInt(keyStep * i),
        offset: offset + offsetStep * i,
      })),
    ),
  fc
    .tuple(fc.constantFrom('start' as const, 'end' as const), fc.nat(1e6), step, size)
    .map(([from, index, by, length]) =>
      Array.from({ length }, (_, i) => ({
        kind: 'offset' as const,
        from,
        index: Math.max(0, index + by * i),
      })),
    ),
  fc
    .tuple(fc.string({ minLength: 1 }).map(base64), fc.boolean(), fc.nat(100), size)
    .map(([key, isForward, index, length]) =>
      Array.from({ length }, (_, i) => ({
        kind: 'opaque' as const,
        key,
        index: index + i,
        isForward,
      })),
    ),
  fc.array(
    fc.record({
      kind: fc.constant('record' as const),
      key: fc.string({ minLength: 1 }).map((text) => JSON.stringify(text)),
      from: fc.constantFrom('start' as const, 'end' as const),
      index: fc.nat(1e6),
    }),
    { maxLength: 4 },
  ),
)

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

const page = fc.array(run, { maxLength: 4 }).map((runs) => runs.flat())

test('each cursor of a page decodes to the position of its record', () => {
  fc.assert(
    fc.property(page, (positions) => {
      const { cursors } = cursorsOf(positions)
      expect(cursors.map((cursor) => decodePageCursor(testSigner, list, cursor))).toEqual(positions)
    }),
  )
})

test('a cursor of another list or with a changed character is refused', () => {
  fc.assert(
    fc.property(page, fc.nat(), fc.nat(), (positions, which, at) => {
      const { cursors } = cursorsOf(positions)
      const cursor = cursors[which % Math.max(1, cursors.length)]
      if (cursor === undefined) return
      expect(() => decodePageCursor(testSigner, 'another list', cursor)).toThrow('cursor')
      const i = at % (cursor.split('.')[0]?.length ?? 1)
      const damaged = `${cursor.slice(0, i)}${cursor[i] === 'A' ? 'B' : 'A'}${cursor.slice(i + 1)}`
      expect(() => decodePageCursor(testSigner, list, damaged)).toThrow('cursor')
    }),
  )
})

const twenty: Position[] = Array.from({ length: 20 }, (_, i) => ({
  kind: 'keyset',
  key: 1_000n - BigInt(i),
  offset: 0,
}))

test('a page of consecutive records takes one signature', () => {
  const { cursors, signatures } = cursorsOf(twenty)
  expect(new Set(cursors).size).toBe(20)
  expect(signatures()).toBe(1)
})

test('a page with a missing height takes two signatures', () => {
  const { cursors, signatures } = cursorsOf(twenty.filter((_, i) => i !== 7))
  expect(signatures()).toBe(2)
  expect(decodePageCursor(testSigner, list, cursors[7] ?? '')).toEqual(twenty[8])
})

test('a cursor with a place beyond its page is refused', () => {
  const [sealed] = (cursorsOf(twenty).cursors[0] ?? '').split('.')
  expect(decodePageCursor(testSigner, list, `${sealed}.19`)).toEqual(twenty[19])
  for (const place of ['20', '-1', '00', '1.0', '1.', '', ' 1', '1e0', '0x1', '9'.repeat(400)]) {
    expect(() => decodePageCursor(testSigner, list, `${sealed}.${place}`)).toThrow('cursor')
  }
})

test('a cursor of a single position is decoded too', () => {
  const position: Position = { kind: 'keyset', key: 90n, offset: 0 }
  expect(decodePageCursor(testSigner, list, encodeCursor(testSigner, list, position))).toEqual(position)
})
