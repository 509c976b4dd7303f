import { expect, test } from 'vitest'
import {
  type BalanceChange,
  chargedOf,
  listAssetTransfers,
  type ReportedTransfer,
} from '../../src/pages/transaction/listAssetTransfers.ts'

const side = (name: string) => ({ address: name, hexAddress: `0x${name}` })
const [me, you, pot] = ['me', 'you', 'pot'].map(side)
const noFee = { coins: [], payer: me }
const told = (parts: {
  coins?: ReportedTransfer[]
  tokens?: ReportedTransfer[]
  changes?: BalanceChange[]
  fee?: typeof noFee
}) =>
  listAssetTransfers({ coins: [], tokens: [], changes: [], fee: noFee, ...parts }).map(({ from, to, of }) => [
    from,
    to,
    of.amount,
  ])

test('a coin and its token are one row, and the fee is none', () => {
  const coins = [
    { from: me, to: pot, amount: '7', denom: 'evm/ab' },
    { from: me, to: you, amount: '5', denom: 'evm/ab' },
  ]
  const tokens = [{ from: me, to: you, amount: '5', contract: { address: '0xAB' } }]
  const fee = { coins: [{ amount: '7', denom: 'evm/ab' }], payer: me }
  const changes = [
    { kind: 'FEE', account: me, amount: '-7', denom: 'evm/ab' },
    { kind: 'COIN', account: me, amount: '-5', contract: { address: '0xab' } },
    { kind: 'COIN', account: you, amount: '5', denom: 'evm/AB' },
  ]
  expect(listAssetTransfers({ coins, tokens, changes, fee }).map(({ to, of }) => [to, of.amount])).toEqual([
    ['you', '5'],
  ])
  expect(chargedOf(changes)).toEqual([changes[0]])
})

test('what only the balances show is a row: both sides of an object, one side of what was made or burnt', () => {
  const changes = [
    { kind: 'OBJECT', account: me, amount: '-1', objectAddress: '0x9' },
    { kind: 'OBJECT', account: you, amount: '1', objectAddress: '0x9' },
    { kind: 'COIN', account: me, amount: '-3', denom: 'l2/a' },
    { kind: 'COIN', account: you, amount: '4', denom: 'uinit' },
  ]
  expect(told({ changes })).toEqual([
    ['me', 'you', '1'],
    ['me', undefined, '-3'],
    [undefined, 'you', '4'],
  ])
})

test('two NFTs of one collection are two rows', () => {
  const nft = (tokenId: string, account: typeof me, amount: string) => ({
    ...{ kind: 'NFT', account, amount, tokenId, collection: { address: '0xc' } },
  })
  const changes = [nft('1', me, '-1'), nft('2', me, '-1'), nft('2', you, '1'), nft('1', pot, '1')]
  expect(told({ changes })).toEqual([
    ['me', 'pot', '1'],
    ['me', 'you', '1'],
  ])
})
