import type { Steps } from '#kit/steps'
import type { Fields } from '../actions/fields.ts'
import { innerFields, innerMessages, maxDepth, type PlacedMessage, placedMessages } from '../actions/placedMessages.ts'
import type { ChainEvent } from '../balanceChanges/events.ts'

/** The events of one message, or of several that cannot be told apart. */
export interface EventGroup {
  readonly path: readonly number[]
  /** The messages that they are of. */
  readonly messages: readonly Fields[]
  readonly events: readonly ChainEvent[]
  /** What else can be among them: the fee of the transaction, or what other messages did. */
  readonly beside: 'NOTHING' | 'FEE' | 'MESSAGES'
}

/**
 * The events of a transaction by their messages, also by those inside others.
 * @throws UnboundedChanges if one of them has too many events.
 */
export function* eventGroups(messages: readonly Fields[], events: readonly ChainEvent[]): Steps<EventGroup[]> {
  const { messages: placed, loose } = yield* placedMessages(messages, events)
  const groups: EventGroup[] = []
  for (const each of placed) groups.push(...(yield* groupsIn(each, 0)))
  const all = messages.flatMap((each) => leavesIn(each, 0))
  groups.push({ path: [], messages: all, events: loose, beside: all.length === 1 ? 'FEE' : 'MESSAGES' })
  return groups
}

function* groupsIn(placed: PlacedMessage, depth: number): Steps<EventGroup[]> {
  const { path, message, events } = placed
  const inner = depth < maxDepth ? yield* innerMessages(placed) : null
  if (!inner) return [{ path, messages: [message], events, beside: innerFields(message) ? 'MESSAGES' : 'NOTHING' }]
  const groups: EventGroup[] = []
  for (const each of inner.messages) groups.push(...(yield* groupsIn(each, depth + 1)))
  return [...groups, { path, messages: leavesIn(message, depth), events: inner.loose, beside: 'MESSAGES' }]
}

/** The messages inside a message that hold no others, or the message itself. */
function leavesIn(message: Fields, depth: number): readonly Fields[] {
  const inner = depth < maxDepth ? innerFields(message) : null
  return inner ? inner.flatMap((each) => leavesIn(each, depth + 1)) : [message]
}

/** An event, and what is known of how it came about. */
export interface EventPlace {
  readonly event: ChainEvent
  readonly group: EventGroup
  /** The message that caused it. Without fields if that is not known. */
  readonly message: Fields
  /** The events of the group that tell of the same packet, deposit or withdrawal. Null if they cannot be told from others. */
  readonly own: readonly ChainEvent[] | null
  /** Those among which there is nothing else, so that coins which moved in them are its own. */
  readonly sure: readonly ChainEvent[] | null
}

/** What cuts the events of a group: a chain does one thing after the other. Each thing has a name, which both of these give. */
export interface Cuts {
  /** Of the first event of a packet, deposit or withdrawal that came or ended. */
  readonly startOf: (event: ChainEvent) => string | null
  /** Of the last event of one. Not each has a last one of its own. */
  readonly endOf: (event: ChainEvent) => string | null
}

/** The places of the events of a group. `isJoined` says that an older node has lost their order. */
export function* placesIn(group: EventGroup, cuts: Cuts, isJoined: boolean): Steps<Map<ChainEvent, EventPlace>> {
  const { events, messages, beside } = group
  const [only] = messages
  const common = { group, message: (messages.length === 1 && only) || {} }
  const starts: { readonly at: number; readonly name: string; end?: number }[] = []
  const names = new Set<string>()
  let isInOrder = !isJoined
  for (const [at, event] of events.entries()) {
    yield
    const [name, ended] = [cuts.startOf(event), cuts.endOf(event)]
    if (name !== null) {
      starts.push({ at, name })
      names.add(name)
    }
    const last = starts.at(-1)
    if (ended === null || !last) continue
    if (last.name === ended) last.end ??= at + 1
    else if (names.has(ended)) isInOrder = false
  }
  const places = new Map<ChainEvent, EventPlace>()
  for (const [nth, { at, end }] of starts.entries()) {
    const event = events[at]
    if (!event) continue
    const ended = isInOrder && end !== undefined ? events.slice(at, end) : null
    const whole = starts.length === 1 && beside !== 'MESSAGES' ? events : null
    const own = whole ?? ended ?? (isInOrder ? events.slice(at, starts[nth + 1]?.at) : null)
    places.set(event, { ...common, event, own, sure: beside === 'NOTHING' ? own : ended })
  }
  for (const event of events) if (!places.has(event)) places.set(event, { ...common, event, own: null, sure: null })
  return places
}
