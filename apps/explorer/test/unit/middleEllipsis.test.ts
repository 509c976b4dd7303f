import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutText } from '../../src/parts/MiddleEllipsis.tsx'

const cut = (value: string) => {
  const { head, headExtra, middle, tailExtra, tail } = cutText(value)
  expect(head + headExtra + middle + tailExtra + tail).toBe(value)
  return [`${head}${headExtra}…${tailExtra}${tail}`, `${head}…${tail}`]
}

test('a phone keeps four characters after the prefix of an address, and the last four', () => {
  expect(cut('init1wllqcgh04444mr53tegtrkdlc970awqhddazg3')).toEqual(['init1wllqc…ddazg3', 'init1wllq…azg3'])
  expect(cut('0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817')).toEqual(['0x77fe0c22…feb817', '0x77fe…b817'])
  expect(cut('initvaloper1um6qqqqqqqqqqqqqqqqqqqqqqqqqqqqqaaaaaa')).toEqual([
    'initvaloper1um6q…aaaaaa',
    'initvaloper1um6q…aaaa',
  ])
  expect(cut('82F15C4FB1E4A968B5F5F74298DE224C3FA5BC4D68ED00778222E5F6DCB5CA39')).toEqual([
    '82F15C4FB1…B5CA39',
    '82F1…CA39',
  ])
  expect(cut('ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2')).toEqual([
    'ibc/27394F…1E5EB2',
    'ibc/2739…5EB2',
  ])
})

const start = fc.constantFrom('', 'initvaloper1qqqqqqqq', 'ibc/', '0x', 'abcdefghijklmnopqrst1qqqqqqqq')

test('all parts of a long text of any characters are the text, and none is half a character', () => {
  fc.assert(
    fc.property(start, fc.string({ unit: 'binary', minLength: 18 }), (before, after) => {
      const value = before + after
      const parts = Object.values(cutText(value))
      expect(parts.join('')).toBe(value)
      if (!/\p{Surrogate}/u.test(value)) expect(parts.filter((part) => /\p{Surrogate}/u.test(part))).toEqual([])
    }),
  )
})
