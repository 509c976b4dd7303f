import { builder } from '../../../engine/graphql/builder.ts'
import { Bridge } from '../../router/bridges/bridge.ts'
import { bridges } from '../../router/bridges/bridges.ts'
import { ifSent, optionalChainField, sent } from '../../router/routerFields.ts'
import { HopState } from '../reported/hopState.ts'
import { beganAt, bridgeByHopKey, endedAt, type HopBody, type Problem } from '../reported/readHop.ts'
import { HopTransaction } from './hopTransaction.ts'

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
    body: t.nullable('JSON', 'The hop as the router sent it. Null if it sent none.', ({ body }) => body),
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
    index: t.value('UInt53', 'Position in its leg, from 0.', ({ index }) => index),
    bridge: t.value(
      Bridge,
      'The bridge that carries the asset.',
      ({ kind }) => bridgeByHopKey.get(kind)?.id ?? 'UNKNOWN',
    ),
    rawBridge: t.nullable(
      'String',
      "The router's key, such as `ibc_transfer`. Null if none.",
      ({ kind }) => kind || null,
    ),
    fromChainId: ifSent(t, 'ChainId', 'The source chain of the hop.', ({ fromChainId }) => fromChainId),
    fromChain: optionalChainField(t, 'The source chain of the hop', ({ fromChainId }) => fromChainId),
    toChainId: ifSent(t, 'ChainId', 'The destination chain of the hop.', ({ toChainId }) => toChainId),
    toChain: optionalChainField(t, 'The destination chain of the hop', ({ toChainId }) => toChainId),
    beganAt: t.ifKnown('DateTime', 'Time of its first transaction.', beganAt),
    endedAt: t.nullable('DateTime', 'When it arrived or failed. Null before that, or if unknown.', endedAt),
    state: t.value(
      HopState,
      'State of the hop: proven by the records of both chains, or else the word of the router.',
      ({ state }) => state,
    ),
    reportedState: t.value(
      HopState,
      'The state by the router alone. It differs from `state` if the records of both chains prove another one.',
      ({ state, reportedState }) => reportedState ?? state,
    ),
    rawState: ifSent(t, 'String', 'State of the hop as the router reports it.', ({ rawState }) => rawState || null),
    isBlocking: t.value(
      'Boolean',
      'Whether the transfer waits for this hop, or failed at it.',
      ({ isBlocking }) => isBlocking,
    ),
    transactions: t.value([HopTransaction], 'Transactions of the hop so far.', ({ transactions }) => transactions),
    error: sent(t, TransferProblem, 'Why the hop failed. Null otherwise.', ({ error }) => error, { late: ['error'] }),
    details: t.nullable(TransferHopDetails, 'Fields of this bridge alone. Null if none.', detailsOf),
  }),
})
