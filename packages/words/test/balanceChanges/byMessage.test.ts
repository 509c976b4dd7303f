import { expect, test } from 'vitest'
import type { ChainEvent } from '../../src/balanceChanges/events.ts'
import { balanceChanges } from '../support/atOnce.ts'
import { bankEvents, event, person, shown } from '../support/changeEvents.ts'

const [ann, bob] = [person('a'), person('b')]
const read = (events: readonly ChainEvent[], isByMessage = true) =>
  shown(balanceChanges({ vm: 'WASM', code: 0, events }, { known: null, account: ann, isByMessage }))

/** The events of a message at a place inside a message that executes others. The chain adds both numbers at the end. */
const inside = (place: number, events: readonly ChainEvent[]): readonly ChainEvent[] =>
  events.map(({ type, attributes }) => ({
    type,
    attributes: [...attributes, { key: 'authz_msg_index', value: String(place) }, { key: 'msg_index', value: '4' }],
  }))

test('what one message paid and another took is two changes, though their sum is nothing', () => {
  const events = [...bankEvents([bob, ann], '5ulant', 0), ...bankEvents([ann, bob], '5ulant', 1)]
  expect(read(events, false)).toEqual([])
  expect(read(events)).toEqual([
    { whose: ann, what: 'COIN ulant', amount: -5n, at: 1 },
    { whose: ann, what: 'COIN ulant', amount: 5n, at: 0 },
  ])
})

test('messages inside another one are told apart, and have its index', () => {
  const events = [
    ...inside(0, bankEvents([bob, ann], '5ulant')),
    ...inside(1, bankEvents([ann, bob], '5ulant')),
    ...inside(10, bankEvents([bob, ann], '2ulant')),
  ]
  expect(read(events)).toEqual([
    { whose: ann, what: 'COIN ulant', amount: -5n, at: 4 },
    { whose: ann, what: 'COIN ulant', amount: 5n, at: 4 },
    { whose: ann, what: 'COIN ulant', amount: 2n, at: 4 },
  ])
})

test('what one message moves to and fro is no change, and the fee is one of its own', () => {
  const events = [
    ...bankEvents([ann, bob], '7ulant'),
    ...bankEvents([ann, bob], '5ulant', 0),
    event('coin_received', { receiver: ann, amount: '5ulant' }, 0),
    ...bankEvents([ann, ann], '9ulant', 1),
  ]
  expect(read(events)).toEqual([{ whose: ann, what: 'FEE ulant', amount: -7n, at: null }])
})
