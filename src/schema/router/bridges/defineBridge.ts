import type { z } from 'zod'
import type { BridgeRoute } from '#words/bridges/bridgeSteps'
import type { FieldMap, ObjectFields } from '../../../engine/graphql/fields.ts'
import type { Optional } from '../../../engine/wire/optional.ts'
import type { Guidance } from './guidance.ts'

/** The fields that only one kind of operation or hop has, as an object type of its own. */
export interface Details<Shape extends object = object> {
  /** The name of the GraphQL type. */
  readonly type: string
  readonly description: string
  /** Reads the wire body, once. It must accept any object, so use the lenient atoms. */
  readonly schema: z.ZodType<Shape>
  /** The fields in the graph. A resolver gets the output of `schema` as `details`, and where it begins. */
  fields(t: ObjectFields<{ readonly details: Shape; readonly fromChainId: Optional<string> }>): FieldMap
}

/** The kind of an operation that stays on one chain. */
export type LocalKind = 'SWAP' | 'EVM_SWAP' | 'SEND'

/** A kind of route operation. */
export interface OperationDefinition<Shape extends object = object> {
  /** Left out for the operation of a bridge, which is a transfer. */
  readonly kind?: LocalKind
  /** The keys under which routers send the body of such an operation. */
  readonly keys: readonly string[]
  readonly details?: Details<Shape>
}

/** A transaction that a hop can have: its name in the graph. */
export interface TransactionSlot {
  readonly kind: string
  readonly description: string
}

/** A state of a hop over a bridge. */
export interface HopStateDefinition {
  readonly is: 'PENDING' | 'COMPLETED' | 'FAILED'
  readonly guidance: Guidance
  /** Where the two directions differ, as `hasDirections` says: a deposit to a rollup, and a withdrawal from it. */
  readonly deposit?: Guidance
  readonly withdrawal?: Guidance
}

/** A kind of transfer hop. */
export interface HopDefinition<Shape extends object = object> {
  /** The key under which routers send the body of such a hop. */
  readonly key: string
  /** The states of the bridge, by the router's words. A state that is not listed is `UNKNOWN`. */
  readonly states: Readonly<Record<string, HopStateDefinition>>
  /** Whether the guidance depends on the transaction that sent the asset. */
  readonly hasDirections?: boolean
  /** Its transactions, by the key under which routers send each. */
  readonly transactions: Readonly<Record<string, TransactionSlot>>
  /** Transactions that can still come after the hop has reached its last state: one of them. */
  readonly lastTransactions?: readonly string[]
  /** Keys of the object that holds the transactions, for bridges that nest them one level deeper. */
  readonly transactionGroups?: readonly string[]
  readonly details?: Details<Shape>
}

/** The purpose of a fee inside an operation. */
export type OperationFeeKind = 'BRIDGE' | 'MESSAGING' | 'RELAY' | 'SOURCE_CHAIN' | 'DESTINATION_CHAIN' | 'MAXIMUM'

/** Where the body of an operation holds a fee. Each place is a key, or keys joined by dots. */
export interface FeeDefinition {
  readonly kind: OperationFeeKind
  /** Place of the amount, in base units. Without an amount above 0 there is no fee. */
  readonly amount: string
  readonly usdAmount?: string
  /** Place of the record of the asset it is paid in. */
  readonly asset?: string
  /** Place of the denom it is paid in, on the source chain, where there is no such record. */
  readonly denom?: string
}

/** The gateway's whole knowledge of a bridge. */
export interface BridgeDefinition<Operation extends object = object, Hop extends object = object> {
  /** The name in the graph, which is also the bridge id of routers. */
  readonly id: string
  readonly description: string
  readonly operation: OperationDefinition<Operation>
  readonly hop: HopDefinition<Hop>
  readonly fees: readonly FeeDefinition[]
  /** Left out if the events of chains are not read for it. */
  readonly recorded?: RecordedTransfers
}

/** What the records of both chains tell of transfers over a bridge. */
export interface RecordedTransfers {
  /** Whether a route that the events of a chain name is over this bridge. */
  hasRoute(route: BridgeRoute): boolean
  /** The words for those states of a hop whose guidance holds for a transfer that its records show in a state. */
  readonly words: { readonly ON_THE_WAY: string; readonly REFUSED?: string }
  /** Whether what comes back is always the coin that was sent. */
  readonly returnsSameCoin?: true
  /** Of a bridge whose withdrawals have to be claimed on the hub. A deposit that the rollup refuses comes back as one. */
  readonly claims?: WithdrawalClaims
}

/** What the hub and the rollup know of a withdrawal. */
export interface WithdrawalClaims {
  /** The withdrawal with this number, with which a refused deposit comes back. */
  sendsBackAs(sequence: string): BridgeRoute
  /** How the hub tells of the outputs of rollups: its messages, their events, and the attributes of these. */
  readonly outputs: {
    readonly proposal: OutputMessage
    readonly deletion: OutputMessage
    readonly bridgeId: string
    readonly index: string
    readonly height: string
  }
  /** What no router tells. `{time}` stands for the end of the challenge period. */
  readonly guidance: Readonly<Record<ClaimState, Guidance>>
}

/** A message on an output, and the event that it causes. */
export interface OutputMessage {
  readonly message: string
  readonly event: string
}

/** How far the claim of a withdrawal is, or of one that brings a refused deposit back. */
export type ClaimState =
  | 'claimed'
  | 'withdrawal'
  | 'claimable'
  | 'perhapsClaimed'
  | 'claimableLater'
  | 'refusedDeposit'
  | 'refusedDepositClaimable'

/** Checks the definition of a bridge, and that its fields read what its schemas give. */
export const defineBridge = <Operation extends object = object, Hop extends object = object>(
  bridge: BridgeDefinition<Operation, Hop>,
): BridgeDefinition<Operation, Hop> => bridge

/** Checks the definition of an operation that belongs to no bridge. */
export const defineOperation = <Shape extends object = object>(
  operation: OperationDefinition<Shape>,
): OperationDefinition<Shape> => operation
