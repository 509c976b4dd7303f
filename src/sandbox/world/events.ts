/** A chain event as the indexer returns it, its keys in jsonb order: see `jsonb`. */
export interface Event {
  readonly type: string
  readonly attributes: readonly {
    readonly key: string
    readonly index: boolean
    readonly value: string
  }[]
}

/** One message of a transaction body, and the events it emits when it succeeds. */
export interface MessageDraft {
  /** With the leading slash. */
  readonly type: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly events: readonly Event[]
}

/** An event of these attributes, in this order. */
export function event(type: string, attributes: Readonly<Record<string, string>>): Event {
  return {
    type,
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, index: true, value })),
  }
}

/** The four events of coins going from one bech32 address to another; `amount` as `5uinit`. */
export function bankTransfer(sender: string, recipient: string, amount: string): readonly Event[] {
  return [
    event('coin_spent', { spender: sender, amount }),
    event('coin_received', { receiver: recipient, amount }),
    event('transfer', { recipient, sender, amount }),
    event('message', { sender }),
  ]
}
