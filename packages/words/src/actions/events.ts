import type { Steps } from '#kit/steps'
import { isSameAddress } from '../addresses/bytes.ts'
import { UnboundedChanges } from '../balanceChanges/bound.ts'
import { type ChainEvent, parsed } from '../balanceChanges/events.ts'
import { coinsOfText, type Fields, fieldsOf } from './fields.ts'

/** The most events of one message. A family reads all of them at once. */
const maxEvents = 20_000

/** The first value of a key. Null if the event does not have it. */
export const attributeOf = ({ attributes }: ChainEvent, key: string): string | null =>
  attributes.find((attribute) => attribute.key === key)?.value ?? null

export const eventsOfType = (events: readonly ChainEvent[], type: string): readonly ChainEvent[] =>
  events.filter((event) => event.type === type)

/** The first value of a key in the events of a type. Null if there is none. */
export const attributeIn = (events: readonly ChainEvent[], type: string, key: string): string | null =>
  eventsOfType(events, type)
    .map((event) => attributeOf(event, key))
    .find((value) => value !== null) ?? null

/**
 * The events by the index in this attribute. The node adds it behind all others, so an attribute of the same name
 * that a contract emits does not count. Inside messages that hold others, the attribute of the outermost is the
 * last, and that of the message at `depth` that many places before.
 * @throws UnboundedChanges if one index has too many events.
 */
export function* eventsByIndex(
  events: readonly ChainEvent[],
  key: string,
  depth = 0,
): Steps<(index: number) => readonly ChainEvent[]> {
  const groups = new Map<string, ChainEvent[]>()
  for (const event of events) {
    yield
    const index = event.attributes.filter((attribute) => attribute.key === key).at(-1 - depth)?.value
    if (index === undefined) continue
    const group = groups.get(index) ?? []
    groups.set(index, group)
    group.push(event)
    if (group.length > maxEvents) {
      throw new UnboundedChanges(`One of its messages has more than ${maxEvents} events.`)
    }
  }
  return (index) => groups.get(String(index)) ?? []
}

/** The data of the Move events of a type, such as `0x1::dex::SwapEvent`. */
export const moveData = (events: readonly ChainEvent[], typeTag: string): readonly Fields[] =>
  eventsOfType(events, 'move')
    .filter((event) => attributeOf(event, 'type_tag') === typeTag)
    .map((event) => fieldsOf(parsed(attributeOf(event, 'data') ?? '')))

/** The coins that the bank module gave an account. None if one of its events cannot be read. */
export function coinsReceivedBy(events: readonly ChainEvent[], account: string | null) {
  const mine = eventsOfType(events, 'coin_received').filter((event) =>
    isSameAddress(attributeOf(event, 'receiver'), account),
  )
  const coins = mine.map((event) => coinsOfText(attributeOf(event, 'amount')))
  return coins.some(({ length }) => length === 0) ? [] : coins.flat()
}
