import { type Account, makeAccount } from '../../../sandbox/src/address.ts'
import { type Event, event, marked } from '../../../sandbox/src/world/events.ts'
import { metadataOf } from '../../../sandbox/src/world/moveStores.ts'
import type { Action } from '../../src/actions/action.ts'
import type { ActionKind } from '../../src/actions/kinds.ts'
import { rawAmount, summaryOf, type WriteAmount, wholeAmount, wholeUnits } from '../../src/actions/summary.ts'
import { actionsOf } from '../support/atOnce.ts'

/** A message, and the events that it caused. */
interface Sent {
  readonly type: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly events?: readonly Event[]
}

/** A transaction, and what its actions have to be. */
export interface Row {
  readonly messages: readonly Sent[]
  readonly isFailed?: boolean
  readonly actions: readonly Expected[]
}

interface Expected {
  readonly kind: ActionKind
  readonly summary: string
  readonly parts: Partial<Action>
}

/** A row of one message that is one action. */
export const row = (
  type: string,
  fields: Readonly<Record<string, unknown>>,
  events: readonly Event[],
  kind: ActionKind,
  summary: string,
  parts: Partial<Action>,
): Row => ({ messages: [{ type, fields, events }], actions: [{ kind, summary, parts }] })

/** The row of the same message in a transaction that failed. */
export const failed = (
  type: string,
  fields: Readonly<Record<string, unknown>>,
  kind: ActionKind,
  summary: string,
  parts: Partial<Action>,
): Row => ({ ...row(type, fields, [], kind, summary, parts), isFailed: true })

/** The events of a row as the chain has them: those of the fee have no index of a message. */
function eventsOf({ messages, isFailed }: Row): readonly Event[] {
  const fee = event('coin_received', { receiver: alice.bech32, amount: '999uinit' })
  const caused = messages.flatMap(({ events = [] }, index) => events.map((each) => marked(each, 'msg_index', index)))
  return isFailed ? [fee] : [fee, ...caused]
}

/** The actions of a row. */
export const actionsOfRow = (given: Row): Action[] =>
  actionsOf({
    isSuccessful: !given.isFailed,
    messages: given.messages.map(({ type, fields }) => ({ '@type': `/${type}`, ...fields })),
    events: eventsOf(given),
  })

const account = (name: string, bytes: 20 | 32 = 20): Account => makeAccount('init', bytes, name)
export const alice: Account = account('alice')
export const bob: Account = account('bob')
export const carol: Account = account('carol')
export const contract: Account = account('contract', 32)
export const token: Account = account('token')
export const validator: string = makeAccount('initvaloper', 20, 'validator').bech32
export const nextValidator: string = makeAccount('initvaloper', 20, 'next').bech32
export const abroad: string = makeAccount('osmo', 20, 'abroad').bech32
export const usdc = `ibc/${'AB'.repeat(32)}`

/** What an asset list says of some denoms. */
const assets: Readonly<Record<string, readonly [symbol: string, decimals: number]>> = {
  uinit: ['INIT', 6],
  [usdc]: ['USDC', 6],
  [token.hex]: ['GAL', 18],
  [contract.bech32]: ['SAIL', 6],
  [metadataOf('uinit')]: ['INIT', 6],
  [metadataOf(usdc)]: ['USDC', 6],
}

/** Writes amounts with this asset list. */
const writeListed: WriteAmount = (amount) => {
  const [symbol, decimals] = assets[amount.denom ?? amount.metadata ?? ''] ?? []
  const whole = decimals === undefined ? null : wholeUnits(amount.amount, decimals)
  return whole === null || symbol === undefined ? rawAmount(amount) : wholeAmount(whole, symbol)
}

export const summariesOf = (given: Row): string[] =>
  actionsOfRow(given).map((action) => summaryOf(action, { writeAmount: writeListed }))

/** An address as sentences have it. */
export function short(address: string): string {
  const start = address.startsWith('0x') ? 2 : address.indexOf('1') + 1
  return `${address.slice(0, start + 6)}…${address.slice(-6)}`
}

export const init = (amount: string) => ({ denom: 'uinit', amount })
export const coin = (denom: string, amount: bigint) => ({ denom, amount })
