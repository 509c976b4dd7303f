import { expect, test } from 'vitest'
import { foldReason } from '../../src/pages/account/foldedBalances.ts'

const asset = {}

test.each([
  ['an asset in the total', { asset, exclusion: null }, undefined],
  ['an asset that the router does not list', { asset: null, exclusion: 'UNLISTED' }, 'UNLISTED'],
  ['a false native coin', { asset, exclusion: 'UNLISTED' }, 'UNLISTED'],
  ['a hidden asset', { asset, exclusion: 'HIDDEN' }, 'HIDDEN'],
  ['a listed asset without a price', { asset, exclusion: 'UNPRICED' }, undefined],
  ['an asset while no list can be loaded', { asset: null, exclusion: null }, 'UNLISTED'],
] as const)('foldReason: %s', (_name, balance, reason) => {
  expect(foldReason(balance)).toBe(reason)
})
