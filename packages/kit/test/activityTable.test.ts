import { expect, test } from 'vitest'
import { activityColumns, activityRows, type RowAction, type RowChange, type RowEdge } from '../src/activityTable.ts'
import { tellWhole } from '../src/summary.ts'

const me = '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817'
const address = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'
const friend = { address: 'init1friend', hexAddress: '0xf1' }
const self = { address, hexAddress: me }

const action = (more: Partial<RowAction>): RowAction => ({
  ...{
    kind: 'SEND',
    summaryParts: [],
    messageIndex: 0,
    actor: self,
    counterparty: null,
  },
  ...{ remoteAddress: null, channel: null, packetSequence: null },
  ...more,
})

/** The rows of a transaction, by the names of the columns. */
const cellsOf = (edge: RowEdge) =>
  activityRows(edge, { hexAddress: me, isOwn: (text) => text === address }).map((row) =>
    Object.fromEntries(activityColumns.map(({ name }, index) => [name, row[index]])),
  )

/** The other side of a row, whose change comes from a message or, with null, from several. */
function otherSide(actions: readonly RowAction[], messageIndex: number | null) {
  const change: RowChange = {
    ...{ kind: 'COIN', amount: '1', formattedAmount: null, usdValueAtTime: null, denom: 'uinit', tokenId: null },
    ...{ objectAddress: null, messageIndex, contract: null, collection: null, asset: null },
  }
  const node = { hash: 'AB', height: 7, timestamp: '2026-11-21T11:44:39Z', isSuccessful: true, actions }
  return cellsOf({ chain: { chainId: 'hub-1' }, node, balanceChanges: [change] })[0]?.counterparty
}

test.each<[string, Partial<RowAction>, string | null]>([
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

const node = {
  ...{ hash: 'AB', height: 7, timestamp: '2026-11-21T11:44:39Z', isSuccessful: true },
  actions: [action({ summaryParts: [{ kind: 'TEXT', text: 'Sent', address: null, account: null, amount: null }] })],
}
const none = { tokenId: null, objectAddress: null, messageIndex: null, contract: null, collection: null }
const asset = { symbol: 'X' }

test('losses and gains are signed, a fee has columns of its own, and all have their digits', () => {
  const balanceChanges = [
    { ...none, asset, kind: 'FEE', amount: '-5', denom: 'x', formattedAmount: '-0.000005', usdValueAtTime: '-1' },
    {
      ...{ ...none, asset, kind: 'COIN', amount: '123456789012345678901234567890', denom: 'x' },
      ...{ formattedAmount: '123456789012.34567890123456789', usdValueAtTime: null },
    },
    { ...none, asset: null, kind: 'TOKEN', amount: '-7', denom: null, formattedAmount: null, usdValueAtTime: null },
  ]
  const rows = cellsOf({ chain: { chainId: 'a-1' }, node, balanceChanges })
  expect(
    rows.map(({ formatted_amount, amount, formatted_fee, fee }) => [formatted_amount, amount, formatted_fee, fee]),
  ).toEqual([
    [null, null, '-0.000005', '-5'],
    ['123456789012.34567890123456789', '123456789012345678901234567890', null, null],
    [null, '-7', null, null],
  ])
  expect(rows.map(({ usd_value_at_time }) => usd_value_at_time)).toEqual(['-1', null, null])
})

test('a transaction whose changes are none or unknown has one row, and one that could not be read has none', () => {
  for (const balanceChanges of [[], null]) {
    const rows = cellsOf({ chain: { chainId: 'a-1' }, node, balanceChanges })
    expect(rows).toMatchObject([{ hash: 'AB', summary: 'Sent', change: null, amount: null, usd_value_at_time: null }])
  }
  expect(cellsOf({ chain: { chainId: 'a-1' }, node: null, balanceChanges: null })).toEqual([])
})

test('actions that are unknown leave their cells empty', () => {
  const [row] = cellsOf({ chain: { chainId: 'a-1' }, node: { ...node, actions: null }, balanceChanges: [] })
  expect(row).toMatchObject({ kind: null, summary: null, counterparty: null })
})

test('an amount without a denom keeps its words', () => {
  const part = { kind: 'AMOUNT', text: '7 base units of init1abc…xyz', address: null, account: null }
  expect(tellWhole({ summaryParts: [{ ...part, amount: { denom: null } }] })).toBe(part.text)
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
