import { expect, test } from 'vitest'
import { defaultBounds } from '../../../packages/words/src/balanceChanges/bound.ts'
import { resolveLimits } from '../../../src/engine/limits/limits.ts'

test('the default bounds equal the default limits of a gateway', () => {
  const limits = resolveLimits()
  expect(defaultBounds).toEqual({
    maxHashes: limits.maxBalanceChangeHashes,
    maxAddresses: limits.maxBalanceChangeAddresses,
    maxRows: limits.maxListRows,
    maxDenoms: limits.maxBalanceChangeDenoms,
  })
})
