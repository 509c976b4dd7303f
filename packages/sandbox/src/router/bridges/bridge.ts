import type { Hop, TransactionOptions } from '../calls.ts'
import type { Message } from '../chainMessages.ts'
import type { Way } from '../edges.ts'
import type { JsonObject } from '../jsonObject.ts'
import type { Network } from '../network.ts'
import type { PathStep } from '../search.ts'
import type { BridgeRecords } from './bridgeRecords.ts'

/** All that differs between bridges. Each file of this folder that `bridges.ts` imports has one. */
export interface Bridge {
  /** Its id in the API of the router. */
  readonly id: string
  readonly name: string
  /** The key of its operation in a route. */
  readonly operationKey: string
  /** The key of its hop in a status. */
  readonly hopKey: string
  /** When a hop over it fails. A hop that fails half-way is refunded at the end. Left out if it has no state for a failure. */
  readonly failsAt?: 'HALF_WAY' | 'END'
  /** Whether a hop arrives half-way. The rest of the time is for acknowledging or composing. */
  readonly arrivesHalfWay?: true
  /** Whether the sender pays for messaging, on top of the amount. */
  readonly hasMessagingFee?: true
  /** Whether its fee is that of a relayer. */
  readonly hasRelayFee?: true
  /** Whether it is there for routes that do not wait for finality. */
  readonly isFast?: true
  /** The chain of the bridge itself, which its transfers pass. */
  readonly ownChainId?: string
  /** The body of its operation in a route. */
  operation(transfer: QuotedTransfer): JsonObject
  /** The body of its hop in a status. */
  hop(moment: HopSnapshot): JsonObject
  /** The message that starts a hop on a chain with native transactions. Left out if it calls a contract. */
  message?(network: Network, way: Way, hops: HopChain, options: TransactionOptions): Message
  /** The memo that makes a chain send arriving coins on. Left out if it calls a contract. */
  memo?(network: Network, way: Way, hops: HopChain, options: TransactionOptions): unknown
  /** What a call of a Move function has besides the arguments of all bridges. */
  moveArguments?(options: TransactionOptions): readonly string[]
  /** Hops that stay in one state for ever. */
  readonly stuck: readonly StuckHops[]
  /** How to read it in the events of sandbox chains. Left out if none of them has it. */
  readonly records?: BridgeRecords
}

/** Hops of a bridge that stay in one state for ever, which the last digits of a hash choose. */
export interface StuckHops {
  /** The hex digit that chooses these hops. */
  readonly digit: string
  /** The key of such a hop, if it is not that of the bridge. */
  readonly hopKey?: string
  /** The states by the words of the bridge, in the order of the digit that chooses one. */
  readonly states: Readonly<Record<string, StuckState>>
  /** The body of such a hop, without its state. */
  body(transactions: StuckTransactions): JsonObject
}

/** What the router says of a transfer while a hop stays in a state. */
export interface StuckState {
  /** Default: STATE_PENDING. */
  readonly state?: 'STATE_PENDING_ERROR' | 'STATE_COMPLETED_ERROR'
  /** Whether the destination chain has a transaction of it. */
  readonly isReceived?: true
  /** Whether the coins came back to the source chain. */
  readonly isReturned?: true
  /** Whether the coins arrived, and then went no further. */
  readonly isReleased?: true
}

/** The transactions of a hop that stays in one state. */
export interface StuckTransactions {
  readonly sent: JsonObject
  readonly received: JsonObject | null
  readonly returned: JsonObject | null
  readonly hasFailed: boolean
}

/** A hop, and those that follow in the same transaction. */
export interface HopChain {
  readonly hop: Hop
  readonly rest: readonly Hop[]
}

/** A transfer of a route over a bridge. */
export interface QuotedTransfer {
  readonly network: Network
  readonly way: Way
  readonly step: PathStep
  /** The fields that the operations of all bridges have. */
  readonly common: JsonObject
  /** Expiry of the relay fees, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** The state of a hop at a time. `progress` is below 0 before it starts, and at least 1 when it has ended. */
export interface HopSnapshot {
  readonly progress: number
  /** Whether it fails. A packet fails half-way and is refunded at the end. Other transfers fail at the end. */
  readonly fails: boolean
  /** Whether a delivered packet is acknowledged yet. */
  readonly acknowledged: boolean
  /** The transactions of the hop. Called only once they exist. */
  readonly sent: () => JsonObject
  readonly received: () => JsonObject
  readonly returned: () => JsonObject
}
