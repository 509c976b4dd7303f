import { expect, test } from 'vitest'
import { sameAddress } from '../../src/app/sameAddresses.ts'
import { hexOf } from '../../src/values/bech32.ts'

const bech32 = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'
const hex = '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817'

test('an address of each length has the same hex in any prefix and case', () => {
  expect(hexOf(bech32)).toBe(hex)
  expect(hexOf('cosmos1wllqcgh04444mr53tegtrkdlc970awqhxxxxxx')).toBe(hex)
  expect(hexOf(`0x${hex.slice(2).toUpperCase()}`)).toBe(hex)
  expect(hexOf(`init1${'q'.repeat(58)}`)).toBe(`0x${'0'.repeat(64)}`)
  expect(['0x1', 'init1qqq', 'harbor-1', `0x${'a'.repeat(41)}`].map(hexOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('links to an account, a contract and a collection of one address are equal, whatever its spelling', () => {
  const selector = sameAddress(`/address/${bech32}`)
  expect(selector).toBe(`main a:is([href$="/${hex}" i], [href*="1wllqcgh04444mr53tegtrkdlc970awqh" i])`)
  expect(sameAddress(`/contract/galley-1/${hex}`)).toBe(selector)
  expect(sameAddress(`/collection/galley-1/${hex.toUpperCase().replace('0X', '0x')}`)).toBe(selector)
  expect(sameAddress('/address/0x1')).toBe('main a:is([href$="/0x1" i])')
})

test('a path that is none of an address lights nothing up, and no text of it gets into the style', () => {
  for (const path of ['/', `/tx/galley-1/${hex}`, '/address/0x1"],a{}', '/address/%22%5D', '/asset/harbor-1/uinit'])
    expect(sameAddress(path)).toBeUndefined()
})
