import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { get, path } from '../../../src/engine/upstream/request.ts'
import { runs } from '../../support/property.ts'

test('query strings are encoded as by URLSearchParams', () => {
  const text = fc.oneof(...[fc.string({ unit: 'grapheme' }), fc.base64String(), fc.string({ unit: 'binary' })])
  fc.assert(
    fc.property(fc.dictionary(text, fc.oneof(text, fc.array(text), fc.bigInt())), (query) => {
      const expected = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) {
        for (const item of Array.isArray(value) ? value : [value]) expected.append(name, `${item}`)
      }
      const { target } = get('/list', z.unknown(), { query })
      expect(target).toBe(`/list${expected.size > 0 ? `?${expected}` : ''}`)
    }),
    { numRuns: runs(300) },
  )
})

test.each([...['', '.', '..', 'a/../b', 'a//b', '/', 'a\u0000b', 'a\r\nX: y', '\ud800', 'x'.repeat(2000)]])(
  'path segments that would change the route are refused: %j',
  (piece) => {
    expect(() => path`/thing/${piece}`).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }))
  },
)

test.each(['a b', 'a?x=1', 'a#b', '100%', '%2e%2e', 'a\\b'])(
  'path segments that indexers cannot receive are errors: %j',
  (piece) => {
    const error = expect.objectContaining({ code: 'UPSTREAM_REJECTED' })
    expect(() => path`/thing/${piece}`).toThrow(error)
  },
)
