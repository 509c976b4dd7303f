import { expect, test } from 'vitest'
import type { Action, KoinlyChange } from '../src/koinly/koinlyEdge.ts'
import { action, change, coin, edge, fee, usdc, write } from './support/koinlyRows.ts'

/** The rows of a transaction: sent, received, fee and label. */
const rowsOf = (actions: readonly Action[], changes: readonly KoinlyChange[]) =>
  write([edge(actions, changes)]).rows.map((row) => {
    const [sent, sentIn, received, receivedIn, feeAmount, feeIn, , , label] = row.split('|')
    return [
      sent && `-${sent} ${sentIn}`,
      received && `+${received} ${receivedIn}`,
      feeAmount && `${feeAmount} ${feeIn}`,
      label,
    ]
      .filter((cell) => cell)
      .join(' ')
  })

const cost = '-0.005 INIT cost'
const at = (messageIndex: number) => ({ messageIndex })
const claim = (amount: string, more: Partial<Action> = {}) =>
  action('CLAIM_REWARDS', { receivedAmounts: [coin(amount)], ...more })
const stake = (amount: string, more: Partial<Action> = {}) =>
  action('STAKE', { rawKind: '/initia.mstaking.v1.MsgDelegate', amounts: [coin(amount)], ...more })
const inUsdc = (amount: string, more: Partial<KoinlyChange> = {}) =>
  change(amount, { denom: 'uusdc', asset: usdc, ...more })

test.each([
  ['in two messages', 1],
  ['in one message that executes both', 0],
])('a claimed reward and its stake are two facts %s, though they sum to nothing', (_where, second) => {
  const actions = [claim('5000000'), stake('5000000', at(second))]
  const changes = [fee('-5000'), change('-5000000', at(second)), change('5000000')]
  expect(rowsOf(actions, changes)).toEqual([cost, '+5 INIT reward'])
})

test('so they are on a chain that does not say which of the inner messages an event is of', () => {
  const actions = [action('CLAIM_REWARDS', { receivedAmounts: [] }), stake('5000000')]
  expect(rowsOf(actions, [fee('-5000')])).toEqual([cost, '+5 INIT reward'])
  expect(rowsOf(actions, [])).toEqual(['+5 INIT reward'])
})

test('a message whose stake is as much as it pays out has paid a reward', () => {
  expect(rowsOf([stake('2000000', { receivedAmounts: [coin('2000000')] })], [fee('-5000')])).toEqual([
    cost,
    '+2 INIT reward',
  ])
})

test.each([
  ['less', '-98000000', '2000000', '+2 INIT reward'],
  ['more', '1000000', '101000000', '+101 INIT reward'],
])('of a delegation that pays %s than it takes, the reward is what it paid', (_which, moved, paid, row) => {
  expect(rowsOf([stake('100000000', { receivedAmounts: [coin(paid)] })], [change(moved)])).toEqual([row])
})

test('a cancelled unbonding moves nothing but the rewards that it pays', () => {
  const cancelled = stake('900000000', { rawKind: '/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation' })
  expect(rowsOf([{ ...cancelled, receivedAmounts: [coin('1250000')] }], [change('1250000')])).toEqual([
    '+1.25 INIT reward',
  ])
  expect(rowsOf([cancelled], [change('1250000')])).toEqual(['+1.25 INIT reward'])
  expect(rowsOf([cancelled], [fee('-5000')])).toEqual([cost])
  // Beside a stake that did leave.
  const both = [{ ...cancelled, receivedAmounts: [coin('1250000')] }, stake('3000000', at(1))]
  expect(rowsOf(both, [change('1250000'), change('-3000000', at(1))])).toEqual(['+1.25 INIT reward'])
})

test.each(['UNSTAKE', 'REDELEGATE'])('%s of an amount pays its rewards and nothing more', (kind) => {
  const moved = action(kind, { amounts: [coin('900000000')], receivedAmounts: [coin('1250000')] })
  expect(rowsOf([moved], [change('1250000')])).toEqual(['+1.25 INIT reward'])
})

