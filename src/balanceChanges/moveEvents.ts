import { type EventPart, textFields } from './events.ts'

/** An event of a Move module. */
export interface MoveEvent {
  /** Such as `0x1::fungible_asset::WithdrawEvent`. Only the module that defines the type can emit it. */
  readonly tag: string
  readonly fields: ReadonlyMap<string, string>
  readonly messageIndex: number | null
}

/** The events of Move modules, in order. Their data is JSON. */
export const moveEventsOf = (parts: readonly EventPart[]): MoveEvent[] =>
  parts.flatMap(({ type, values, messageIndex }) => {
    const tag = values.get('type_tag')
    const fields = textFields(values.get('data') ?? '')
    return type === 'move' && tag && fields ? [{ tag, fields, messageIndex }] : []
  })
