import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestGateway } from '../../../src/testing.ts'
import { isAddressOf } from '../src/isAddressOf.ts'
import { type Action, type ActivityEdge, activityTable, type Change } from '../src/subjects/activity.ts'
import { tellWhole } from '../src/subjects/summary.ts'
import { address, objectsOf, run, startFolder, startWorld } from './support/world.ts'

const me = '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817'
const friend = { address: 'init1friend', hexAddress: '0xf1' }
const self = { address, hexAddress: me }

let world: TestGateway
let rows: readonly Record<string, unknown>[]
beforeAll(async () => {
  world = await startWorld()
  using folder = startFolder()
  const file = folder.fileOf('a.ndjson')
  await run(['activity', '--url', world.url, '--address', address, '--format', 'ndjson', '--out', file])
  rows = objectsOf(file)
})
afterAll(() => world[Symbol.asyncDispose]())

test('what was received has its sender as the other side, and what was sent its recipient', () => {
  const moved = rows.filter(
    ({ kind, change }) =>
      /^(SEND|MULTI_SEND|NFT_TRANSFER|OBJECT_TRANSFER|BRIDGE_\w+)$/.test(String(kind)) && change !== 'FEE',
  )
  const gains = moved.filter(({ amount }) => amount !== null && !String(amount).startsWith('-'))
  expect(new Set(gains.map(({ change }) => change))).toEqual(new Set(['COIN', 'TOKEN', 'NFT', 'OBJECT']))
  expect(gains.length).toBeGreaterThan(10)
  expect(moved.filter(({ counterparty, change }) => counterparty === null && change !== null)).toEqual([])
  expect(moved.filter(({ counterparty }) => counterparty !== null && isAddressOf(String(counterparty), me))).toEqual([])
})

test('an address is whole in the summary, and spelled as beside it', () => {
  expect(rows.filter(({ summary }) => /[0-9a-z]{4}…[0-9a-z]{4,}\b(?!…)/.test(String(summary)))).toEqual([])
  const sent = rows.filter(
    ({ kind, amount, counterparty }) => kind === 'SEND' && String(amount).startsWith('-') && counterparty,
  )
  expect(new Set(sent.map(({ chain_id }) => chain_id)).size).toBe(3)
  for (const { summary, counterparty } of sent) expect(summary).toContain(` to ${String(counterparty).split(' ')[0]}`)
})

const action = (more: Partial<Action>): Action => ({
  ...{
    kind: 'SEND',
    summary: '',
    summaryParts: [],
    messageIndex: 0,
    isSuccessful: true,
    actor: self,
    counterparty: null,
  },
  ...{ remoteAddress: null, channel: null, packetSequence: null, amounts: null },
  ...more,
})

/** The other side of a row, whose change comes from a message or, with null, from several. */
function otherSide(actions: readonly Action[], messageIndex: number | null) {
  const change: Change = {
    ...{ kind: 'COIN', amount: '1', formattedAmount: null, usdValueAtTime: null, denom: 'uinit', tokenId: null },
    ...{ objectAddress: null, messageIndex, contract: null, collection: null, asset: null },
  }
  const node = { hash: 'AB', height: 7, timestamp: '2026-11-21T11:44:39Z', isSuccessful: true, actions }
  const edge: ActivityEdge = { chain: { chainId: 'hub-1' }, node, balanceChanges: [change] }
  const table = activityTable(me)
  const [row] = table.rowsOf(edge, { lists: {}, notes: {} })
  return row?.[table.columns.findIndex(({ name }) => name === 'counterparty')]
}

test.each<[string, Partial<Action>, string | null]>([
  ['a send', { counterparty: friend }, friend.address],
  ['a receipt', { actor: friend, counterparty: self }, friend.address],
  ['a receipt of several recipients', { kind: 'MULTI_SEND', actor: friend }, friend.address],
  ['a call that moved something of the account', { kind: 'CONTRACT_CALL', actor: friend }, friend.address],
  ['a departure over a bridge', { kind: 'BRIDGE_OUT', remoteAddress: 'osmo1x' }, 'osmo1x'],
  ['an arrival over a bridge', { kind: 'BRIDGE_IN', remoteAddress: 'osmo1x' }, 'osmo1x'],
  [
    'a departure of another account to this one',
    { kind: 'BRIDGE_OUT', actor: friend, remoteAddress: address },
    friend.address,
  ],
  ['work of a relayer', { kind: 'IBC_RELAY', actor: friend }, null],
  ['an action of nobody known', { actor: null, counterparty: friend }, friend.address],
])('the other side of %s', (_what, more, expected) => {
  expect(otherSide([action(more)], 0)).toBe(expected)
})

test('of several messages, those between others have no side of the account', () => {
  const stranger = { address: 'init1stranger', hexAddress: '0xf2' }
  const between = action({ actor: friend, counterparty: stranger })
  for (const messageIndex of [0, null]) {
    expect(otherSide([action({ counterparty: friend }), between], messageIndex)).toBe(friend.address)
    expect(otherSide([between], messageIndex)).toBeNull()
  }
})

test('what has a name has its address behind it, and a denom is whole', () => {
  const part = { kind: 'TEXT', address: null, account: null, amount: null }
  const summaryParts = [
    { ...part, text: 'Delegated ' },
    { ...part, kind: 'AMOUNT', text: '7 base units of init1abc…xyz', amount: { denom: 'init1abcdefxyz' } },
    { ...part, text: ' to ' },
    { ...part, kind: 'VALIDATOR', text: 'Polaris', address: 'initvaloper1abc' },
    { ...part, text: ' from ' },
    { ...part, kind: 'ACCOUNT', text: '0x77fe…b817', address: '0x77fe0b817', account: { address: 'init1whole' } },
    { ...part, text: ' with ' },
    { ...part, kind: 'OBJECT', text: '0x99…1b', address: '0x99001b', account: { address: 'init1object' } },
  ]
  expect(tellWhole({ summaryParts })).toBe(
    'Delegated 7 base units of init1abcdefxyz to Polaris (initvaloper1abc) from init1whole with 0x99001b',
  )
})
