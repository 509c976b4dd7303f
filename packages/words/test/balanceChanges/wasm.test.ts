import { expect, test } from 'vitest'
import { knownDenoms } from '../../src/balanceChanges/denoms.ts'
import type { ChainEvent } from '../../src/balanceChanges/events.ts'
import { balanceChanges } from '../support/atOnce.ts'
import { bankEvents, event, person, shown } from '../support/changeEvents.ts'

const [ann, bob, market] = [person('a'), person('b'), person('c')]
const contract = `0x${'d'.repeat(64)}`
const known = knownDenoms([])
const read = (events: readonly ChainEvent[], list = known) =>
  shown(balanceChanges({ vm: 'WASM', code: 0, events }, { known: list }))
const wasm = (values: Record<string, string>, messageIndex = 0) =>
  event('wasm', { _contract_address: contract, ...values }, messageIndex)
const signed = (sender: string) => event('message', { action: '/x', sender }, 0)
const token = `TOKEN ${contract}`
const nft = `NFT ${contract} 7`

test('each coin of an amount is a change, and coinbase and burn are not counted again', () => {
  const denom = 'factory/init1x/a.b-c_d:e'
  const events = [
    ...bankEvents([ann, bob], `5ulant,7${denom}`, 1),
    event('coin_received', { receiver: ann, amount: '3l2/ab' }, 2),
    event('coinbase', { minter: ann, amount: '3l2/ab' }, 2),
    event('coin_spent', { spender: bob, amount: '1l2/ab' }, 2),
    event('burn', { burner: bob, amount: '1l2/ab' }, 2),
  ]
  expect(read(events)).toEqual([
    { whose: ann, what: 'COIN ulant', amount: -5n, at: 1 },
    { whose: ann, what: `COIN ${denom}`, amount: -7n, at: 1 },
    { whose: bob, what: 'COIN l2/ab', amount: -1n, at: 2 },
    { whose: bob, what: 'COIN ulant', amount: 5n, at: 1 },
    { whose: bob, what: `COIN ${denom}`, amount: 7n, at: 1 },
    { whose: ann, what: 'COIN l2/ab', amount: 3n, at: 2 },
  ])
})

test('repeated attributes of one event are read in sets, with the last msg_index', () => {
  const attributes = ['5ulant', '6ulant'].flatMap((amount) => [
    { key: 'spender', value: ann },
    { key: 'amount', value: amount },
  ])
  const events = [{ type: 'coin_spent', attributes: [...attributes, { key: 'msg_index', value: '3' }] }]
  expect(read(events)).toEqual([{ whose: ann, what: 'COIN ulant', amount: -11n, at: 3 }])
})

test('coins that are sent back leave no change', () => {
  expect(read([...bankEvents([ann, ann], '5ulant', 0)])).toEqual([])
  const there = bankEvents([ann, bob], '5ulant', 0)
  expect(read([...there, ...bankEvents([bob, ann], '5ulant', 1)])).toEqual([])
})

test.each(['transfer', 'send', 'transfer_from', 'send_from'])('the CW-20 action %s changes both balances', (action) => {
  expect(read([wasm({ action, from: ann, to: bob, by: market, amount: '9' })])).toEqual([
    { whose: ann, what: token, amount: -9n, at: 0 },
    { whose: bob, what: token, amount: 9n, at: 0 },
  ])
})

test.each([
  ['mint', { to: ann }, 9n],
  ['burn', { from: ann }, -9n],
  ['burn_from', { from: ann, by: bob }, -9n],
])('the CW-20 action %s changes one balance', (action, parties, amount) => {
  expect(read([wasm({ action, ...parties, amount: '9' })])).toEqual([{ whose: ann, what: token, amount, at: 0 }])
})

test('a CW-20 token has the denom of the list', () => {
  const list = knownDenoms([{ denom: 'cw20:lant', tokenContract: contract.toUpperCase().replace('X', 'x') }])
  const events = [wasm({ action: 'mint', to: ann, amount: '9' })]
  expect(read(events, list)).toEqual([{ whose: ann, what: 'TOKEN cw20:lant', amount: 9n, at: 0 }])
})

test.each([
  ['with an unknown name', { action: 'increase_allowance', from: ann, to: bob, amount: '9' }],
  ['without a recipient', { action: 'transfer', from: ann, amount: '9' }],
  ['with the fields of another contract', { action: 'transfer', sender: ann, recipient: bob, amount: '9' }],
  ['with a negative amount', { action: 'transfer', from: ann, to: bob, amount: '-9' }],
  ['named constructor', { action: 'constructor', from: ann, to: bob, amount: '9' }],
])('a wasm action %s changes nothing', (_kind, values) => {
  expect(read([wasm(values)])).toEqual([])
})

test('several actions in one event belong to its contract', () => {
  const [{ attributes } = { attributes: [] }] = [wasm({ action: 'mint', owner: ann, token_id: '7' })]
  const more = [
    { key: 'action', value: 'mint' },
    { key: 'owner', value: bob },
    { key: 'token_id', value: '8' },
  ]
  expect(read([{ type: 'wasm', attributes: [...attributes, ...more] }])).toEqual([
    { whose: ann, what: nft, amount: 1n, at: 0 },
    { whose: bob, what: `NFT ${contract} 8`, amount: 1n, at: 0 },
  ])
})

test.each(['transfer_nft', 'send_nft'])(
  'the owner of an NFT that its signer moves by %s is marked as not certain',
  (action) => {
    const moved = wasm({ action, sender: ann, recipient: bob, token_id: '7' })
    expect(read([signed(ann), moved])).toEqual([
      { whose: ann, what: nft, unknown: true, amount: -1n, at: 0 },
      { whose: bob, what: nft, amount: 1n, at: 0 },
    ])
  },
)

test('the owner of an NFT that a contract moves is unknown', () => {
  const moved = wasm({ action: 'transfer_nft', sender: market, recipient: bob, token_id: '7' })
  expect(read([signed(ann), moved])).toEqual([
    { whose: null, what: nft, unknown: true, amount: -1n, at: 0 },
    { whose: bob, what: nft, amount: 1n, at: 0 },
  ])
  const burnt = wasm({ action: 'burn', sender: market, token_id: '7' })
  expect(read([signed(ann), burnt])).toEqual([{ whose: null, what: nft, unknown: true, amount: -1n, at: 0 }])
})

test('the owner of an NFT received in the same transaction is known', () => {
  const events = [
    signed(ann),
    wasm({ action: 'mint', minter: ann, owner: market, token_id: '7' }),
    wasm({ action: 'transfer_nft', sender: ann, recipient: bob, token_id: '7' }),
  ]
  expect(read(events)).toEqual([{ whose: bob, what: nft, amount: 1n, at: 0 }])
  expect(read([...events, wasm({ action: 'burn', sender: ann, token_id: '7' })])).toEqual([])
})
