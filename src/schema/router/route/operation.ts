import { builder } from '../../../engine/graphql/builder.ts'
import { Asset, assetOf } from '../asset/asset.ts'
import { formattedField } from '../asset/assetAmount.ts'
import { Bridge, bridgeName } from '../bridges/bridge.ts'
import { ifSent, optionalChainField, sent } from '../routerFields.ts'
import { OperationFee, readFees } from './fee.ts'
import { kindByKey, kinds, type OperationShape } from './readOperation.ts'

const RouteOperationKind = builder.enumType('RouteOperationKind', {
  description: 'Kind of an operation of a route.',
  values: {
    TRANSFER: { description: 'Sends an asset to another chain, over a bridge.' },
    SWAP: { description: 'Swaps an asset on a Cosmos chain.' },
    EVM_SWAP: { description: 'Swaps an asset on an EVM chain.' },
    SEND: { description: 'Sends an asset to another account on the same chain.' },
    UNKNOWN: {
      description: 'Another operation, which can still be signed and sent. See `rawKind`.',
    },
  },
})

function operationKind({ kind }: OperationShape) {
  const known = kindByKey.get(kind)
  return known ? (known.operation.kind ?? 'TRANSFER') : 'UNKNOWN'
}

const UnknownOperationDetails = builder.objectRef<OperationShape>('UnknownOperationDetails').implement({
  description: 'An operation of another kind.',
  fields: (t) => ({
    body: t.value('JSON', 'The object under `rawKind`, as the router sent it.', ({ body }) => body),
  }),
})

const detailTypes = kinds.flatMap(({ operation: { details } }) =>
  details
    ? builder.objectRef<OperationShape>(details.type).implement({
        description: `${details.description} Omitted parts are null.`,
        fields: (t) => details.fields(t),
      })
    : [],
)

const RouteOperationDetails = builder.unionType('RouteOperationDetails', {
  description: 'Fields of one kind of operation. New types can come.',
  types: [...detailTypes, UnknownOperationDetails],
  resolveType: ({ kind }) => kindByKey.get(kind)?.operation.details?.type ?? 'UnknownOperationDetails',
})

/** The details of an operation. Null for a known kind that adds nothing. */
function detailsOf(operation: OperationShape): OperationShape | null {
  const known = kindByKey.get(operation.kind)
  return known && !known.operation.details ? null : operation
}

export const RouteOperation = builder.objectRef<OperationShape>('RouteOperation').implement({
  description: 'A step of a route: a transfer between two chains, a swap, or a send.',
  fields: (t) => ({
    index: t.value('UInt53', 'Position in the route, from 0.', ({ index }) => index),
    transactionIndex: sent(t, 'UInt53', 'Index of its transaction, from 0.', (operation) => operation.transactionIndex),
    requiresSignature: t.value(
      'Boolean',
      'Whether it begins a transaction to sign.',
      ({ requiresSignature }) => requiresSignature,
    ),
    kind: t.value(RouteOperationKind, 'What the operation does.', operationKind),
    rawKind: t.value('String', "The router's key, such as `transfer`.", ({ kind }) => kind),
    amountIn: ifSent(t, 'BigInt', 'Amount in, in base units of `denomIn`.', ({ amountIn }) => amountIn),
    amountOut: ifSent(t, 'BigInt', 'Amount out, in base units of `denomOut`.', ({ amountOut }) => amountOut),
    formattedAmountIn: formattedField(t, 'Amount in, in whole units.', ({ fromChainId, denomIn, amountIn }) => ({
      chainId: fromChainId,
      denom: denomIn,
      amount: amountIn,
    })),
    formattedAmountOut: formattedField(t, 'Amount out, in whole units.', ({ toChainId, denomOut, amountOut }) => ({
      chainId: toChainId,
      denom: denomOut,
      amount: amountOut,
    })),
    fromChainId: ifSent(t, 'ChainId', 'The chain where the operation starts.', ({ fromChainId }) => fromChainId),
    fromChain: optionalChainField(t, 'The chain where the operation starts', ({ fromChainId }) => fromChainId),
    toChainId: ifSent(t, 'ChainId', 'Where it ends. The same for swaps and sends.', ({ toChainId }) => toChainId),
    toChain: optionalChainField(t, 'The chain where the operation ends', ({ toChainId }) => toChainId),
    denomIn: ifSent(t, 'Denom', 'Denom in, on the chain where it starts.', ({ denomIn }) => denomIn),
    denomOut: ifSent(t, 'Denom', 'Denom out, on the chain where it ends.', ({ denomOut }) => denomOut),
    assetIn: t.ifKnown(Asset, 'The asset in.', ({ fromChainId, denomIn }, _args, context) =>
      assetOf(context, fromChainId, denomIn),
    ),
    assetOut: t.ifKnown(Asset, 'The asset out.', ({ toChainId, denomOut }, _args, context) =>
      assetOf(context, toChainId, denomOut),
    ),
    bridge: t.nullable(Bridge, 'The bridge that carries the asset. Null for swaps and sends.', ({ bridgeId }) =>
      bridgeName(bridgeId),
    ),
    rawBridge: sent(
      t,
      'String',
      "The router's id of the bridge. Null for swaps and sends.",
      ({ bridgeId }) => bridgeId,
    ),
    isRelayed: t.value(
      'Boolean',
      'Whether a relayer pays for delivery, for a fee whose quote expires.',
      ({ isRelayed }) => isRelayed,
    ),
    relayQuoteExpiresAt: sent(
      t,
      'DateTime',
      'When the quote of the relay fee expires. Null without a relayer.',
      ({ relayQuoteExpiresAt }) => relayQuoteExpiresAt,
    ),
    fees: t.value(
      [OperationFee],
      'Fees of the operation. `Route.fees` can list some of them too.',
      ({ kind, body, fromChainId }) => readFees(body, fromChainId, kindByKey.get(kind)?.bridge?.fees ?? []),
    ),
    body: t.value('JSON', "The router's object under `rawKind`.", ({ body }) => body),
    details: t.nullable(RouteOperationDetails, 'Fields of this kind alone. Null if none.', detailsOf),
  }),
})
