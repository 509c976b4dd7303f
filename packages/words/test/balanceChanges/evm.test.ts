import { expect, test } from 'vitest'
import {
  type LogDraft,
  nftTransferLog,
  transferLog,
  voucherLogs,
  zeroAddress,
} from '../../../sandbox/src/world/logs.ts'
import { type KnownDenoms, knownDenoms } from '../../src/balanceChanges/denoms.ts'
import type { ChainEvent } from '../../src/balanceChanges/events.ts'
import { balanceChanges } from '../support/atOnce.ts'
import { bankEvents, event, person, shown } from '../support/changeEvents.ts'

const [ann, bob] = [person('a'), person('b')]
const erc20 = '0xabcdefabcdefabcdefabcdefabcdefabcdefabcd'
const other = person('9')
const list = knownDenoms([])
const logs = (messageIndex: number, ...all: LogDraft[]): ChainEvent => ({
  type: 'evm',
  attributes: [
    ...all.map((log) => ({ key: 'log', value: JSON.stringify(log) })),
    { key: 'msg_index', value: String(messageIndex) },
  ],
})
const read = (events: readonly ChainEvent[], known: KnownDenoms | null = list) =>
  shown(balanceChanges({ vm: 'EVM', code: 0, events }, { known }))
const max = 2n ** 256n - 1n

test('ERC-20 transfer logs are changes without bank events', () => {
  expect(read([logs(2, transferLog(erc20, ann, bob, max))])).toEqual([
    { whose: ann, what: `TOKEN ${erc20}`, amount: -max, at: 2 },
    { whose: bob, what: `TOKEN ${erc20}`, amount: max, at: 2 },
  ])
})

test('coins with logs and bank events are counted once, with the denom of the event', () => {
  const events = [logs(0, transferLog(erc20, ann, bob, 5n)), ...bankEvents([ann, bob], '5l2/ab', 0)]
  const changes = balanceChanges({ vm: 'EVM', code: 0, events }, { known: list })
  expect(shown(changes)).toEqual([
    { whose: ann, what: 'COIN l2/ab', amount: -5n, at: 0 },
    { whose: bob, what: 'COIN l2/ab', amount: 5n, at: 0 },
  ])
  expect(changes.map(({ contract }) => contract)).toEqual([erc20, erc20])
})

test('minted and burnt coins have denoms, and the zero address is no account', () => {
  const minted = [
    logs(0, transferLog(erc20, zeroAddress, ann, 5n)),
    event('coinbase', { minter: ann, amount: '5l2/ab' }, 0),
  ]
  const burnt = [logs(1, transferLog(other, bob, zeroAddress, 6n)), event('burn', { burner: bob, amount: '6l2/cd' }, 1)]
  expect(read([...minted, ...burnt])).toEqual([
    { whose: bob, what: 'COIN l2/cd', amount: -6n, at: 1 },
    { whose: ann, what: 'COIN l2/ab', amount: 5n, at: 0 },
  ])
})

test('two contracts with logs that match one bank event both stay without denom', () => {
  const both = logs(0, transferLog(erc20, ann, bob, 5n), transferLog(other, ann, bob, 5n))
  const kinds = read([both, ...bankEvents([ann, bob], '5l2/ab', 0)]).map(({ what }) => what)
  expect(new Set(kinds)).toEqual(new Set([`TOKEN ${erc20}`, `TOKEN ${other}`]))
})

const [first, second] = ['ibc/3263C2FA', 'GAS']

test('coins of equal amounts in one message get denoms in the order of their logs', () => {
  const both = logs(0, transferLog(erc20, ann, bob, 5n), transferLog(other, ann, bob, 5n))
  const events = [both, ...bankEvents([ann, bob], `5${first},5${second}`, 0)]
  for (const known of [list, null]) {
    expect(read(events, known)).toEqual([
      { whose: ann, what: `COIN ${first}`, amount: -5n, at: 0 },
      { whose: ann, what: `COIN ${second}`, amount: -5n, at: 0 },
      { whose: bob, what: `COIN ${first}`, amount: 5n, at: 0 },
      { whose: bob, what: `COIN ${second}`, amount: 5n, at: 0 },
    ])
  }
})

