/** A chain event as the indexer returns it, its keys in jsonb order: see `jsonb`. */
export interface Event {
  readonly type: string
  readonly attributes: readonly {
    readonly key: string
    readonly index: boolean
    readonly value: string
  }[]
}

/** A message of a transaction, and the events it emits if it succeeds. */
export interface MessageDraft {
  /** With the leading slash. */
  readonly type: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly events: readonly Event[]
}

/** An event with the attributes in the given order. */
export function event(type: string, attributes: Readonly<Record<string, string>>): Event {
  return {
    type,
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, index: true, value })),
  }
}

/** The event of a message, or of one within it, with its index. */
export const marked = ({ type, attributes }: Event, key: string, index: number): Event => ({
  type,
  attributes: [...attributes, { key, index: true, value: String(index) }],
})
