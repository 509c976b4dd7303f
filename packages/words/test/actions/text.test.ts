import { expect, test } from 'vitest'
import { cleanText, shortText } from '../../src/actions/summary.ts'
import { alice } from './row.ts'

test.each([
  ['marks of text direction', 'a\u202eb\u2066c\u200f', 'abc'],
  ['control characters', 'a\u0000b\u001b[31m\u0085', 'ab[31m'],
  ['zero-width characters', 'a\u200bb\u{e0041}\ufeff', 'ab'],
  ['line breaks', 'a\r\nb\u2028c\td', 'a b c d'],
  ['halves of surrogate pairs', 'a\ud800b', 'ab'],
  ['private-use characters', 'a\ue000b', 'ab'],
  ['stacked combining marks', `a${'\u0301'.repeat(50)}b`, 'a\u0301\u0301b'],
  ['letters of other scripts', '고마워요 ✦ 潮', '고마워요 ✦ 潮'],
])('cleanText handles %s', (_name, text, clean) => {
  expect(cleanText(text, 60)).toBe(clean)
})

test('a long text is cut between characters', () => {
  expect(cleanText('⚓'.repeat(100), 5)).toBe('⚓⚓⚓⚓…')
  expect(cleanText('🛶'.repeat(100), 5)).toBe('🛶🛶🛶🛶…')
  expect(cleanText('x'.repeat(10_000_000), 5)).toBe('xxxx…')
})

test('a short address keeps its prefix and its ends', () => {
  const { bech32, hex } = alice
  expect(shortText(bech32, 6, 6)).toBe(`${bech32.slice(0, 11)}…${bech32.slice(-6)}`)
  expect(shortText(hex, 6, 6)).toBe(`${hex.slice(0, 8)}…${hex.slice(-6)}`)
  expect(shortText('0xca7', 6, 6)).toBe('0xca7')
})
