import { builder } from '../../../engine/graphql/builder.ts'
import { Asset, assetOf } from '../asset/asset.ts'
import { Bridge, bridgeName } from '../bridges/bridge.ts'
import { ifSent, optionalChainField, readRouterValue } from '../routerFields.ts'
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
    body: t.expose('body', {
      type: 'JSON',
      description: 'The object under `rawKind`, as the router sent it.',
    }),
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
    index: t.expose('index', { type: 'UInt53', description: 'Position in the route, from 0.' }),
    transactionIndex: t.field({
      type: 'UInt53',
      nullable: true,
      description: 'Index of its transaction, from 0.',
      resolve: ({ transactionIndex }) => readRouterValue(transactionIndex),
    }),
    requiresSignature: t.exposeBoolean('requiresSignature', {
      description: 'Whether it begins a transaction to sign.',
    }),
    kind: t.field({
      type: RouteOperationKind,
      description: 'What the operation does.',
      resolve: operationKind,
    }),
    rawKind: t.exposeString('kind', { description: "The router's key, such as `transfer`." }),
    amountIn: ifSent(t, 'BigInt', 'Amount in, in base units of `denomIn`.', ({ amountIn }) => amountIn),
    amountOut: ifSent(t, 'BigInt', 'Amount out, in base units of `denomOut`.', ({ amountOut }) => amountOut),
    fromChainId: ifSent(t, 'ChainId', 'The chain where the operation starts.', ({ fromChainId }) => fromChainId),
    fromChain: optionalChainField(t, 'The chain where the operation starts', ({ fromChainId }) => fromChainId),
    toChainId: ifSent(t, 'ChainId', 'Where it ends. The same for swaps and sends.', ({ toChainId }) => toChainId),
    toChain: optionalChainField(t, 'The chain where the operation ends', ({ toChainId }) => toChainId),
    denomIn: ifSent(t, 'Denom', 'Denom in, on the chain where it starts.', ({ denomIn }) => denomIn),
    denomOut: ifSent(t, 'Denom', 'Denom out, on the chain where it ends.', ({ denomOut }) => denomOut),
    assetIn: t.field({
      type: Asset,
      nullable: true,
      description: 'The asset in. Null if unknown.',
      resolve: ({ fromChainId, denomIn }, _args, context) => assetOf(context, fromChainId, denomIn),
    }),
    assetOut: t.field({
      type: Asset,
      nullable: true,
      description: 'The asset out. Null if unknown.',
      resolve: ({ toChainId, denomOut }, _args, context) => assetOf(context, toChainId, denomOut),
    }),
    bridge: t.field({
      type: Bridge,
      nullable: true,
      description: 'The bridge that carries the asset. Null for swaps and sends.',
      resolve: ({ bridgeId }) => bridgeName(bridgeId),
    }),
    rawBridge: t.string({
      nullable: true,
      description: "The router's id of the bridge. Null for swaps and sends.",
      resolve: ({ bridgeId }) => readRouterValue(bridgeId),
    }),
    isRelayed: t.exposeBoolean('isRelayed', {
      description: 'Whether a relayer pays for delivery, for a fee whose quote expires.',
    }),
    relayQuoteExpiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the quote of the relay fee expires. Null without a relayer.',
      resolve: ({ relayQuoteExpiresAt }) => readRouterValue(relayQuoteExpiresAt),
    }),
    fees: t.field({
      type: [OperationFee],
      description: 'Fees of the operation. `Route.fees` can list some of them too.',
      resolve: ({ kind, body, fromChainId }) => readFees(body, fromChainId, kindByKey.get(kind)?.bridge?.fees ?? []),
    }),
    body: t.expose('body', { type: 'JSON', description: "The router's object under `rawKind`." }),
    details: t.field({
      type: RouteOperationDetails,
      nullable: true,
      description: 'Fields of this kind alone. Null if none.',
      resolve: detailsOf,
    }),
  }),
})
