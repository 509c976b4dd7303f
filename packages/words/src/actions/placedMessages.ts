import type { Steps } from '#kit/steps'
import { UnboundedChanges } from '../balanceChanges/bound.ts'
import type { ChainEvent } from '../balanceChanges/events.ts'
import { maxMoveData } from '../balanceChanges/moveEvents.ts'
import { moveDataIn } from './events.ts'
import { type Fields, fieldsOf, fieldText, itemsOf } from './fields.ts'

/** The most events of one message. A family reads all of them at once, and `maxMoveData` in them. */
const maxEvents = 20_000

/** How deep messages that hold others are read. Chains allow fewer. */
export const maxDepth = 4

const authzExec = 'cosmos.authz.v1beta1.MsgExec'

/** Messages that hold others, and the key under which they do. */
const holders: Readonly<Record<string, string>> = {
  [authzExec]: 'msgs',
  'opinit.opchild.v1.MsgExecuteMessages': 'messages',
}

/** A message of a transaction, or one inside another message, with the events that it caused. */
export interface PlacedMessage {
  /** The type without the slash, such as `cosmos.bank.v1beta1.MsgSend`. */
  readonly type: string
  readonly message: Fields
  /** Its index in the transaction, then its index in the message that holds it, and so on. */
  readonly path: readonly number[]
  /** None if nothing says which of several messages they are of. */
  readonly events: readonly ChainEvent[]
  /** How many messages of authz hold it. Each of them has added an index to its events. */
  readonly authzDepth: number
}

/** Messages side by side. */
export interface PlacedMessages {
  readonly messages: readonly PlacedMessage[]
  /** The events that are of one of them, or of none, but do not say so. */
  readonly loose: readonly ChainEvent[]
}

/** The type of a message without the slash. Empty if it has none. */
export const typeOf = (message: Fields): string => fieldText(message, '@type')?.replace(/^\//, '') ?? ''

/**
 * The messages of a transaction. Where an indexer did not keep them, those that its events name come without fields. Events of
 * nodes before version 0.50 of the SDK name none.
 * @throws UnboundedChanges if one of them has too many events, or too long ones.
 */
export function* placedMessages(messages: readonly Fields[], events: readonly ChainEvent[]): Steps<PlacedMessages> {
  const { groups, loose } = yield* byIndex(events, 'msg_index', 0, Number.POSITIVE_INFINITY)
  const indexes = new Set([...messages.keys(), ...groups.keys()])
  return {
    loose,
    messages: [...indexes].map((index) => {
      const message = messages[index] ?? {}
      return { type: typeOf(message), message, path: [index], authzDepth: 0, events: groups.get(index) ?? [] }
    }),
  }
}

/** The messages inside a message, without their events. Null for a message that holds no others. */
export function innerFields(message: Fields): readonly Fields[] | null {
  const type = typeOf(message)
  const key = Object.hasOwn(holders, type) ? holders[type] : undefined
  return key === undefined ? null : itemsOf(message[key]).map(fieldsOf)
}

/**
 * The messages inside a message, with the events of each: authz says which they are of, other modules and older nodes do not.
 * Null for a message that holds no others.
 * @throws UnboundedChanges if one of them has too many events, or too long ones.
 */
export function* innerMessages({
  type,
  message,
  path,
  events,
  authzDepth,
}: PlacedMessage): Steps<PlacedMessages | null> {
  const inner = innerFields(message)
  if (!inner) return null
  const isAuthz = type === authzExec
  const found = isAuthz ? yield* byIndex(events, 'authz_msg_index', authzDepth, inner.length) : null
  const marked = found && found.groups.size > 0 ? found : null
  const isOnly = inner.length === 1
  return {
    loose: marked?.loose ?? (isOnly ? [] : events),
    messages: inner.map((each, index) => ({
      ...{ type: typeOf(each), message: each, path: [...path, index] },
      authzDepth: authzDepth + Number(isAuthz),
      events: marked?.groups.get(index) ?? (!marked && isOnly ? events : []),
    })),
  }
}

/**
 * The events by the index in this attribute. The node adds it behind all others, so an attribute of the same name that a
 * contract emits does not count. Inside several messages that add one, that of the outermost is the last, and that of the
 * message at `depth` that many places before.
 */
function* byIndex(events: readonly ChainEvent[], key: string, depth: number, count: number) {
  const groups = new Map<number, ChainEvent[]>()
  const loose: ChainEvent[] = []
  const dataLengths = new Map<number, number>()
  for (const event of events) {
    yield
    const text = event.attributes.filter((attribute) => attribute.key === key).at(-1 - depth)?.value ?? ''
    const index = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
    if (!(index < count)) {
      loose.push(event)
      continue
    }
    const group = groups.get(index) ?? []
    groups.set(index, group)
    group.push(event)
    if (group.length > maxEvents) {
      throw new UnboundedChanges(`One of its messages has more than ${maxEvents} events.`)
    }
    const length = (dataLengths.get(index) ?? 0) + moveDataIn(event).length
    dataLengths.set(index, length)
    if (length > maxMoveData.ofMessage) {
      throw new UnboundedChanges(
        `One of its messages has more than ${maxMoveData.ofMessage} characters of data in Move events.`,
      )
    }
  }
  return { groups, loose }
}
