import { expect, test } from 'vitest'
import type { BridgeStoryFragment, TransferSubscription } from '../../src/generated/graphql.ts'
import { isOver, progressOf } from '../../src/values/transferOutcome.ts'

type Transfer = TransferSubscription['transfer']

const transfer = (state: Transfer['state'], outcome: Transfer['outcome'], code: Transfer['guidance']['code']) =>
  ({
    ...{ state, outcome, isTerminal: outcome !== 'PENDING', hops: [], transaction: { hash: 'AB' } },
    ...{ chain: { prettyName: 'Hub' }, guidance: { code } },
  }) as unknown as Transfer

test.each([
  ['COMPLETED_SUCCESS', 'SUCCEEDED', 'DELIVERED', 'Arrived'],
  ['COMPLETED_ERROR', 'FAILED', 'RETURNED', 'Returned'],
  ['COMPLETED_ERROR', 'FAILED', 'RELEASED', 'failed'],
  ['PENDING_ERROR', 'PENDING', 'RETURNING', 'On its way back'],
  ['PENDING', 'PENDING', 'CLAIMABLE', 'To be claimed'],
  ['PENDING', 'PENDING', 'WAIT', 'pending'],
  // No router follows it: the records alone say what became of it.
  ['UNTRACKED', 'PENDING', 'DELIVERED', 'Arrived'],
  ['UNTRACKED', 'PENDING', 'UNTRACKED', 'pending · untracked'],
] as const)(
  'the result of a transfer in the state %s, %s, with the guidance %s is %s',
  (state, outcome, code, told) => {
    expect(progressOf(transfer(state, outcome, code))).toBe(told)
  },
)

const movement = (funds: string, outcome?: string) =>
  ({ guidance: { funds }, transfer: outcome ? { outcome } : null }) as unknown as BridgeStoryFragment

test('a movement is over with its transfer', () => {
  expect(isOver(movement('DELIVERED', 'SUCCEEDED'))).toBe(true)
  expect(isOver(movement('RETURNED', 'FAILED'))).toBe(true)
  // The router has a hop behind it, or has stopped tracking it.
  expect(isOver(movement('DELIVERED', 'PENDING'))).toBe(false)
  expect(isOver(movement('UNKNOWN', 'ABANDONED'))).toBe(false)
})

test('a movement that no router follows is over where its funds are', () => {
  expect(isOver(movement('DELIVERED'))).toBe(true)
  expect(isOver(movement('RETURNED'))).toBe(true)
  expect(isOver(movement('RETURNING'))).toBe(false)
  expect(isOver(movement('CLAIMABLE'))).toBe(false)
})
