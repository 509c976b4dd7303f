import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { type NodeShape, nodeType } from '../../../graphql/node.ts'
import { defineTopic } from '../../../polling/topic.ts'
import { badInput } from '../../../upstream/error.ts'
import { Asset, assetOf } from '../asset.ts'
import { chainField, routerChainField } from '../chainFields.ts'
import { checkChainId, checkTxHash, hashKey, routerOf } from '../routerInput.ts'
import { TransferHop, TransferProblem } from './hop.ts'
import { IndexedTransaction, loadIndexed } from './hopTransaction.ts'
import { type Leg, type Release, statusCall, type TransferStatus } from './readStatus.ts'
import { isTerminal, outcomeOf, rankOf, TransferOutcome, TransferState } from './state.ts'

/** What the router says of a transaction, beside the transaction's name. */
export interface TransferShape extends NodeShape<'Transfer'> {
  readonly chainId: string
  /** As the caller wrote it. */
  readonly txHash: string
  readonly status: TransferStatus
}

/** A transaction to look up. Both are checked. */
export interface TransferRef {
  readonly chainId: string
  readonly txHash: string
}

/** The name of a transfer, from arguments. Throws `BAD_USER_INPUT` for what can be none. */
export const parseTransferRef = ({ chainId, txHash }: TransferRef): TransferRef => ({
  chainId: checkChainId(chainId),
  txHash: checkTxHash(txHash),
})

/** The statuses that polls share. A key is `keyOf` a transfer. */
export const transferTopic = defineTopic<TransferStatus>('transfers')

/** Equal for two spellings of one hash. */
export const keyOf = ({ chainId, txHash }: TransferRef): string => `${chainId}/${hashKey(txHash)}`

/** The graph's value for a transfer. */
export const transferShape = (
  { chainId, txHash }: TransferRef,
  status: TransferStatus,
): TransferShape => ({ __typename: 'Transfer', chainId, txHash, status })

/** The transfer as the router has it now; null when it is not tracked there. */
export async function loadTransfer(
  context: Context,
  name: TransferRef,
): Promise<TransferShape | null> {
  const { chainId, txHash } = name
  const found = await context.scope.fetch(routerOf(context), statusCall(chainId, txHash))
  return preferFinalState(context, name, found)
}

/** What ended stays ended, though a router may forget or answer from an older moment. */
export function preferFinalState(
  { poller }: Context,
  name: TransferRef,
  found: TransferStatus | null,
): TransferShape | null {
  const ended = poller.finalState(transferTopic, keyOf(name))
  const status =
    ended && (found === null || rankOf(found.state) < rankOf(ended.state)) ? ended : found
  return status && transferShape(name, status)
}

const shapesOf = ({ hops, blocking }: Leg) =>
  hops.map((hop, index) => ({ ...hop, index, isBlocking: index === blocking }))

const AssetRelease = builder.objectRef<Release>('AssetRelease').implement({
  description: 'Where the funds of a transfer are, or will be.',
  fields: (t) => ({
    chainId: t.exposeString('chain_id', { description: 'The chain they are on.' }),
    chain: chainField(t, 'That chain', (one) => one.chain_id),
    routerChain: routerChainField(t, "The router's record of that chain.", (one) => one.chain_id),
    denom: t.exposeString('denom', { description: 'Their base denom there.' }),
    asset: t.field({
      type: Asset,
      nullable: true,
      description: "The router's record of that denom.",
      resolve: (one, _args, context) => assetOf(context, one.chain_id, one.denom),
    }),
    amount: t.expose('amount', {
      type: 'BigInt',
      nullable: true,
      description: 'How much, in base units; null where the router does not tell.',
    }),
    isReleased: t.exposeBoolean('released', { description: 'Whether they can be used already.' }),
  }),
})

