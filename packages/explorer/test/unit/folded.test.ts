import { expect, test } from 'vitest'
import { foldReason } from '../../src/app/folded.ts'

const asset = { isListed: true, isHidden: false, originLabel: 'from Harbor' }

test.each([
  ['a listed asset with a price', { asset, usdPrice: '1' }, undefined],
  ['an asset of no list', { asset: null, usdPrice: '1' }, 'unlisted'],
  [
    'an asset that the router does not list',
    { asset: { ...asset, isListed: false }, usdPrice: '1' },
    'unlisted',
  ],
  [
    'a false native coin',
    { asset: { ...asset, isListed: false, originLabel: 'native' } },
    'unlisted',
  ],
  ['a hidden asset', { asset: { ...asset, isHidden: true }, usdPrice: '1' }, 'hidden'],
  ['a listed asset without a price', { asset, usdPrice: null }, 'unpriced'],
  ['the native coin without a price', { asset: { ...asset, originLabel: 'native' } }, undefined],
])('foldReason: %s', (_name, balance, reason) => {
  expect(foldReason(balance)).toBe(reason)
})
