import { expect, test } from 'vitest'
import { addDecimals } from '../../src/pages/account/decimals.ts'
import { toHoldings } from '../../src/pages/account/holdings.ts'

test.each([
  [['1.5', '2.25', '0.000000000000000001'], '3.750000000000000001'],
  [['9007199254740993', '1'], '9007199254740994'],
  [['0.5', '0.5'], '1'],
  [['-0.75', '0.5'], '-0.25'],
  [['10'], '10'],
  [['1', null], undefined],
  [[], undefined],
] as const)('the sum of %j is %s', (values, sum) => {
  expect(addDecimals(values)).toBe(sum)
})

const balance = (chainId: string, formattedAmount: string | null, usdValue: string | null, origin?: string) => ({
  ...{ chain: { chainId }, denom: `denom of ${chainId}`, formattedAmount, usdValue },
  asset: origin === undefined ? null : { chainId, originChainId: 'a-1', originDenom: origin },
})

test('an asset is one holding on all chains, and what is worth most comes first', () => {
  const small = balance('a-1', '1.5', '15.00', 'x')
  const large = balance('b-1', '20.25', '202.50', 'x')
  const other = balance('b-1', '7', '100', 'y')
  const unlisted = balance('b-1', null, null)
  expect(toHoldings([small, unlisted, other, large])).toEqual([
    { balances: [large, small], amount: '21.75', usdValue: '217.5' },
    { balances: [other], amount: '7', usdValue: '100' },
    { balances: [unlisted], amount: undefined, usdValue: undefined },
  ])
})

test('assets that nobody lists are not joined', () => {
  expect(toHoldings([balance('a-1', null, null), balance('b-1', null, null)])).toHaveLength(2)
})
