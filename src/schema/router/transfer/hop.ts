import { builder } from '../../../graphql/builder.ts'
import { Bridge } from '../bridges/bridge.ts'
import { bridges } from '../bridges/bridges.ts'
import { chainField, routerChainField } from '../chainFields.ts'
import { HopState } from './hopState.ts'
import { HopTransaction } from './hopTransaction.ts'
import { bridgeByHopKey, type HopBody, type Problem } from './readHop.ts'

/** A hop and its position in its leg. */
export interface HopShape extends HopBody {
  readonly index: number
  readonly isBlocking: boolean
}

export const TransferProblem = builder.objectRef<Problem>('TransferProblem').implement({
  description: 'Why a transfer or a hop failed, in the words of the router.',
  fields: (t) => ({
    type: t.exposeString('type', {
      nullable: true,
      description:
        'Type of the failure, such as `STATUS_ERROR_TRANSFER`. Null if the router does not report it.',
    }),
    message: t.exposeString('message', {
      nullable: true,
      description: 'A sentence that explains it. Null if the router does not report it.',
    }),
    details: t.expose('details', {
      type: 'JSON',
      nullable: true,
      description:
        'More information, often a `code` and a `message` of the chain. Null if the router does not report it.',
    }),
  }),
})

export const TransferHop = builder.interfaceRef<HopShape>('TransferHop').implement({
  description: 'A step of a transfer from one chain to another. A swap on one chain is not a hop.',
  resolveType: ({ kind }) => bridgeByHopKey.get(kind)?.hop.type ?? 'UnknownHop',
  fields: (t) => ({
    index: t.expose('index', { type: 'UInt53', description: 'Position in its leg, from 0.' }),
    bridge: t.field({
      type: Bridge,
      description: 'The bridge that carries the asset.',
      resolve: ({ kind }) => bridgeByHopKey.get(kind)?.id ?? 'UNKNOWN',
    }),
    rawBridge: t.exposeString('kind', {
      description:
        'Key of the hop in the response of the router, such as `ibc_transfer`. Empty if it has none.',
    }),
    fromChainId: t.exposeString('fromChainId', {
      nullable: true,
      description: 'The source chain of the hop. Null if the router does not report it.',
    }),
    fromChain: chainField(t, 'The source chain of the hop', ({ fromChainId }) => fromChainId),
    fromRouterChain: routerChainField(
      t,
      "The router's record of the source chain.",
      ({ fromChainId }) => fromChainId,
    ),
    toChainId: t.exposeString('toChainId', {
      nullable: true,
      description: 'The destination chain of the hop. Null if the router does not report it.',
    }),
    toChain: chainField(t, 'The destination chain of the hop', ({ toChainId }) => toChainId),
    toRouterChain: routerChainField(
      t,
      "The router's record of the destination chain.",
      ({ toChainId }) => toChainId,
    ),
    state: t.expose('state', { type: HopState, description: 'State of the hop.' }),
    rawState: t.exposeString('rawState', {
      description: 'State of the hop as the router reports it. Empty if it reports none.',
    }),
    isBlocking: t.exposeBoolean('isBlocking', {
      description: 'Whether the transfer waits for this hop, or failed at it.',
    }),
    transactions: t.field({
      type: [HopTransaction],
      description: 'Transactions of the hop seen so far, in the order of the response.',
      resolve: ({ transactions }) => [...transactions],
    }),
    error: t.expose('error', {
      type: TransferProblem,
      nullable: true,
      description: 'Why the hop failed. Null if it did not fail.',
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
  description: 'A hop over a bridge that this gateway does not know.',
  interfaces: [TransferHop],
  fields: (t) => ({
    body: t.expose('body', {
      type: 'JSON',
      nullable: true,
      description: 'The hop as the router sent it.',
    }),
  }),
})
