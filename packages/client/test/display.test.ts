import { expect, test } from 'vitest'
import { links } from '../../../apps/explorer/src/app/links.ts'
import { explorerLinks, relativeTime, shortAddress } from '../src/display.ts'

const now = Date.parse('2026-05-01T12:00:00Z')

test.each([
  ['2026-05-01T11:59:59Z', 'now'],
  ['2026-05-01T11:59:58Z', '2 seconds ago'],
  ['2026-05-01T12:00:59Z', 'in 59 seconds'],
  ['2026-05-01T11:58:01Z', '1 minute ago'],
  ['2026-05-01T10:00:01Z', '1 hour ago'],
  ['2026-04-29T12:00:00Z', '2 days ago'],
  ['2026-03-01T12:00:00Z', '2 months ago'],
  ['2024-04-01T12:00:00Z', '2 years ago'],
])('the relative time of %s is "%s"', (time, words) => {
  expect(relativeTime(time, { now, locale: 'en' })).toBe(words)
  expect(relativeTime(new Date(time), { now, locale: 'en' })).toBe(words)
})

test('relativeTime uses the locale and the style', () => {
  const fiveMinutesAgo = now - 300_000
  expect(relativeTime(fiveMinutesAgo, { now, locale: 'de' })).toBe('vor 5 Minuten')
  expect(relativeTime(fiveMinutesAgo, { now, locale: 'en', style: 'narrow' })).toBe('5m ago')
  expect(() => relativeTime('yesterday', { now })).toThrow(RangeError)
})

test.each([
  ['init1wllqcgh04444mr53tegtrkdlc970awqhddazg3', 'init1wllq…azg3'],
  ['0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817', '0x77fe…b817'],
  ['82F15C4FB1E4A968B5F5F74298DE224C3FA5BC4D68ED00778222E5F6DCB5CA39', '82F1…CA39'],
  ['0x1', '0x1'],
  ['So11111111111111111111111111111111111111112', 'So11111…1112'],
])('shortAddress shortens %s to %s', (address, short) => {
  expect(shortAddress(address)).toBe(short)
})

test('shortAddress uses `start` and `end`, and never lengthens', () => {
  expect(shortAddress('0x1234567890', { start: 2, end: 0 })).toBe('0x12…')
  expect(shortAddress('0x123456789', { start: 4, end: 4 })).toBe('0x123456789')
})

test('explorerLinks match the paths of the explorer', () => {
  const pages = explorerLinks('https://gateway.example/graphql')
  const at = (path: string) => `https://gateway.example${path}`
  expect(pages.chain('a-1')).toBe(at(links.chain('a-1')))
  expect(pages.block('a-1', 7)).toBe(at(links.block('a-1', 7)))
  expect(pages.transaction('a-1', 'AB')).toBe(at(links.transaction('a-1', 'AB')))
  expect(pages.account('init1x')).toBe(at(links.account('init1x')))
  expect(pages.asset('a-1', 'ibc/AB')).toBe(at(links.asset('a-1', 'ibc/AB')))
  expect(pages.collection('a-1', '0x1')).toBe(at(links.collection('a-1', '0x1')))
  expect(pages.nft('a-1', '0x1', 'a b?#')).toBe(at(links.nft('a-1', '0x1', 'a b?#')))
  expect(pages.transfer('a-1', 'AB')).toBe(at(links.transfer('a-1', 'AB')))
})
