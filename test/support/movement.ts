import type { Message } from './chainMessages.ts'

/** How a movement stands by the records of both chains. */
export type MovementState = 'ARRIVED' | 'REFUSED' | 'REFUNDED' | 'TIMED_OUT' | 'PASSED_ON' | 'UNKNOWN'

/** The chains of a movement, null for one that is not of the sandbox. The sequence counts what goes the same way. */
interface Ends {
  readonly sourceChainId: string | null
  readonly destinationChainId: string | null
  readonly sequence: string
}

/** The way of a packet by channels, or by clients if it is of IBC v2. */
export type PacketWay = Ends &
  (
    | { readonly sourceChannel: string; readonly destinationChannel: string }
    | { readonly sourceClient: string; readonly destinationClient: string }
  )

/** The way over an OPinit bridge. */
export interface OpInitWay extends Ends {
  readonly bridgeId: string
  readonly direction: 'deposit' | 'withdrawal'
}

/** A transaction of a movement. Its time is the text of the record. */
export type Leg = Message['leg']

/** Coins that went from one chain to another. */
export interface Movement {
  readonly bridge: 'IBC' | 'OPINIT'
  readonly way: PacketWay | OpInitWay
  /** Sender, receiver and amount are as in the events. */
  readonly sender: string
  readonly receiver: string
  readonly amount: string
  readonly state: MovementState
  readonly departure: Leg | null
  /** Where the destination received it, also if it refused it. */
  readonly arrival: Leg | null
  /** Whether the destination sent it on. Then its receiver there is an account that nobody owns. */
  readonly isSentOn: boolean
  /** Where the source gave the coins back. */
  readonly refund: Leg | null
}

/** A movement while it is joined. */
export interface Draft extends Pick<Movement, 'bridge' | 'way'> {
  parties?: Pick<Movement, 'sender' | 'receiver' | 'amount'>
  departure?: Leg
  arrival?: Leg
  /** What the destination said, by its records or by those of the source. */
  answer?: 'good' | 'bad'
  /** Where the source learnt the answer. */
  acknowledgement?: Leg
  /** Where the source learnt that it came too late. */
  timeout?: Leg
  isSentOn?: boolean
  /** The key of the withdrawal that brings a refused deposit back. */
  wayBack?: string
}

/** Finds the draft of a way. The first event of a movement makes it. */
export type FindDraft = (way: Movement['way']) => Draft

/** What all events of a movement share, as a text. */
export const keyOfWay = (way: Movement['way']): string => JSON.stringify(Object.entries(way).toSorted())
