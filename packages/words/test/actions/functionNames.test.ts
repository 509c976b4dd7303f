import { expect, test } from 'vitest'
import { selectorOf } from '../../src/actions/evmLogs.ts'
import { createFunctionNames } from '../../src/actions/functionNames.ts'
import { rawAmount } from '../../src/actions/summary.ts'

const names = createFunctionNames({
  'keepWatch(uint256)': 'keep watch',
  '0x18178358': 'poke the oracle',
  'transfer(address,uint256)': 'move tokens',
  '0x1::dex::swap_script': 'swap',
})

test.each([
  ['a well-known selector', '0x2e1a7d4d', 'withdraw'],
  ['a well-known signature', 'withdraw(uint256)', 'withdraw'],
  ['a signature that the operator names', 'keepWatch(uint256)', 'keep watch'],
  ['the selector of a signature that the operator names', selectorOf('keepWatch(uint256)'), 'keep watch'],
  ['a selector that the operator names', '0x18178358', 'poke the oracle'],
  ['a well-known selector that the operator renames', '0xa9059cbb', 'move tokens'],
  ['a Move function that the operator names', '0x1::dex::swap_script', 'swap'],
  ['an unknown signature', 'sail(uint256)', 'sail'],
  ['an unknown selector', '0x00000001', undefined],
  ['an unknown Move function', '0x1::dex::sail', undefined],
])('the name of %s', (_name, called, expected) => {
  expect(names(called)).toBe(expected)
})

test.each<[bigint, string]>([
  [1n, '1 base unit of uwave'],
  [999_999n, '999999 base units of uwave'],
  [1_000_000n, '1000000 base units of uwave'],
  [12_345_678n, '12345678 base units of uwave'],
  [186_201_000_000_000_000_000n, '186201000000000000000 base units of uwave'],
  [2n ** 256n - 1n, '115.7 × 10^75 base units of uwave'],
])('%d of an unlisted coin is %s', (amount, expected) => {
  expect(rawAmount({ denom: 'uwave', amount })).toBe(expected)
})
