import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { finalStateOf } from '../../../engine/graphql/finalState.ts'
import { type NodeShape, nodeType, splitKey } from '../../../engine/graphql/node.ts'
import type { Search } from '../../../engine/watch/model.ts'
import { AssetAmount } from '../../amount/assetAmount.ts'
import { checkChainId } from '../../chain/chainId.ts'
import { IndexedTransaction } from '../../indexer/indexedTransaction.ts'
import { routerOf } from '../routerClient.ts'
import { chainField, ifSent, optionalChainField, readRouterValue } from '../routerFields.ts'
import { TransferHop, TransferProblem } from './hop.ts'
import { loadFromChain } from './hopTransaction.ts'
import { type Leg, type Release, statusCall, type TransferStatus, transferRules } from './readStatus.ts'
import { isTerminal, outcomeOf, TransferOutcome, TransferState } from './state.ts'
import { checkTxHash, hashKey } from './txHash.ts'

/** A transaction and its status in the router. */
export interface TransferShape extends NodeShape<'Transfer'> {
  readonly chainId: string
  /** As the client wrote it. */
  readonly txHash: string
  readonly status: TransferStatus
}

/** The first transaction of a transfer, from checked input. */
export interface TransferRef {
  readonly chainId: string
  readonly txHash: string
}

/** Checks the arguments that identify a transfer. Throws `BAD_USER_INPUT`. */
export const parseTransferRef = (input: { chainId: string; hash: string }): TransferRef => ({
  chainId: checkChainId(input.chainId),
  txHash: checkTxHash(input.hash),
})

/** The key of a transfer. It is the same for every notation of a hash. */
export const transferKey = ({ chainId, txHash }: TransferRef): string => `${chainId}/${hashKey(txHash)}`

/** The transfer with this key. Throws `BAD_USER_INPUT`. */
export function refOfKey(key: string): TransferRef {
  const [chainId, hash] = splitKey(key)
  return parseTransferRef({ chainId, hash })
}

/** The value of a transfer in the graph. */
export const transferShape = ({ chainId, txHash }: TransferRef, status: TransferStatus): TransferShape => ({
  __typename: 'Transfer',
  chainId,
  txHash,
  status,
})

/** The transfer in its current state. Null if the router does not track it. */
export async function loadTransfer(context: Context, ref: TransferRef): Promise<TransferShape | null> {
  const { chainId, txHash } = ref
  const status = await context.scope.fetch(routerOf(context), statusCall(chainId, txHash))
  return newestTransfer(context, ref, status)
}

/**
 * The transfer in the state that the router has just reported, which also reaches its watchers. Or in an
 * earlier final state: a final transfer stays final, even if the router forgets it or a lagging replica
 * responds.
 */
export function newestTransfer(
  context: Context,
  ref: TransferRef,
  status: TransferStatus | null,
): TransferShape | null {
  const final = finalStateOf(context, transferRules, transferKey(ref), status)
  const isOlder = final && (status === null || transferRules.isStale(final, status))
  const latest = isOlder ? final : status
  return latest && transferShape(ref, latest)
}

const shapesOf = ({ hops, blocking }: Leg) =>
  hops.map((hop, index) => ({ index, isBlocking: index === blocking, ...hop }))

const AssetRelease = builder.objectRef<Release>('AssetRelease').implement({
  description: 'Where funds are released.',
  interfaces: [AssetAmount],
  fields: (t) => ({
    chainId: ifSent(t, 'ChainId', 'The chain that the funds are on.', ({ chainId }) => chainId),
    chain: optionalChainField(t, 'The chain that the funds are on', ({ chainId }) => chainId),
    isReleased: t.exposeBoolean('released', { description: 'Whether the funds can be used now.' }),
  }),
})

const TransferSearch = builder.objectRef<Search>('TransferSearch').implement({
  description: 'How a subscription looks for a transaction that the router does not know yet.',
  fields: (t) => ({
    isTracked: t.exposeBoolean('isRegistered', {
      description:
        'Whether the router has agreed to track it: then its status is asked for, else also to track it, every few seconds.',
    }),
    since: t.field({
      type: 'DateTime',
      description: 'When the search began.',
      resolve: ({ since }) => new Date(since).toISOString(),
    }),
    until: t.field({
      type: 'DateTime',
      description: 'When the subscription fails with `UPSTREAM_REJECTED`, unless it is found: ten minutes later.',
      resolve: ({ until }) => new Date(until).toISOString(),
    }),
  }),
})

