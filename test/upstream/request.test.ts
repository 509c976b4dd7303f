import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { get } from '../../src/upstream/request.ts'
import { runs } from '../support/property.ts'

test('a query string is that of URLSearchParams', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.base64String(),
    fc.string({ unit: 'binary' }),
  )
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
