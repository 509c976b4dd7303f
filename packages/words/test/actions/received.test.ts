import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sandboxChains } from '../../../sandbox/src/chains.ts'
import { event, marked } from '../../../sandbox/src/world/events.ts'
import { createFixtures } from '../../../sandbox/src/world/fixtures.ts'
import { createTransactions } from '../../../sandbox/src/world/transactions.ts'
import { createWorkload } from '../../../sandbox/src/world/workload.ts'
import type { Action } from '../../src/actions/action.ts'
import { summaryOf } from '../../src/actions/summary.ts'
import type { ChainEvent } from '../../src/balanceChanges/events.ts'
import { actionsOf, balanceChanges } from '../support/atOnce.ts'
import { abroad, alice, bob, usdc } from './row.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are read as they come
type Data = any

/** The events of one message. */
const eventsOf = (events: readonly ChainEvent[], index: number | null) =>
  events.filter(({ attributes }) => attributes.some(({ key, value }) => key === 'msg_index' && value === String(index)))

/** The amounts that the sentence of an action says to have come to somebody. */
function saidToArrive({ kind, isSuccessful, amounts = [], received = [] }: Action) {
  if (!isSuccessful) return []
  return kind === 'BRIDGE_IN' || kind === 'BRIDGE_REFUND' ? amounts : received
}

/** What a message gave to whom, by its balance changes. */
function credits(events: readonly ChainEvent[], account: string | undefined) {
  const changes = balanceChanges({ code: 0, events }, { account, known: null })
  return changes.filter(({ amount }) => amount > 0n)
}

describe.each(sandboxChains)('on $chainId', (chain) => {
  const fixtures = createFixtures(chain, 'words')
  const transactions = createTransactions(fixtures, createWorkload(fixtures))
  const records = Array.from({ length: 1_400 }, (_, index) => transactions.record(index + 1))

  test('every amount that a sentence says to have arrived was credited', () => {
    let checked = 0
    for (const { code, events, tx } of records) {
      const { messages }: Data = (tx as Data).body
      for (const action of actionsOf({ isSuccessful: code === 0, messages, events })) {
        const own = eventsOf(events, action.messageIndex)
        const isForCall = action.kind === 'BRIDGE_IN' && action.contract != null
        const credited = credits(own, isForCall ? undefined : (action.actor ?? undefined))
        for (const { denom, metadata, amount } of saidToArrive(action)) {
          const fits = credited.some(
            (change) => change.amount >= amount && [change.denom, change.contract].includes(denom ?? metadata ?? ''),
          )
          expect(fits, `${summaryOf(action)} by ${JSON.stringify(own)}`).toBe(true)
          checked += 1
        }
      }
    }
    expect(checked).toBeGreaterThan(50)
  })

  test('every coin that comes over IBC is said', () => {
    const silent = records.flatMap(({ code, events, tx }) => {
      const { messages }: Data = (tx as Data).body
      const actions = actionsOf({ isSuccessful: code === 0, messages, events })
      return actions.filter(
        ({ kind, isSuccessful, amounts = [] }) => kind === 'BRIDGE_IN' && isSuccessful && amounts.length === 0,
      )
    })
    expect(silent).toEqual([])
  })
})

const inHex = (text: string) => Buffer.from(text).toString('hex')
const taken = '{"result":"AQ=="}'
const error = '{"error":"ABCI code: 5"}'
const wrapped = (text: string) => JSON.stringify({ app_acknowledgement: Buffer.from(text).toString('base64') })
const written = (attributes: Readonly<Record<string, string>>) => event('write_acknowledgement', attributes)
const told = (success: string, prefix = '') =>
  event(`${prefix}fungible_token_packet`, { [`${prefix}success`]: success })
const paid = event('coin_received', { receiver: alice.bech32, amount: `5${usdc}` })

/** The forms in which a chain writes an acknowledgement, at random. */
const acknowledged = (text: string) =>
  fc.constantFrom(
    written({ packet_ack: text }),
    written({ packet_ack_hex: inHex(text) }),
    written({ packet_ack: text, packet_ack_hex: inHex(text) }),
    written({ packet_ack: wrapped(text) }),
    written({ packet_ack_hex: inHex(wrapped(text)) }),
  )

const outcomes = {
  delivered: fc.tuple(fc.constant(paid), fc.constant(told('true')), acknowledged(taken)),
  refused: fc.oneof(
    acknowledged(error).map((ack) => [ack]),
    fc.tuple(fc.constant(told('false')), acknowledged(error)),
    fc.tuple(fc.constant(told('true', 'ibccallbackerror-')), acknowledged(error)),
    fc.constant([told('false')]),
  ),
  repeated: fc.constant([]),
}

test.each(Object.keys(outcomes) as (keyof typeof outcomes)[])(
  'a packet that was %s is told so, in whatever form its chain writes it',
  (outcome) => {
    const verbs = {
      delivered: 'Received 5 ',
      refused: 'Tried to deliver ',
      repeated: 'Relayed 1 packet',
    }
    const packet = { amount: '5', denom: 'uusdc', sender: abroad, receiver: alice.bech32 }
    const message = {
      '@type': '/ibc.core.channel.v1.MsgRecvPacket',
      packet: { data: Buffer.from(JSON.stringify(packet)).toString('base64') },
      signer: bob.bech32,
    }
    fc.assert(
      fc.property(outcomes[outcome], (caused) => {
        const events = [event('recv_packet', {}), ...caused]
        const [action, ...others] = actionsOf({
          isSuccessful: true,
          messages: [message],
          events: events.map((each) => marked(each, 'msg_index', 0)),
        })
        expect(others).toEqual([])
        expect(action && summaryOf(action)).toMatch(new RegExp(`^${verbs[outcome]}`))
      }),
    )
  },
)