const TransferLeg = builder.objectRef<Leg>('TransferLeg').implement({
  description: 'One of the transfers that a transaction started.',
  fields: (t) => ({
    state: t.expose('state', { type: TransferState, description: 'State of the leg.' }),
    rawState: t.exposeString('rawState', {
      description: 'State of the leg as the router reports it.',
    }),
    isTerminal: t.boolean({
      description: 'Whether the leg has ended.',
      resolve: ({ state }) => isTerminal(state),
    }),
    outcome: t.field({
      type: TransferOutcome,
      description: 'Outcome of the leg.',
      resolve: ({ state }) => outcomeOf(state),
    }),
    hops: t.field({
      type: [TransferHop],
      description: 'Hops of the leg, in order.',
      resolve: shapesOf,
    }),
    blockingHop: t.field({
      type: TransferHop,
      nullable: true,
      description: 'The hop that the leg waits for, or failed at. Null if none.',
      resolve: (leg) => shapesOf(leg).find((hop) => hop.isBlocking) ?? null,
    }),
    assetRelease: t.field({
      type: AssetRelease,
      nullable: true,
      description: 'Where the funds are released. Null if unknown yet.',
      resolve: ({ release }) => readRouterValue(release),
    }),
    error: t.field({
      type: TransferProblem,
      nullable: true,
      description: 'Why the leg failed. Null otherwise.',
      resolve: ({ error }) => readRouterValue(error),
    }),
  }),
})

export const Transfer = nodeType<TransferShape>('Transfer', {
  description: 'A tracked transaction and the transfers that it started.',
  keyOf: transferKey,
  load: (key, context) => loadTransfer(context, refOfKey(key)),
  fields: (t) => ({
    chainId: t.expose('chainId', {
      type: 'ChainId',
      description: 'The chain of the first transaction.',
    }),
    chain: chainField(t, 'The chain of the first transaction', ({ chainId }) => chainId),
    hash: t.exposeString('txHash', {
      description: 'Hash of the first transaction, as the client wrote it.',
    }),
    transaction: t.field({
      type: IndexedTransaction,
      nullable: true,
      description:
        'The indexed first transaction. Null if not indexed yet, or without an indexer. Costs up to two upstream requests.',
      complexity: 2 * callCost,
      resolve: ({ chainId, txHash }, _args, context) => loadFromChain(context, chainId, txHash),
    }),
    state: t.field({
      type: TransferState,
      description: 'State of the least advanced leg.',
      resolve: ({ status }) => status.state,
    }),
    search: t.field({
      type: TransferSearch,
      nullable: true,
      description:
        'Set in events while the router does not know the transaction: perhaps it was never sent. Null once it does.',
      resolve: ({ status }) => status.search,
    }),
    rawState: t.string({
      description: 'State of the transfer as the router reports it. Empty while the router does not know it.',
      resolve: ({ status }) => status.rawState,
    }),
    isTerminal: t.boolean({
      description: 'Whether it has ended. Only an abandoned transfer can resume.',
      resolve: ({ status }) => isTerminal(status.state),
    }),
    outcome: t.field({
      type: TransferOutcome,
      description: 'Outcome of the transfer.',
      resolve: ({ status }) => outcomeOf(status.state),
    }),
    hops: t.field({
      type: [TransferHop],
      description: 'Hops of all legs, in order.',
      resolve: ({ status }) => status.legs.flatMap(shapesOf),
    }),
    blockingHop: t.field({
      type: TransferHop,
      nullable: true,
      description: 'The first hop that the transfer waits for, or failed at. Null if none.',
      resolve: ({ status }) => status.legs.flatMap(shapesOf).find((hop) => hop.isBlocking) ?? null,
    }),
    legs: t.field({
      type: [TransferLeg],
      description: 'Transfers that the first transaction started. Usually one.',
      resolve: ({ status }) => [...status.legs],
    }),
    assetRelease: t.field({
      type: AssetRelease,
      nullable: true,
      description: 'Where the funds are released, of the first such leg. Null if unknown yet.',
      resolve: ({ status }) => readRouterValue(status.release),
    }),
    error: t.field({
      type: TransferProblem,
      nullable: true,
      description: 'Why the transfer failed. Null otherwise.',
      resolve: ({ status }) => readRouterValue(status.error),
    }),
  }),
})

/** The fields of an input that identify a transfer. */
export const transferFields = {
  chainId: { type: 'ChainId', required: true, description: 'The chain of the first transaction.' },
  hash: {
    required: true,
    description: 'Its hash: hex in any case, with or without 0x, or base58.',
  },
} as const

/** The arguments that identify a transfer. */
export const transferArgs = builder.args((t) => ({
  chainId: t.field(transferFields.chainId),
  hash: t.string(transferFields.hash),
}))

builder.queryField('transfer', (t) =>
  t.field({
    type: Transfer,
    nullable: true,
    description:
      'A tracked transfer in its current state. Null if the router does not track it. Costs one upstream request.',
    args: transferArgs,
    complexity: callCost,
    resolve: (_root, args, context) => loadTransfer(context, parseTransferRef(args)),
  }),
)
