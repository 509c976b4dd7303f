import { builder, callCost } from '../../../engine/graphql/builder.ts'
import { nodeType } from '../../../engine/graphql/node.ts'
import type { Search } from '../../../engine/watch/model.ts'
import { withValue } from '../../../kit/awaitable.ts'
import { AssetAmount } from '../../amount/assetAmount.ts'
import { IndexedTransaction } from '../../indexer/indexedTransaction.ts'
import { chainField, ifSent, optionalChainField, readRouterValue, sent } from '../../router/routerFields.ts'
import { loadFromChain } from '../joined/loadFromChain.ts'
import { loadTransfer, type TransferShape } from '../joined/loadTransfer.ts'
import { provenStatus } from '../joined/proof.ts'
import type { Release, StartedTransfer, TransferStatus } from '../reported/readStatus.ts'
import { parseTransferRef, refOfKey, transferKey } from '../reported/transferRef.ts'
import { isTerminal, outcomeOf, TransferOutcome, TransferState } from '../reported/transferState.ts'
import { TransferHop, TransferProblem } from './hop.ts'

const shapesOf = ({ hops, blocking }: StartedTransfer) =>
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

const TransferLeg = builder.objectRef<StartedTransfer>('TransferLeg').implement({
  description: 'One of the transfers that a transaction started.',
  fields: (t) => ({
    state: t.value(TransferState, 'State of the leg.', ({ state }) => state),
    reportedState: t.value(
      TransferState,
      'The state by the router alone.',
      ({ state, reportedState }) => reportedState ?? state,
    ),
    rawState: t.value('String', 'State of the leg as the router reports it.', ({ rawState }) => rawState),
    isTerminal: t.value('Boolean', 'Whether the leg has ended.', ({ state }) => isTerminal(state)),
    outcome: t.value(TransferOutcome, 'Outcome of the leg.', ({ state }) => outcomeOf(state)),
    hops: t.value([TransferHop], 'Hops of the leg, in order.', shapesOf),
    blockingHop: t.nullable(
      TransferHop,
      'The hop that the leg waits for, or failed at. Null if none.',
      (leg) => shapesOf(leg).find((hop) => hop.isBlocking) ?? null,
    ),
    assetRelease: sent(
      t,
      AssetRelease,
      'Where the funds are released. Null if unknown yet.',
      ({ release }) => release,
      { late: ['release'] },
    ),
    error: sent(t, TransferProblem, 'Why the leg failed. Null otherwise.', ({ error }) => error, { late: ['error'] }),
  }),
})

export const Transfer = nodeType<TransferShape>('Transfer', {
  description:
    'A transaction and the transfers that it started. An end that the records of both chains prove counts before the word of the router. To read them costs up to four upstream requests for each hop, once.',
  keyOf: transferKey,
  load: (key, context) => loadTransfer(context, refOfKey(key)),
  fields: (t) => {
    const proven = t.through<[TransferStatus]>(
      (read) => (transfer, _args, context) => withValue(provenStatus(context, transfer), read),
    )
    return {
      chainId: t.value('ChainId', 'The chain of the first transaction.', ({ chainId }) => chainId),
      chain: chainField(t, 'The chain of the first transaction', ({ chainId }) => chainId),
      hash: t.value(
        'String',
        'Hash of the first transaction, as tools of its chain write it, however it was asked for.',
        ({ txHash }) => txHash,
      ),
      transaction: t.field({
        type: IndexedTransaction,
        nullable: true,
        description:
          'The indexed first transaction. Null if not indexed yet, or without an indexer. Costs up to two upstream requests.',
        complexity: 2 * callCost,
        extensions: { late: ['transaction'] },
        resolve: ({ chainId, txHash }, _args, context) => loadFromChain(context, chainId, txHash),
      }),
      state: proven.value(
        TransferState,
        'State of the least advanced leg: proven by the records of the chains, or else the word of the router.',
        ({ state }) => state,
      ),
      reportedState: t.value(
        TransferState,
        'The state by the router alone. It differs from `state` if the records of the chains prove another one.',
        ({ status }) => status.reportedState ?? status.state,
      ),
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
      isTerminal: proven.value('Boolean', 'Whether it has ended. Only an abandoned transfer can resume.', ({ state }) =>
        isTerminal(state),
      ),
      outcome: proven.value(TransferOutcome, 'Outcome of the transfer.', ({ state }) => outcomeOf(state)),
      hops: proven.value([TransferHop], 'Hops of all legs, in order.', ({ legs }) => legs.flatMap(shapesOf)),
      blockingHop: proven.nullable(
        TransferHop,
        'The first hop that the transfer waits for, or failed at. Null if none.',
        ({ legs }) => legs.flatMap(shapesOf).find((hop) => hop.isBlocking) ?? null,
      ),
      legs: proven.value(
        [TransferLeg],
        'Transfers that the first transaction started. Usually one.',
        ({ legs }) => legs,
      ),
      assetRelease: proven.nullable(
        AssetRelease,
        'Where the funds are released, of the first such leg. Null if unknown yet.',
        ({ release }) => readRouterValue(release),
        { late: ['release'] },
      ),
      error: proven.nullable(
        TransferProblem,
        'Why the transfer failed. Null otherwise.',
        ({ error }) => readRouterValue(error),
        { late: ['error'] },
      ),
    }
  },
})

/** The requests with which a hop is usually proven, as they are priced. */
const provingCost = 3

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
      'A transfer in its current state. Null if neither the router nor the indexer of its chain knows the transaction. Costs one upstream request, up to two if the router does not know it, and those of its proof.',
    args: transferArgs,
    complexity: ({ chainId }, { network }) => (network.chains.has(chainId) ? 1 + provingCost : 1) * callCost,
    resolve: (_root, args, context) => loadTransfer(context, parseTransferRef(args)),
  }),
)