test('more logs of equal amounts than coins get no denoms', () => {
  const moved = [erc20, other, person('8')].map((contract) => transferLog(contract, ann, bob, 5n))
  const events = [logs(0, ...moved), ...bankEvents([ann, bob], `5${first},5${second}`, 0)]
  const changes = balanceChanges({ vm: 'EVM', code: 0, events }, { known: list })
  expect(changes).toHaveLength(6)
  for (const change of changes) expect(change).toMatchObject({ denom: null, kind: 'TOKEN' })
})

test.each([
  ['message', bankEvents([ann, bob], '5l2/ab', 1)],
  ['amount', bankEvents([ann, bob], '6l2/ab', 0)],
  ['account', bankEvents([ann, ann], '5l2/ab', 0)],
])('a bank event with another %s gives a log no denom', (_what, events) => {
  const [first] = read([logs(0, transferLog(erc20, ann, bob, 5n)), ...events])
  expect(first?.what).toBe(`TOKEN ${erc20}`)
})

test('a contract has the denom of the list, and none without a list', () => {
  const events = [logs(0, transferLog(erc20, zeroAddress, bob, 5n))]
  const listed = knownDenoms([{ denom: 'l2/ab', tokenContract: erc20.toUpperCase().replace('X', 'x') }])
  expect(read(events, listed)).toEqual([{ whose: bob, what: 'COIN l2/ab', amount: 5n, at: 0 }])
  const asset = knownDenoms([{ denom: `evm/${erc20.slice(2)}` }])
  expect(read(events, asset)).toEqual([{ whose: bob, what: `TOKEN evm/${erc20.slice(2)}`, amount: 5n, at: 0 }])
  const [unnamed] = balanceChanges({ vm: 'EVM', code: 0, events }, { known: null })
  expect(unnamed).toMatchObject({ denom: null, contract: erc20, amount: 5n })
})

test('ERC-721 and ERC-1155 logs change balances by token id', () => {
  const moved = logs(0, nftTransferLog(erc20, ann, bob, '7'), ...voucherLogs(other, ann, 4n))
  expect(read([moved])).toEqual([
    { whose: ann, what: `NFT ${erc20} 7`, amount: -1n, at: 0 },
    { whose: bob, what: `NFT ${erc20} 7`, amount: 1n, at: 0 },
    { whose: ann, what: `NFT ${other} 1`, amount: 4n, at: 0 },
    { whose: ann, what: `NFT ${other} 2`, amount: 4n, at: 0 },
    { whose: ann, what: `NFT ${other} 3`, amount: 1n, at: 0 },
  ])
})

test.each(['', '{', 'null', '[]', '{"address":"0x1"}', '{"address":1,"topics":[1],"data":""}'])(
  'a malformed log changes nothing: %s',
  (value) => {
    const attributes = [
      { key: 'log', value },
      { key: 'msg_index', value: '0' },
    ]
    expect(read([{ type: 'evm', attributes }])).toEqual([])
  },
)

test('a log with an invalid sender or recipient changes nothing', () => {
  const log = transferLog(erc20, ann, bob, 5n)
  const tooLong = `0x${'f'.repeat(64)}`
  for (const place of [1, 2]) {
    const topics = log.topics.with(place, tooLong)
    expect(read([logs(0, { ...log, topics })])).toEqual([])
  }
})

test('the logs of an EVM receipt are read like those of events', () => {
  const evmLogs = [transferLog(erc20, ann, bob, 5n)]
  const changes = balanceChanges({ code: 0, events: [], evmLogs }, { account: bob, known: list })
  expect(shown(changes)).toEqual([{ whose: bob, what: `TOKEN ${erc20}`, amount: 5n, at: null }])
})
