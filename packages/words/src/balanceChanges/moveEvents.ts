import type { Steps } from '#kit/steps'
import { type EventPart, textFields } from './events.ts'

/** An event of a Move module. */
export interface MoveEvent {
  /** Such as `0x1::fungible_asset::WithdrawEvent`. Only the module that defines the type can emit it. */
  readonly tag: string
  /** None for an event of a module that moves nothing. */
  readonly fields: ReadonlyMap<string, string>
  readonly messageIndex: number | null
}

/** The modules whose events report moves. Their data is JSON. */
const movingModules = /^0x1::(collection|fungible_asset|nft|object|primary_fungible_store)::/

const noFields: ReadonlyMap<string, string> = new Map()

/** The events of Move modules, in order. */
export function* moveEventsOf(parts: readonly EventPart[]): Steps<MoveEvent[]> {
  const events: MoveEvent[] = []
  for (const { type, values, messageIndex } of parts) {
    const tag = type === 'move' ? values.get('type_tag') : undefined
    if (!tag) continue
    yield
    const isRead = movingModules.test(tag)
    const fields = isRead ? textFields(values.get('data') ?? '') : noFields
    if (fields) events.push({ tag, fields, messageIndex })
  }
  return events
}
