/** Which movement of coins a step belongs to. It is the same on both chains. */
export type BridgeRoute = PacketRoute | OpInitRoute

/** A packet of IBC. Its ends are channels, or light clients by IBC v2. Each is named by its own chain. */
export interface PacketRoute {
  readonly bridge: 'IBC'
  /** The channel or client of the chain that sends it. */
  readonly source: string
  /** The channel or client of the chain that gets it. */
  readonly destination: string
  /** Counts the packets of `source`. */
  readonly sequence: string
}

/** A deposit to a rollup, or a withdrawal from it. */
export interface OpInitRoute {
  readonly bridge: 'OPINIT'
  readonly direction: 'DEPOSIT' | 'WITHDRAWAL'
  /** The id that the hub gave the bridge. Null on the rollup, whose events do not have it. */
  readonly bridgeId: string | null
  /** Counts the deposits or the withdrawals of the bridge. */
  readonly sequence: string
}

/** What a transaction did to a movement. */
export type BridgeStepKind =
  /** The coins left the source chain. */
  | 'SENT'
  /** The destination chain gave them to the receiver. */
  | 'RECEIVED'
  /** The destination chain sent them on to another chain, and answers the source chain once it knows how that ended. */
  | 'PASSED_ON'
  /** The destination chain did not take them. */
  | 'REFUSED'
  /** The source chain learnt that they were taken. */
  | 'CONFIRMED'
  /** The source chain learnt that they were refused, and gave them back to the sender. */
  | 'RETURNED'
  /** The source chain learnt that they were not received in time, and gave them back to the sender. */
  | 'TIMED_OUT'
  /** The source chain learnt that they were not received in time, and sent them again. */
  | 'SENT_AGAIN'

/** A coin that an account gained, in base units. */
export interface BridgeGain {
  /** Null if the events name only its Move metadata. */
  readonly denom: string | null
  readonly amount: bigint
}

/** A step of a movement of coins between two chains, as the events of one transaction prove it. */
export interface BridgeStep {
  readonly kind: BridgeStepKind
  /** Index of its message. Null if the events do not have it. */
  readonly messageIndex: number | null
  /** That index, then the index in the message that executes its message, and so on, as far as the events have them. */
  readonly path: readonly number[]
  readonly route: BridgeRoute
  /** As the source chain writes it. Null if the records do not have it. */
  readonly sender: string | null
  /** Who sent the message that began it, which can be another than the sender: a contract can send coins. Null on other steps. */
  readonly caller: string | null
  /** As the sender wrote it. It need not be an address. */
  readonly receiver: string | null
  /** What the packet, deposit or withdrawal carries, in base units. */
  readonly amount: bigint | null
  /**
   * What the receiver got of it, or the sender got back, after whatever the chain took from it. Null on other steps, and if the
   * balance changes of the step do not prove it.
   */
  readonly gain: BridgeGain | null
  /** Whether the receiver had the coins when its message was done, and nothing was to be done with them. */
  readonly isKept: boolean
  /** What the source chain calls the coin. */
  readonly sourceDenom: string | null
  /** What the destination chain calls the coin. */
  readonly destinationDenom: string | null
  /**
   * The coin that the account on the chain of this step gave or got, if the chain exchanged it for the one in the packet. Null if
   * it is that one.
   */
  readonly exchangedDenom: string | null
  /** Whether the sender asked the destination chain for something to be done with the coins, so that the receiver need not keep them. */
  readonly hasNextHop: boolean
  /** Whether the memo asks the destination chain to pass the coins on, as the packet-forward-middleware does. */
  readonly isForward: boolean
  /** The packet with which the coins went on: to another chain if they were passed on, or again. Null for other steps. */
  readonly onward: PacketRoute | null
  /** The packet with which the coins had come to the source chain, if they go back to where that came from. */
  readonly returnsTo: PacketRoute | null
  /** Until when it can be received, in nanoseconds since 1970. Null if it has no limit, or none in time. */
  readonly timeout: bigint | null
  /** Why it was refused, or why the step after its arrival failed, in the words of the chain. */
  readonly reason: string | null
  /** The number of the withdrawal with which a refused deposit comes back to the hub. */
  readonly returnSequence: string | null
}
