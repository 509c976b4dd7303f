import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { finalStateOf } from '../../../engine/graphql/finalState.ts'
import { type NodeShape, nodeType, splitKey } from '../../../engine/graphql/node.ts'
import type { Search } from '../../../engine/watch/model.ts'
import { AssetAmount } from '../../amount/assetAmount.ts'
import { checkChainId } from '../../chain/chainId.ts'
import { IndexedTransaction } from '../../indexer/indexedTransaction.ts'
import { routerOf } from '../../router/routerClient.ts'
import { chainField, ifSent, optionalChainField, sent } from '../../router/routerFields.ts'
import { TransferHop, TransferProblem } from './hop.ts'
import { loadFromChain } from './hopTransaction.ts'
import { type Leg, type Release, statusCall, type TransferStatus, transferRules } from './readStatus.ts'
import { isTerminal, outcomeOf, TransferOutcome, TransferState } from './state.ts'
import { statusOnChain } from './statusOnChain.ts'
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
export async function loadTracked(context: Context, ref: TransferRef): Promise<TransferShape | null> {
  const { chainId, txHash } = ref
  const status = await context.scope.fetch(routerOf(context), statusCall(chainId, txHash))
  return newestTransfer(context, ref, status)
}

/** The same, or what the indexer of its chain has of the first transaction. Null if neither knows it. */
async function loadTransfer(context: Context, ref: TransferRef): Promise<TransferShape | null> {
  const tracked = await loadTracked(context, ref)
  if (tracked) return tracked
  const status = await statusOnChain(context, ref)
  return status && transferShape(ref, status)
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
    isReleased: t.value('Boolean', 'Whether the funds can be used now.', ({ released }) => released),
  }),
})

const TransferSearch = builder.objectRef<Search>('TransferSearch').implement({
  description: 'How a subscription looks for a transaction that the router does not know yet.',
  fields: (t) => ({
    isTracked: t.value(
      'Boolean',
      'Whether the router has agreed to track it: then its status is asked for, else also to track it, every few seconds.',
      ({ isRegistered }) => isRegistered,
    ),
    since: t.value('DateTime', 'When the search began.', ({ since }) => new Date(since).toISOString()),
    until: t.value(
      'DateTime',
      'When the subscription fails with `UPSTREAM_REJECTED`, unless it is found: ten minutes later.',
      ({ until }) => new Date(until).toISOString(),
    ),
  }),
})

const TransferLeg = builder.objectRef<Leg>('TransferLeg').implement({
  description: 'One of the transfers that a transaction started.',
  fields: (t) => ({
    state: t.value(TransferState, 'State of the leg.', ({ state }) => state),
    rawState: t.value('String', 'State of the leg as the router reports it.', ({ rawState }) => rawState),
    isTerminal: t.value('Boolean', 'Whether the leg has ended.', ({ state }) => isTerminal(state)),
    outcome: t.value(TransferOutcome, 'Outcome of the leg.', ({ state }) => outcomeOf(state)),
    hops: t.value([TransferHop], 'Hops of the leg, in order.', shapesOf),
    blockingHop: t.nullable(
      TransferHop,
      'The hop that the leg waits for, or failed at. Null if none.',
      (leg) => shapesOf(leg).find((hop) => hop.isBlocking) ?? null,
    ),
    assetRelease: sent(t, AssetRelease, 'Where the funds are released. Null if unknown yet.', ({ release }) => release),
    error: sent(t, TransferProblem, 'Why the leg failed. Null otherwise.', ({ error }) => error),
  }),
})

export const Transfer = nodeType<TransferShape>('Transfer', {
  description: 'A transaction and the transfers that it started, as the router tracks them.',
  keyOf: transferKey,
  load: (key, context) => loadTransfer(context, refOfKey(key)),
  fields: (t) => ({
    chainId: t.value('ChainId', 'The chain of the first transaction.', ({ chainId }) => chainId),
    chain: chainField(t, 'The chain of the first transaction', ({ chainId }) => chainId),
    hash: t.value('String', 'Hash of the first transaction, as the client wrote it.', ({ txHash }) => txHash),
    transaction: t.field({
      type: IndexedTransaction,
      nullable: true,
      description:
        'The indexed first transaction. Null if not indexed yet, or without an indexer. Costs up to two upstream requests.',
      complexity: 2 * callCost,
      resolve: ({ chainId, txHash }, _args, context) => loadFromChain(context, chainId, txHash),
    }),
    state: t.value(TransferState, 'State of the least advanced leg.', ({ status }) => status.state),
    search: t.nullable(
      TransferSearch,
      'Set in events while the router does not know the transaction: perhaps it is new, or no transfer. Null once it does.',
      ({ status }) => status.search,
    ),
    rawState: t.value(
      'String',
      'State of the transfer as the router reports it. Empty while the router does not know it.',
      ({ status }) => status.rawState,
    ),
    isTerminal: t.value('Boolean', 'Whether it has ended. Only an abandoned transfer can resume.', ({ status }) =>
      isTerminal(status.state),
    ),
    outcome: t.value(TransferOutcome, 'Outcome of the transfer.', ({ status }) => outcomeOf(status.state)),
    hops: t.value([TransferHop], 'Hops of all legs, in order.', ({ status }) => status.legs.flatMap(shapesOf)),
    blockingHop: t.nullable(
      TransferHop,
      'The first hop that the transfer waits for, or failed at. Null if none.',
      ({ status }) => status.legs.flatMap(shapesOf).find((hop) => hop.isBlocking) ?? null,
    ),
    legs: t.value(
      [TransferLeg],
      'Transfers that the first transaction started. Usually one.',
      ({ status }) => status.legs,
    ),
    assetRelease: sent(
      t,
      AssetRelease,
      'Where the funds are released, of the first such leg. Null if unknown yet.',
      ({ status }) => status.release,
    ),
    error: sent(t, TransferProblem, 'Why the transfer failed. Null otherwise.', ({ status }) => status.error),
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
      'A transfer in its current state. Null if neither the router nor the indexer of its chain knows the transaction. Costs one upstream request, and up to two of the indexer if the router does not know it.',
    args: transferArgs,
    complexity: ({ chainId }, { network }) => (network.chains.has(chainId) ? 3 : 1) * callCost,
    resolve: (_root, args, context) => loadTransfer(context, parseTransferRef(args)),
  }),
)
