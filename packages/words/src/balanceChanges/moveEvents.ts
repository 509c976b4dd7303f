import type { Steps } from '#kit/steps'
import { UnboundedChanges } from './bound.ts'
import { type EventPart, parsed } from './events.ts'

/**
 * The most characters of data of Move events, which are JSON. JSON.parse takes up to 50 ms for a mebibyte of names that are all
 * new, and nothing can interrupt it.
 */
export const maxMoveData = {
  /** Read at once by what reads balance changes. The events of tokens and NFTs have a few hundred characters. */
  ofEvent: 64 * 1024,
  /** Read at once by what finds actions. 4,000 moves of tokens have so many. */
  ofMessage: 1024 * 1024,
}

/** An event of a Move module. */
export interface MoveEvent {
  /** Such as `0x1::fungible_asset::WithdrawEvent`. Only the module that defines the type can emit it. */
  readonly tag: string
  /** Its data. None for an event of a module that moves nothing. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly messageIndex: number | null
}

/** The modules whose events report moves. Their data is JSON. */
const movingModules = /^0x1::(collection|fungible_asset|nft|object|primary_fungible_store)::/

const noFields: MoveEvent['fields'] = {}

/**
 * The events of Move modules, in order.
 * @throws UnboundedChanges if the data of one of them is too long.
 */
export function* moveEventsOf(parts: readonly EventPart[]): Steps<MoveEvent[]> {
  const events: MoveEvent[] = []
  for (const { type, values, messageIndex } of parts) {
    const tag = type === 'move' ? values.get('type_tag') : undefined
    if (!tag) continue
    yield
    const fields = movingModules.test(tag) ? fieldsIn(values.get('data') ?? '') : noFields
    if (fields) events.push({ tag, fields, messageIndex })
  }
  return events
}

/** The fields of an event's data. Null for a text that is no object of JSON. */
function fieldsIn(data: string): MoveEvent['fields'] | null {
  if (data.length > maxMoveData.ofEvent) {
    throw new UnboundedChanges(`One of its Move events has more than ${maxMoveData.ofEvent} characters of data.`)
  }
  const value = parsed(data)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as MoveEvent['fields']) : null
}

/** The text of a field, or the digits of its number if it is exact. Undefined if it is anything else. */
export function moveText({ fields }: MoveEvent, name: string): string | undefined {
  const value = fields[name]
  if (typeof value === 'string') return value
  return Number.isSafeInteger(value) ? String(value) : undefined
}
