import type { Draft } from './action.ts'
import type { PlacedMessage } from './placedMessages.ts'

/** One message of a transaction with what it caused. */
export interface ExecutedMessage extends PlacedMessage {
  /** Whether the transaction succeeded. A failed one has no events of messages. */
  readonly isSuccessful: boolean
  /** The interchain account that executes it, where the events show it. */
  readonly account?: string | null
}

/** How the messages of some types are read. */
export interface ActionFamily {
  /** Types without the slash. */
  readonly types: readonly string[]
  /** The action of the message. Null if it is not of this family. */
  readonly read: (step: ExecutedMessage) => Draft | null
}
