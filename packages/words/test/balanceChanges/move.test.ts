import { sha3_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import type { ChangeBounds } from '../../src/balanceChanges/bound.ts'
import { type KnownDenoms, knownDenoms } from '../../src/balanceChanges/denoms.ts'
import type { ChainEvent } from '../../src/balanceChanges/events.ts'
import { balanceChanges } from '../support/atOnce.ts'
import { bankEvents, event, moveEvent, person, shown } from '../support/changeEvents.ts'

// The rules of the chain in their own words here: what is hashed, byte by byte.
const hashed = (hex: string, text: string, end: string) =>
  `0x${bytesToHex(sha3_256(hexToBytes(`${hex.replace('0x', '').padStart(64, '0')}${text}${end}`)))}`
const metadata = (denom: string) => hashed('1', bytesToHex(utf8ToBytes(denom)), 'fe')
const storeOf = (owner: string, of: string) => hashed(owner, of.slice(2), 'fc')
const short = (address: string) => address.replace(/^0x0+/, '0x')

const [ann, bob] = [person('a'), person('b')]
const made = `0x${'e'.repeat(64)}`
const stray = `0x${'5'.repeat(64)}`
const init = metadata('uinit')
const list = knownDenoms([{ denom: 'uinit' }])
const read = (events: readonly ChainEvent[], known: KnownDenoms | null = list, account?: string) =>
  shown(balanceChanges({ vm: 'MOVE', code: 0, events }, { known, account }))
const changed =
  (kind: 'Withdraw' | 'Deposit') =>
  (store: string, of: string, amount: bigint | string, messageIndex = 0) =>
    moveEvent(
      `0x1::fungible_asset::${kind}Event`,
      { store_addr: short(store), metadata_addr: short(of), amount: String(amount) },
      messageIndex,
    )
const [withdraw, deposit] = [changed('Withdraw'), changed('Deposit')]
const ownerEvent = (kind: 'Withdraw' | 'Deposit', owner: string) =>
  moveEvent(`0x1::fungible_asset::${kind}OwnerEvent`, { owner: short(owner) })

test('the metadata address of uinit is that of the chain', () => {
  expect(init).toMatch(/^0x8e4733bd.*91d9$/)
})

test('an owner event after a withdrawal or deposit names the owner of the store', () => {
  const events = [
    withdraw(stray, init, 5n),
    ownerEvent('Withdraw', ann),
    deposit(storeOf(bob, init), init, 5n),
    ownerEvent('Deposit', bob),
  ]
  expect(read(events)).toEqual([
    { whose: ann, what: 'COIN uinit', amount: -5n, at: 0 },
    { whose: bob, what: 'COIN uinit', amount: 5n, at: 0 },
  ])
})

test.each([
  ['for a deposit instead of a withdrawal', ownerEvent('Deposit', ann)],
  ['about the creation of an object', moveEvent('0x1::object::CreateEvent', { owner: ann, object: '0x9' })],
  ['from another module', moveEvent('0x9::fungible_asset::WithdrawOwnerEvent', { owner: ann })],
])('a withdrawal followed by an event %s has no known owner', (_kind, behind) => {
  expect(read([withdraw(stray, init, 5n), behind])).toEqual([
    { whose: stray, what: 'COIN uinit', unknown: true, amount: -5n, at: 0 },
  ])
})

test('the owner of a primary store is found by hashing the accounts named', () => {
  const events = [
    event('message', { action: '/x', sender: ann }, 0),
    withdraw(storeOf(ann, made), made, 5n),
    deposit(storeOf(bob, made), made, 4n),
    deposit(stray, made, 1n),
    moveEvent('0x7::any::Event', { about: `["${bob}"]` }),
  ]
  const token = `TOKEN ${made}`
  expect(read(events)).toEqual([
    { whose: ann, what: token, amount: -5n, at: 0 },
    { whose: bob, what: token, amount: 4n, at: 0 },
    { whose: stray, what: token, unknown: true, amount: 1n, at: 0 },
  ])
  // Of an account that is asked for, nothing else need name it.
  expect(read(events.slice(2, 3), list, bob)).toEqual([{ whose: bob, what: token, amount: 4n, at: 0 }])
})

test('PrimaryStoreCreatedEvent names the owner of a store', () => {
  const created = moveEvent(
    '0x1::primary_fungible_store::PrimaryStoreCreatedEvent',
    { owner_addr: ann, store_addr: stray, metadata_addr: made },
    null,
  )
  expect(read([created, deposit(stray, made, 1n)])).toEqual([{ whose: ann, what: `TOKEN ${made}`, amount: 1n, at: 0 }])
})

test('store addresses with a leading zero are padded', () => {
  const owners = Array.from({ length: 400 }, (_, i) => `0x${(i + 4096).toString(16).padStart(40, '0')}`)
  const owner = owners.find((each) => storeOf(each, init).startsWith('0x0')) ?? ''
  const store = storeOf(owner, init)
  expect(short(store).length).toBeLessThanOrEqual(65)
  expect(read([deposit(store, init, 1n)], list, short(owner))).toEqual([
    { whose: owner, what: 'COIN uinit', amount: 1n, at: 0 },
  ])
})

test('bank events are not counted again, but give unlisted coins their denom', () => {
  const denom = 'ibc/AB12'
  const events = [
    ...bankEvents([ann, bob], `5${denom}`, 0),
    withdraw(storeOf(ann, metadata(denom)), metadata(denom), 5n),
    deposit(storeOf(bob, metadata(denom)), metadata(denom), 5n),
  ]
  for (const known of [list, null]) {
    expect(read(events, known)).toEqual([
      { whose: ann, what: `COIN ${denom}`, amount: -5n, at: 0 },
      { whose: bob, what: `COIN ${denom}`, amount: 5n, at: 0 },
    ])
  }
})

test.each([
  ['without a list', null],
  ['with a list that lacks it', list],
])('a metadata address that nothing names has no denom, %s', (_list, known) => {
  const unlisted = metadata('l2/8a1cee436cbac1489a1883c9d886fcfc46f302c55ed4106ae31729e4f4eb9041')
  for (const of of [made, unlisted]) {
    const [change] = balanceChanges({ vm: 'MOVE', code: 0, events: [deposit(stray, of, 1n)] }, { known })
    expect(change).toMatchObject({ denom: null, contract: of, kind: 'TOKEN' })
  }
})

test('a Move token has the denom of the list or of a bank event', () => {
  const denom = `move/${made.slice(2)}`
  const events = [deposit(storeOf(bob, made), made, 5n)]
  const expected = [{ whose: bob, what: `TOKEN ${denom}`, amount: 5n, at: 0 }]
  expect(read(events, knownDenoms([{ denom }]), bob)).toEqual(expected)
  expect(read([...events, ...bankEvents([ann, bob], `5${denom}`, 0)], null, bob)).toEqual(expected)
})

test('changes of several messages are summed, and messageIndex is then null', () => {
  const mine = storeOf(ann, init)
  const [message] = [event('message', { sender: ann }, 0)]
  expect(read([message, withdraw(mine, init, 5n, 0), deposit(mine, init, 2n, 1)])).toEqual([
    { whose: ann, what: 'COIN uinit', amount: -3n, at: null },
  ])
  expect(read([message, withdraw(mine, init, 5n, 1), deposit(mine, init, 5n, 1)])).toEqual([])
})

test('a repeated type_tag attribute does not forge an event', () => {
  const forged = { store_addr: storeOf(ann, init), metadata_addr: init, amount: '5' }
  const attributes = [
    ['type_tag', '0x7::any::Event'],
    ['data', '{}'],
    ['type_tag', '0x1::fungible_asset::DepositEvent'],
    ['data', JSON.stringify(forged)],
    ['msg_index', '0'],
  ].map(([key = '', value = '']) => ({ key, value }))
  expect(read([{ type: 'move', attributes }], list, ann)).toEqual([])
})

test.each(['', '{', '[]', 'null', '{"store_addr":1}'])(
  'a deposit event with malformed data changes nothing: %s',
  (data) => {
    const type_tag = '0x1::fungible_asset::DepositEvent'
    expect(read([event('move', { type_tag, data }, 0)])).toEqual([])
  },
)

const [collection, object] = [`0x${'c'.repeat(64)}`, `0x0${'d'.repeat(63)}`]
const nftEvent = (kind: 'Mint' | 'Burn') =>
  moveEvent(`0x1::collection::${kind}Event`, { collection, nft: short(object), token_id: 'one' })
const createdBy = (owner: string) =>
  moveEvent('0x1::object::CreateEvent', { object: short(object), owner, version: '1' })
const movedTo = (from: string, to: string) =>
  moveEvent('0x1::object::TransferEvent', { object: short(object), from, to })
const nft = `NFT ${collection} one`

test('a minted NFT goes to the last owner of its object', () => {
  expect(read([createdBy(ann), nftEvent('Mint')])).toEqual([{ whose: ann, what: nft, amount: 1n, at: 0 }])
  expect(read([createdBy(ann), nftEvent('Mint'), movedTo(ann, bob)])).toEqual([
    { whose: bob, what: nft, amount: 1n, at: 0 },
  ])
})

test('the owner of a burnt NFT is known only from a transfer before', () => {
  const execute = event('execute', { sender: ann }, 0)
  expect(read([execute, nftEvent('Burn')])).toEqual([{ whose: null, what: nft, unknown: true, amount: -1n, at: 0 }])
  expect(read([movedTo(ann, bob), nftEvent('Burn')])).toEqual([{ whose: ann, what: nft, amount: -1n, at: 0 }])
})

test('an object is an NFT only if an NFT event names it', () => {
  expect(read([movedTo(ann, bob)])).toEqual([
    { whose: ann, what: `OBJECT ${object}`, amount: -1n, at: 0 },
    { whose: bob, what: `OBJECT ${object}`, amount: 1n, at: 0 },
  ])
  const named = moveEvent('0x1::nft::MutationEvent', { nft: object })
  expect(read([movedTo(ann, bob), named]).map(({ what }) => what)).toEqual([`NFT ${object}`, `NFT ${object}`])
})

const texts = (text: (i: number) => string) => Array.from({ length: 1_000 }, (_, i) => text(i + 1))

test.each([
  ['addresses', texts((i) => `0x${i.toString(16)}`)],
  ['texts similar to addresses', texts((i) => `init1${i.toString(2).replaceAll('1', 'z').padStart(40, 'q')}`)],
])('a transaction with more than 1,000 %s is refused', (_what, all) => {
  const names = moveEvent('0x7::any::Event', { about: all.join(' ') })
  const store = storeOf(ann, made)
  const events = [names, event('message', { sender: ann }, 0), deposit(store, made, 1n)]
  expect(() => read(events)).toThrow('more than 1000')
  expect(read(events.slice(1))[0]).toMatchObject({ whose: ann })
  // An account that is asked for needs no search.
  expect(read(events, list, ann)[0]).toMatchObject({ whose: ann })
})

test.each([
  ['maxHashes', 'more than 2 hashes'],
  ['maxAddresses', 'more than 2 texts like addresses'],
  ['maxDenoms', 'more than 2 denoms'],
] as const)('a transaction beyond the bound `%s` is refused', (name, message) => {
  const coins = bankEvents([ann, bob], '1ibc/1,1ibc/2,1ibc/3', 0)
  const stores = [deposit(stray, metadata('ibc/9'), 1n)]
  const transaction = { vm: 'MOVE', code: 0, events: [...coins, ...stores] } as const
  const readWithin = (bounds: ChangeBounds) => balanceChanges(transaction, { known: list, bounds })
  const wide = { maxHashes: 100, maxAddresses: 100, maxDenoms: 100, maxRows: 100 }
  expect(readWithin(wide)).toHaveLength(1)
  expect(() => readWithin({ ...wide, [name]: 2 })).toThrow(message)
})

test('a transaction that needs more than 1,000 hashes is refused', () => {
  // Each address is tried for each metadata: the 30 metadata, the module, the store and the accounts.
  const stores = Array.from({ length: 30 }, (_, i) => deposit(stray, metadata(`u${i}`), 1n))
  expect(read(stores)).toHaveLength(30)
  expect(() => read([...stores, event('any', { about: `${ann} ${bob}` })])).toThrow('more than 1000 hashes')
})

test('a transaction with more than 200 denoms is refused', () => {
  const denoms = Array.from({ length: 201 }, (_, i) => `ibc/${i}`)
  const coins = (of: readonly string[]) => bankEvents([ann, bob], of.map((denom) => `1${denom}`).join(','), 0)
  const [last = ''] = denoms.slice(-1)
  const moved = deposit(storeOf(bob, metadata(last)), metadata(last), 1n)
  expect(read([...coins(denoms.slice(1)), moved])).toMatchObject([{ what: `COIN ${last}` }])
  expect(() => read([...coins(denoms), moved])).toThrow('more than 200 denoms')
  // What the list names needs none of them.
  expect(read([...coins(denoms), deposit(storeOf(bob, init), init, 1n)])).toMatchObject([
    { whose: bob, what: 'COIN uinit' },
  ])
})

test('an event with more data than is read at once makes the transaction too large, and one below it is read', () => {
  const withField = (length: number) =>
    moveEvent('0x1::fungible_asset::DepositEvent', {
      ...{ store_addr: storeOf(bob, init), metadata_addr: init, amount: '5' },
      other: 'x'.repeat(length),
    })
  expect(read([withField(60_000)], list, bob)).toEqual([{ whose: bob, what: 'COIN uinit', amount: 5n, at: 0 }])
  expect(() => read([withField(70_000)], list, bob)).toThrow('has more than 65536 characters of data')
})
