import { builder } from '../../../graphql/builder.ts'
import { Bridge } from '../bridges/bridge.ts'
import { bridges } from '../bridges/bridges.ts'
import { chainField, routerChainField } from '../chainFields.ts'
import { HopState } from './hopState.ts'
import { HopTransaction } from './hopTransaction.ts'
import { bridgeByHopKey, type HopBody, type Problem } from './readHop.ts'

/** A hop and its place in its transfer. */
export interface HopShape extends HopBody {
  readonly index: number
  readonly isBlocking: boolean
}

export const TransferProblem = builder.objectRef<Problem>('TransferProblem').implement({
  description: 'Why a transfer or a hop failed, in the words of the router.',
  fields: (t) => ({
    type: t.exposeString('type', {
      nullable: true,
      description: 'The kind of failure, such as `STATUS_ERROR_TRANSFER`.',
    }),
    message: t.exposeString('message', { nullable: true, description: 'A sentence about it.' }),
    details: t.expose('details', {
      type: 'JSON',
      nullable: true,
      description: 'What else is known: often a `code` and `message` of the chain.',
    }),
  }),
})

export const TransferHop = builder.interfaceRef<HopShape>('TransferHop').implement({
  description: 'One crossing between two chains. Swaps within a chain are no hops.',
  resolveType: ({ kind }) => bridgeByHopKey.get(kind)?.hop.type ?? 'UnknownHop',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Its place in its leg, from 0.' }),
    bridge: t.field({
      type: Bridge,
      description: 'What carries the asset.',
      resolve: ({ kind }) => bridgeByHopKey.get(kind)?.id ?? 'UNKNOWN',
    }),
    rawBridge: t.exposeString('kind', {
      description: 'The key of the hop in the answer of the router, such as `ibc_transfer`.',
    }),
    fromChainId: t.exposeString('fromChainId', {
      nullable: true,
      description: 'The chain it leaves.',
    }),
    fromChain: chainField(t, 'The chain it leaves', ({ fromChainId }) => fromChainId),
    fromRouterChain: routerChainField(
      t,
      "The router's record of the chain it leaves.",
      ({ fromChainId }) => fromChainId,
    ),
    toChainId: t.exposeString('toChainId', {
      nullable: true,
      description: 'The chain it leads to.',
    }),
    toChain: chainField(t, 'The chain it leads to', ({ toChainId }) => toChainId),
    toRouterChain: routerChainField(
      t,
      "The router's record of the chain it leads to.",
      ({ toChainId }) => toChainId,
    ),
    state: t.expose('state', { type: HopState, description: 'How far it is.' }),
    rawState: t.exposeString('rawState', {
      description: "How far it is, in the bridge's own word; empty when it has none.",
    }),
    isBlocking: t.exposeBoolean('isBlocking', {
      description: 'Whether the rest of the transfer waits for it, or failed with it.',
    }),
    transactions: t.field({
      type: [HopTransaction],
      description: 'Its transactions seen so far, in the order of the bridge.',
      resolve: ({ transactions }) => [...transactions],
    }),
    error: t.expose('error', {
      type: TransferProblem,
      nullable: true,
      description: 'Why it failed.',
    }),
  }),
})

for (const { hop } of bridges) {
  builder.objectRef<HopShape>(hop.type).implement({
    description: hop.description,
    interfaces: [TransferHop],
    fields: (t) => hop.details?.fields(t) ?? {},
  })
}

builder.objectRef<HopShape>('UnknownHop').implement({
  description: 'A crossing by a bridge newer than this gateway.',
  interfaces: [TransferHop],
  fields: (t) => ({
    body: t.expose('body', {
      type: 'JSON',
      nullable: true,
      description: 'The hop as the router sent it, in its own field names.',
    }),
  }),
})
