import { hexToBytes } from '@noble/hashes/utils.js'
import { bech32 } from '@scure/base'
import { expect, test } from 'vitest'
import { knownDenoms } from '../../src/balanceChanges/denoms.ts'
import { balanceChanges } from '../support/atOnce.ts'
import { bankEvents, event, moveEvent, person, shown } from '../support/changeEvents.ts'

const known = knownDenoms([])
const [payer, collector, peer] = [person('a'), person('f'), person('b')]
const paid = [...bankEvents([payer, collector], '30uinit'), event('tx', { fee: '30uinit', fee_payer: payer })]
const fee = (whose: string, amount: bigint) => ({ whose, what: 'FEE uinit', amount, at: null })

test.each(['MOVE', 'EVM', 'WASM'] as const)('a failed transaction on %s changes balances by its fee only', (vm) => {
  const events = [...paid, ...bankEvents([payer, peer], '9uinit', 0)]
  expect(shown(balanceChanges({ vm, code: 5, events }, { known }))).toEqual([fee(payer, -30n), fee(collector, 30n)])
})

test('a refund reduces the fee, and the fee is separate from amounts sent', () => {
  const events = [...paid, ...bankEvents([payer, peer], '9uinit', 0), ...bankEvents([collector, payer], '4uinit')]
  expect(shown(balanceChanges({ vm: 'WASM', code: 0, events }, { account: payer, known }))).toEqual([
    fee(payer, -26n),
    { whose: payer, what: 'COIN uinit', amount: -9n, at: 0 },
  ])
})

test('a fee paid from an allowance is charged to the granter, not the signer', () => {
  const events = [
    ...bankEvents([peer, collector], '30uinit'),
    event('tx', { fee: '30uinit', fee_payer: peer }),
    event('tx', { acc_seq: `${payer}/7` }),
  ]
  expect(balanceChanges({ code: 0, events }, { account: payer, known })).toEqual([])
  expect(shown(balanceChanges({ code: 0, events }, { account: peer, known }))).toEqual([fee(peer, -30n)])
})

test('without bank events, the fee is that of the tx event with fee_payer', () => {
  const events = [event('tx', { fee: '30uinit,2ibc/AB', fee_payer: payer })]
  expect(shown(balanceChanges({ code: 4, events }, { known }))).toEqual([
    fee(payer, -30n),
    { whose: payer, what: 'FEE ibc/AB', amount: -2n, at: null },
  ])
  expect(balanceChanges({ code: 32, events: [] }, { known })).toEqual([])
  expect(balanceChanges({ code: 32, events: [event('tx', { fee: '' })] }, { known })).toEqual([])
})

test('the Move store events of a fee are not counted again', () => {
  const data = { store_addr: '0x5', metadata_addr: '0x6', amount: '30' }
  const events = [moveEvent('0x1::fungible_asset::WithdrawEvent', data, null), ...paid]
  expect(shown(balanceChanges({ vm: 'MOVE', code: 0, events }, { known }))).toEqual([
    fee(payer, -30n),
    fee(collector, 30n),
  ])
})

test('an account is found by any prefix and letter case of its address', () => {
  const of = (prefix: string) => bech32.encode(prefix, bech32.toWords(hexToBytes(payer.slice(2))))
  const events = [
    event('coin_spent', { spender: of('init'), amount: '5uinit' }, 0),
    event('coin_received', { receiver: payer.toUpperCase().replace('0X', '0x'), amount: '2uinit' }, 1),
  ]
  for (const account of [of('init'), of('cosmos'), payer, `0x${'A'.repeat(40)}`]) {
    expect(shown(balanceChanges({ code: 0, events }, { account, known }))).toEqual([
      { whose: payer, what: 'COIN uinit', amount: -3n, at: null },
    ])
  }
})

test('a msg_index that a contract adds to its event is ignored', () => {
  const spent = event('coin_spent', { msg_index: '9', spender: payer, amount: '5uinit' })
  const { attributes } = spent
  const events = [{ ...spent, attributes: [...attributes, { key: 'msg_index', value: '0' }] }]
  expect(shown(balanceChanges({ code: 0, events }, { known }))).toEqual([
    { whose: payer, what: 'COIN uinit', amount: -5n, at: 0 },
  ])
})
