import { isSameAddress } from '../addresses/bytes.ts'
import { type ChainEvent, parsed } from '../balanceChanges/events.ts'
import { coinsOfText, type Fields, fieldsOf } from './fields.ts'

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

/** The data of a Move event, which is JSON. Empty for an event of another type. */
export const moveDataIn = (event: ChainEvent): string =>
  event.type === 'move' ? (attributeOf(event, 'data') ?? '') : ''

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