test('rewards that were sent to another account are none of this one', () => {
  expect(rowsOf([claim('5000000')], [fee('-5000')])).toEqual([cost])
  expect(rowsOf([claim('5000000'), stake('5000000', at(1))], [change('-5000000', at(1))])).toEqual([])
  // What came by another message is no reward.
  const others = [claim('5000000'), action('SEND', { ...at(1), actor: { hexAddress: '0x1' } })]
  expect(rowsOf(others, [change('5000000', at(1))])).toEqual(['+5 INIT'])
})

test.each([
  ['SEND', '-5 INIT'],
  ['BRIDGE_OUT', '-5 INIT'],
])('a reward that is sent on by %s is a reward and a send', (kind, row) => {
  const actions = [claim('5000000'), action(kind, at(1))]
  expect(rowsOf(actions, [change('-5000000', at(1)), change('5000000')])).toEqual([row, '+5 INIT reward'])
})

test('a reward that is swapped is a reward and a trade', () => {
  const actions = [claim('5000000'), action('SWAP', at(1))]
  const changes = [change('-5000000', at(1)), change('5000000'), inUsdc('2000000', at(1))]
  expect(rowsOf(actions, changes)).toEqual(['-5 INIT +2 USDC', '+5 INIT reward'])
})

test('only what its own message paid has the label', () => {
  const actions = [claim('1000000'), action('BRIDGE_IN', at(1)), stake('7000000', at(2))]
  const changes = [change('-7000000', at(2)), change('1000000'), change('4000000', at(1)), inUsdc('2000000', at(1))]
  expect(rowsOf(actions, changes)).toEqual(['+4 INIT', '+2 USDC', '+1 INIT reward'])
  // Inside one message that executes all of them.
  const inside = actions.map((each) => ({ ...each, messageIndex: 0 }))
  expect(
    rowsOf(
      inside,
      changes.map((each) => ({ ...each, messageIndex: 0 })),
    ),
  ).toEqual([...['+4 INIT', '+2 USDC', '+1 INIT reward']])
})

test('swaps that return are two trades', () => {
  const there = action('SWAP', { amounts: [coin('100000000')], receivedAmounts: [coin('40000000', 'uusdc')] })
  const back = action('SWAP', { amounts: [coin('40000000', 'uusdc')], receivedAmounts: [coin('100000000')] })
  for (const second of [0, 1]) {
    const changes = [
      ...[change('-100000000'), inUsdc('-40000000', at(second))],
      ...[inUsdc('40000000'), change('100000000', at(second))],
    ]
    expect(rowsOf([there, { ...back, ...at(second) }], changes)).toEqual(['-100 INIT +40 USDC', '-40 USDC +100 INIT'])
  }
})

test('a swap whose gain went to another account is a send', () => {
  const swap = action('SWAP', { amounts: [coin('5000000')], receivedAmounts: [coin('2000000', 'uusdc')] })
  expect(rowsOf([swap], [change('-5000000')])).toEqual(['-5 INIT'])
})

test('what one message took and another gave is told as both, and what came back by one as nothing', () => {
  const actions = [action('SEND'), action('SEND', { ...at(1), actor: { hexAddress: '0x1' } })]
  expect(rowsOf(actions, [change('-5000000'), change('5000000', at(1))])).toEqual(['-5 INIT', '+5 INIT'])
  expect(rowsOf([action('SEND')], [fee('-5000')])).toEqual([cost])
})

test('a reward has the value of its part of the change, or of the fee in its asset', () => {
  const actions = [claim('5000000'), stake('5000000')]
  const { rows } = write([edge(actions, [fee('-5000', { usdValueAtTime: '-0.00175' })])])
  expect(rows[1]).toMatch(/^\|\|5\|INIT\|\|\|1.75\|USD\|reward\|/)
})