const TransferLeg = builder.objectRef<Leg>('TransferLeg').implement({
  description: 'One of the transfers that a transaction started.',
  fields: (t) => ({
    state: t.expose('state', { type: TransferState, description: 'How far it is.' }),
    rawState: t.exposeString('rawState', {
      description: 'How far it is, in the word of the router.',
    }),
    isTerminal: t.boolean({
      description: 'Whether it has ended.',
      resolve: ({ state }) => isTerminal(state),
    }),
    outcome: t.field({
      type: TransferOutcome,
      description: 'What became of it.',
      resolve: ({ state }) => outcomeOf(state),
    }),
    hops: t.field({
      type: [TransferHop],
      description: 'Its crossings, in order.',
      resolve: shapesOf,
    }),
    blockingHop: t.field({
      type: TransferHop,
      nullable: true,
      description: 'The crossing it waits for, or failed with.',
      resolve: (leg) => shapesOf(leg).find((hop) => hop.isBlocking) ?? null,
    }),
    assetRelease: t.expose('release', {
      type: AssetRelease,
      nullable: true,
      description: 'Where its funds are; null while that is not settled.',
    }),
    error: t.expose('error', {
      type: TransferProblem,
      nullable: true,
      description: 'Why it failed.',
    }),
  }),
})

export const Transfer = nodeType<TransferShape>('Transfer', {
  description:
    'A tracked transaction and all that it set in motion, from chain to chain, as the router sees it.',
  keyOf,
  load: (key, context) => {
    const slash = key.indexOf('/')
    if (slash < 1) throw badInput('The id is not one that this graph has given.')
    const name = { chainId: key.slice(0, slash), txHash: key.slice(slash + 1) }
    return loadTransfer(context, parseTransferRef(name))
  },
  fields: (t) => ({
    chainId: t.exposeString('chainId', { description: 'The chain its first transaction is on.' }),
    chain: chainField(t, 'That chain', ({ chainId }) => chainId),
    routerChain: routerChainField(
      t,
      "The router's record of that chain.",
      ({ chainId }) => chainId,
    ),
    txHash: t.exposeString('txHash', {
      description: 'Hash of its first transaction, as it was asked for.',
    }),
    transaction: t.field({
      type: IndexedTransaction,
      nullable: true,
      description:
        "Its first transaction in that chain's indexer; null while that has not caught up, and where the chain is not served.",
      complexity: callCost,
      resolve: ({ chainId, txHash }, _args, context) => loadIndexed(context, chainId, txHash),
    }),
    state: t.field({
      type: TransferState,
      description: 'How far it is; the least advanced of its legs, where there are several.',
      resolve: ({ status }) => status.state,
    }),
    rawState: t.string({
      description: 'How far it is, in the word of the router.',
      resolve: ({ status }) => status.rawState,
    }),
    isTerminal: t.boolean({
      description: 'Whether it has ended, well or not. An ended transfer never begins again.',
      resolve: ({ status }) => isTerminal(status.state),
    }),
    outcome: t.field({
      type: TransferOutcome,
      description: 'What became of it.',
      resolve: ({ status }) => outcomeOf(status.state),
    }),
    hops: t.field({
      type: [TransferHop],
      description: 'The crossings of all its legs, leg after leg.',
      resolve: ({ status }) => status.legs.flatMap(shapesOf),
    }),
    blockingHop: t.field({
      type: TransferHop,
      nullable: true,
      description: 'The first crossing it waits for, or failed with.',
      resolve: ({ status }) => status.legs.flatMap(shapesOf).find((hop) => hop.isBlocking) ?? null,
    }),
    legs: t.field({
      type: [TransferLeg],
      description: 'The transfers its first transaction started: mostly one, sometimes more.',
      resolve: ({ status }) => [...status.legs],
    }),
    assetRelease: t.field({
      type: AssetRelease,
      nullable: true,
      description: 'Where the funds are, of the first leg that tells; null while not settled.',
      resolve: ({ status }) => status.release,
    }),
    error: t.field({
      type: TransferProblem,
      nullable: true,
      description: 'Why it failed.',
      resolve: ({ status }) => status.error,
    }),
  }),
})

/** The arguments that name a transfer. */
export const transferArgs = builder.args((t) => ({
  chainId: t.string({ required: true, description: 'The chain its first transaction is on.' }),
  txHash: t.string({
    required: true,
    description: 'Hash of that transaction: hex in any case, with or without 0x, or base58.',
  }),
}))

builder.queryField('transfer', (t) =>
  t.field({
    type: Transfer,
    nullable: true,
    description:
      'A tracked transfer as it is now; null for a transaction the router does not track.',
    args: transferArgs,
    complexity: callCost,
    resolve: (_root, args, context) => loadTransfer(context, parseTransferRef(args)),
  }),
)
