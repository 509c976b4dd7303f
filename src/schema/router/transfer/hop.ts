import { builder } from '../../../engine/graphql/builder.ts'
import { Bridge } from '../bridges/bridge.ts'
import { bridges } from '../bridges/bridges.ts'
import { ifSent, optionalChainField, readRouterValue } from '../routerFields.ts'
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
    rawKind: ifSent(t, 'String', 'Kind of the failure, such as `STATUS_ERROR_TRANSFER`.', ({ type }) => type),
    message: ifSent(t, 'String', 'A sentence that explains it.', ({ message }) => message),
    details: ifSent(
      t,
      'JSON',
      'More information, often a `code` and a `message` of the chain.',
      ({ details }) => details,
    ),
  }),
})

const UnknownHopDetails = builder.objectRef<HopShape>('UnknownHopDetails').implement({
  description: 'A hop over another bridge.',
  fields: (t) => ({
    body: t.expose('body', {
      type: 'JSON',
      nullable: true,
      description: 'The hop as the router sent it. Null if it sent none.',
    }),
  }),
})

const detailTypes = bridges.flatMap(({ hop: { details } }) =>
  details
    ? builder.objectRef<HopShape>(details.type).implement({
        description: `${details.description} Omitted parts are null.`,
        fields: (t) => details.fields(t),
      })
    : [],
)

const TransferHopDetails = builder.unionType('TransferHopDetails', {
  description: 'Fields of one bridge. New types can come.',
  types: [...detailTypes, UnknownHopDetails],
  resolveType: ({ kind }) => bridgeByHopKey.get(kind)?.hop.details?.type ?? 'UnknownHopDetails',
})

/** The details of a hop. Null for a known bridge that adds nothing. */
function detailsOf(hop: HopShape): HopShape | null {
  const bridge = bridgeByHopKey.get(hop.kind)
  return bridge && !bridge.hop.details ? null : hop
}

export const TransferHop = builder.objectRef<HopShape>('TransferHop').implement({
  description: 'A step from one chain to another.',
  fields: (t) => ({
    index: t.expose('index', { type: 'UInt53', description: 'Position in its leg, from 0.' }),
    bridge: t.field({
      type: Bridge,
      description: 'The bridge that carries the asset.',
      resolve: ({ kind }) => bridgeByHopKey.get(kind)?.id ?? 'UNKNOWN',
    }),
    rawBridge: t.string({
      nullable: true,
      description: "The router's key, such as `ibc_transfer`. Null if none.",
      resolve: ({ kind }) => kind || null,
    }),
    fromChainId: ifSent(t, 'ChainId', 'The source chain of the hop.', ({ fromChainId }) => fromChainId),
    fromChain: optionalChainField(t, 'The source chain of the hop', ({ fromChainId }) => fromChainId),
    toChainId: ifSent(t, 'ChainId', 'The destination chain of the hop.', ({ toChainId }) => toChainId),
    toChain: optionalChainField(t, 'The destination chain of the hop', ({ toChainId }) => toChainId),
    state: t.expose('state', { type: HopState, description: 'State of the hop.' }),
    rawState: ifSent(t, 'String', 'State of the hop as the router reports it.', ({ rawState }) => rawState || null),
    isBlocking: t.exposeBoolean('isBlocking', {
      description: 'Whether the transfer waits for this hop, or failed at it.',
    }),
    transactions: t.field({
      type: [HopTransaction],
      description: 'Transactions of the hop so far.',
      resolve: ({ transactions }) => [...transactions],
    }),
    error: t.field({
      type: TransferProblem,
      nullable: true,
      description: 'Why the hop failed. Null otherwise.',
      resolve: ({ error }) => readRouterValue(error),
    }),
    details: t.field({
      type: TransferHopDetails,
      nullable: true,
      description: 'Fields of this bridge alone. Null if none.',
      resolve: detailsOf,
    }),
  }),
})
