import type { BridgeRoute } from '#words/bridges/bridgeSteps'
import type { AmountShape } from '../../amount/assetAmount.ts'
import type { BridgeTransferStateName } from '../recorded/bridgeTransferState.ts'
import type { ClaimShape } from '../recorded/claim.ts'
import type { TransferShape } from './loadTransfer.ts'

/** One end of a bridge transfer, as far as it is known. Its amount is null if nothing says it. */
export interface LegShape extends AmountShape {
  /** The chain. Null if it is not known. */
  readonly chainId: string | null
  /** The account there, as the source chain wrote it. */
  readonly address: string | null
  /** The transaction there. Null if it is not found. Rejects if an upstream fails. */
  place(): Promise<TransactionReference | null>
}

/** A transaction of a bridge transfer, as far as its indexer or the router says it. */
export interface TransactionReference {
  readonly hash: string | null
  /** The time of its block. */
  readonly timestamp: string | null
  /** Whether only the router names it, so that its indexer may not have it. */
  readonly isReported?: true
}

/** A movement of coins between two chains, by what indexers or the router have of it. */
export interface BridgeTransferShape {
  /** A value of `Bridge`. */
  readonly bridge: string
  /** Null if only the router knows it. */
  readonly route: BridgeRoute | null
  /** Until when it can be received, in nanoseconds since 1970. Null if it has no limit, or if that is not known. */
  readonly timeout: bigint | null
  departure(): Promise<LegShape>
  arrival(): Promise<LegShape>
  /** Who signed the message that sent it. Not its sender if that is a contract. Null if the transaction is not found. */
  caller(): Promise<string | null>
  /** Null if it did not come back, as far as is known. */
  refund(): Promise<LegShape | null>
  state(): Promise<BridgeTransferStateName>
  /** The state that the records of the chains prove. Null if they prove none: the router can have one. */
  proven(): Promise<BridgeTransferStateName | null>
  /** Whether all was read in which its ends are due. */
  isSearchComplete(): Promise<boolean>
  /** Whether the search for what proves it was ended by the size of the operation or by a fault of an indexer. */
  canReadMore(): Promise<boolean>
  /** Whether its receiver has the coins after the transaction of its arrival, and was not asked to do something with them. */
  isKept(): Promise<boolean>
  /** The movement with which the destination chain passed it on, or the source chain sent it again. Null if there is none, or it is not found. */
  onward(): Promise<BridgeTransferShape | null>
  /** Whether the source chain learnt of a success. Null if that is not known. */
  isConfirmed(): Promise<boolean | null>
  /** Whether it came back to a chain between two others, which returns it to where that had it from. */
  isReturnedFurther(): Promise<boolean>
  /** Why it was refused, or why the step after its arrival failed, in the words of the chain. */
  reason(): Promise<string | null>
  /** What it waits for if it has to be claimed on the hub. Null for one that has not, or whose start is not found. */
  claim(): Promise<ClaimShape | null>
  /** The router's transfer that it belongs to. */
  transfer(): Promise<TransferShape | null>
}
