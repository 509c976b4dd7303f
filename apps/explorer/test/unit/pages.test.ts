import { describe, expect, test } from 'vitest'
import { patternOf, recordQueries } from '../../scripts/recordQueries.ts'
import { firstQueries } from '../../src/app/firstQueries.ts'
import { links, outside } from '../../src/app/links.ts'
import { pageNames, pagePaths, pages, placeOf } from '../../src/app/pages.ts'
import { decimal, dollars, scaled, shortType } from '../../src/values/format.ts'

const place = (path: string) => {
  const { page, parts } = placeOf(new URL(path, 'http://localhost'))
  return [page, ...parts]
}

describe('placeOf', () => {
  test.each([
    [links.home(), ['home']],
    [links.block('galley-1', 7), ['block', 'galley-1', '7']],
    [links.transaction('a/b', 'AB'), ['transaction', 'a/b', 'AB']],
    ['/tx/AB', ['transaction', 'AB']],
    [links.account('init1x'), ['account', 'init1x']],
    [links.asset('a-1', 'ibc/27 %/ä'), ['asset', 'a-1', 'ibc/27 %/ä']],
    ['/asset/a-1/ibc/27', ['asset', 'a-1', 'ibc/27']],
    [links.nft('a-1', '0x1', '#/?&'), ['nft', 'a-1', '0x1', '#/?&']],
    ['/block/galley-1', ['lost']],
    ['/block/a/1/2', ['lost']],
    ['/nowhere', ['lost']],
    ['/tx/%E0%A4%A', ['lost']],
  ])('%s is routed to its page', (path, expected) => {
    expect(place(path)).toEqual(expected)
  })
})

test('each page but the lost one has a path of its own, with a link that leads to it', () => {
  expect(pagePaths.map(({ page }) => page)).toEqual(pageNames.filter((name) => name !== 'lost'))
  expect(new Set(pagePaths.map(({ first }) => first)).size).toBe(pagePaths.length)
  for (const { page, lengths } of pagePaths) {
    const parts = Array.from({ length: lengths[0] }, (_, index) => `a/${index} ü`)
    const link: (...parts: string[]) => string = links[page]
    const { page: found, parts: read } = placeOf(new URL(link(...parts), 'http://localhost'))
    expect([found, ...read]).toEqual([page, ...parts])
  }
})

test('a part that may be left out, and a denom of many parts, are within the lengths of a path', () => {
  const lengths = Object.fromEntries(pagePaths.map(({ page, lengths }) => [page, lengths]))
  expect([lengths.home, lengths.block, lengths.transaction, lengths.asset]).toEqual([
    [0, 0],
    [2, 2],
    [1, 2],
    [2, 9],
  ])
})

test('no query is sent for an invalid path', () => {
  const none = new URLSearchParams()
  expect(firstQueries.block?.variables(['a-1', '-7'], none)).toBeUndefined()
  expect(firstQueries.search?.variables([], none)).toBeUndefined()
  expect(firstQueries.asset?.variables(['a-1', 'ibc', '27'], none)).toEqual({
    chainId: 'a-1',
    denom: 'ibc/27',
  })
})

test.each([
  ['https://a.example/x', 'https://a.example/x'],
  ['http://a.example', undefined],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  [' https:', undefined],
  ['//a.example', undefined],
  [null, undefined],
])('a link to %s is followed only if it is https', (url, expected) => {
  expect(outside(url)).toBe(expected)
})

test('amounts keep all their digits', () => {
  expect(scaled('123456789012345678901234567890', 18)).toBe('123456789012.34567890123456789')
  expect(scaled('5', 6)).toBe('0.000005')
  expect(scaled('-1500000', 6)).toBe('-1.5')
  expect(scaled('7', 0)).toBe('7')
  expect(decimal('12345678901234567890.5').whole.replace(/\D/g, '')).toBe('12345678901234567890')
  expect(decimal('10')).toEqual({ whole: '10', fraction: '' })
})

test('a value below one cent is shown as "<0.01", not zero', () => {
  expect(dollars('0.0004')).toMatch(/^<.*0[.,]01/)
  expect(dollars('0')).toMatch(/0[.,]00/)
  expect(dollars(null)).toBeUndefined()
})

test('shortType is the last part of a message type', () => {
  expect(shortType('/cosmos.bank.v1beta1.MsgSend')).toBe('Send')
  expect(shortType('x')).toBe('x')
})

test('the pattern of a page finds what its path names', () => {
  const groups = (path: string, text: string) => {
    const { groups } = new RegExp(patternOf(path)).exec(text) ?? {}
    return groups && { ...groups }
  }
  expect(groups(pages.block.path, '/block/a-1/7')).toEqual({ chainId: 'a-1', height: '7' })
  expect(groups(pages.block.path, '/block/a-1/7/8')).toBeUndefined()
  expect(groups(pages.transaction.path, '/tx/AB')).toEqual({ chainId: undefined, hash: 'AB' })
  expect(groups(pages.transaction.path, '/tx/a-1/AB/')).toEqual({ chainId: 'a-1', hash: 'AB' })
  expect(groups(pages.asset.path, '/asset/a-1/ibc/27/')).toEqual({ chainId: 'a-1', denom: 'ibc/27' })
})

test('the variables of the query for a record are the parts of its path', () => {
  expect(recordQueries.length).toBeGreaterThan(5)
  for (const { pattern, queries } of recordQueries) {
    for (const query of queries) {
      const [parts, variables] = [/<(\w+)>/g, /\$(\w+):/g].map(
        (names) => new Set([...`${pattern} `.concat(query).matchAll(names)].map(([, name]) => name)),
      )
      expect(variables).toEqual(parts)
    }
  }
})
