import { expect, test } from 'vitest'
import { directionOf, withoutFee, withoutTwins } from '../../src/values/assetTransfers.ts'

const [me, you, pot] = ['0x1', '0x2', '0x3'].map((hexAddress) => ({ hexAddress }))
const coin = (from: typeof me, to: typeof me, amount: string) => ({
  from,
  to,
  amount,
  denom: 'gal',
})

test('withoutTwins removes a transfer once for each twin in the other list', () => {
  const coins = [coin(me, you, '5'), coin(me, you, '5'), coin(me, pot, '1')]
  expect(withoutTwins([coin(me, you, '5')], coins)).toEqual([])
  expect(withoutTwins(coins, [coin(me, you, '5')])).toEqual(coins.slice(1))
})

test('withoutFee removes the fee once, even beside a transfer of the same amount', () => {
  const all = [coin(me, pot, '7'), coin(me, you, '7'), coin(you, pot, '7')]
  const fee = { coins: [{ amount: '7', denom: 'gal' }], payer: me }
  expect(withoutFee(all, fee)).toEqual(all.slice(1))
  expect(withoutFee(all, { ...fee, payer: pot })).toEqual(all)
})

test('directionOf is "in", "out", "self" or undefined', () => {
  const directions = [coin(you, me, '1'), coin(me, you, '1'), coin(me, me, '1'), coin(you, pot, '1')]
  expect(directions.map((one) => directionOf(one, '0x1'))).toEqual(['in', 'out', 'self', undefined])
})
