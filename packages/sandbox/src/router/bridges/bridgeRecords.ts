import type { Way } from '../edges.ts'
import type { JsonObject } from '../jsonObject.ts'

/** How the events of sandbox chains tell of transfers over a bridge. */
export interface BridgeRecords {
  /** What an event sends over it. Undefined for other events. `beside` are all events of its transaction. */
  parcelOf(told: RecordedEvent, beside: readonly RecordedEvent[], places: Places): Parcel | undefined
  /** Names the transfer that an event is of, on both chains. Undefined for events of other bridges. */
  keyOf(event: RecordedEvent): string | undefined
  /** The types of events with which a chain receives. */
  readonly arrivals: readonly string[]
  /** The types of events with which the chain that sent it learns how it ended, and whether that is because it came too late. */
  readonly endings: Readonly<Record<string, 'TOLD' | 'LATE'>>
  /** Why a chain did not take it, by an event that says so. Undefined for other events. */
  refusalIn?(event: RecordedEvent): string | undefined
  /** Whether a chain can send on over it what it receives, in the same transaction. */
  readonly sendsOn: boolean
  /** The body of a hop in a status. */
  hop(hop: RecordedHop, transactions: RecordedHopTransactions): JsonObject
}

/** An event of a transaction on a sandbox chain, and its attributes by key. */
export interface RecordedEvent {
  readonly chainId: string
  readonly hash: string
  readonly timeMs: number
  readonly type: string
  readonly attributes: Readonly<Record<string, string>>
}

/** An amount of a coin, in base units. */
export interface Coin {
  readonly denom: string
  readonly amount: string
}

/** What was sent to another chain, and to whom. */
export interface Parcel {
  /** Undefined if nobody knows where it goes. */
  readonly toChainId: string | undefined
  readonly sender: string
  readonly receiver: string
  readonly coin: Coin
}

/** Finds the chains that ways lead to. */
export interface Places {
  /** The chain that the first such way from a chain leads to. */
  chainOver(chainId: string, isWay: (way: Way) => boolean): string | undefined
  /** The chain that a light client on a chain is of. */
  chainOfClient(chainId: string, client: string): string | undefined
}

/** What became of a transfer so far: the events of the transactions that dealt with it. */
export interface RecordedHop {
  readonly received: RecordedEvent | undefined
  /** Where the chain that received it, or had sent it on, told that it was not taken. */
  readonly refused: RecordedEvent | undefined
  /** Where the chain that sent it learnt how it ended. */
  readonly ended: RecordedEvent | undefined
  /** Whether it ended because it came too late. */
  readonly isLate: boolean
}

/** The transactions of a hop as a status has them. */
export interface RecordedHopTransactions {
  readonly sent: JsonObject | null
  readonly received: JsonObject | null
  readonly ended: JsonObject | null
}
