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
  ['a common function, by its selector', '0x2e1a7d4d', 'withdraw'],
  ['the same, by its signature', 'withdraw(uint256)', 'withdraw'],
  ['a function of an operator, by its signature', 'keepWatch(uint256)', 'keep watch'],
  ['the same, by its selector', selectorOf('keepWatch(uint256)'), 'keep watch'],
  ['a selector of an operator', '0x18178358', 'poke the oracle'],
  ['a common function that an operator names otherwise', '0xa9059cbb', 'move tokens'],
  ['a function of a Move module', '0x1::dex::swap_script', 'swap'],
  ['a signature that nobody knows', 'sail(uint256)', 'sail'],
  ['a selector that nobody knows', '0x00000001', undefined],
  ['a Move function that nobody knows', '0x1::dex::sail', undefined],
])('%s', (_name, called, expected) => {
  expect(names(called)).toBe(expected)
})

test.each<[bigint, string]>([
  [1n, '1 base unit of uwave'],
  [999_999n, '999999 base units of uwave'],
  [1_000_000n, '1 × 10^6 base units of uwave'],
  [12_345_678n, '12.34 × 10^6 base units of uwave'],
  [186_201_000_000_000_000_000n, '186.2 × 10^18 base units of uwave'],
  [2n ** 256n - 1n, '115.7 × 10^75 base units of uwave'],
])('%d of an unlisted coin is %s', (amount, expected) => {
  expect(rawAmount({ denom: 'uwave', amount })).toBe(expected)
})
