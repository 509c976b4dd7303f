import { builder } from '../../../graphql/builder.ts'
import { Asset, assetOf } from '../asset.ts'
import { Bridge, bridgeName } from '../bridges/bridge.ts'
import { optionalChainField } from '../chainFields.ts'
import { OperationFee, readFees } from './fee.ts'
import { kindByKey, kinds, type OperationShape } from './readOperation.ts'

const RouteOperationKind = builder.enumType('RouteOperationKind', {
  description: 'What an operation of a route does.',
  values: {
    TRANSFER: { description: 'Sends an asset to another chain, over a bridge.' },
    SWAP: { description: 'Swaps an asset on a Cosmos chain.' },
    EVM_SWAP: { description: 'Swaps an asset on an EVM chain.' },
    SEND: { description: 'Sends an asset to another account on the same chain.' },
    UNKNOWN: {
      description:
        'An operation that this gateway does not know. The route can still be signed and sent. See `rawKind`.',
    },
  },
})

function operationKind({ kind }: OperationShape) {
  const known = kindByKey.get(kind)
  return known ? (known.operation.kind ?? 'TRANSFER') : 'UNKNOWN'
}

const UnknownOperationDetails = builder
  .objectRef<OperationShape>('UnknownOperationDetails')
  .implement({
    description: 'An operation of a kind that this gateway does not know.',
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
        description: `${details.description} What the router omits is null.`,
        fields: (t) => details.fields(t),
      })
    : [],
)

const RouteOperationDetails = builder.unionType('RouteOperationDetails', {
  description: 'What only one kind of operation has. New kinds can add types.',
  types: [...detailTypes, UnknownOperationDetails],
  resolveType: ({ kind }) =>
    kindByKey.get(kind)?.operation.details?.type ?? 'UnknownOperationDetails',
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
    transactionIndex: t.expose('transactionIndex', {
      type: 'UInt53',
      description: 'Index of the transaction that includes the operation, from 0.',
    }),
    requiresSignature: t.exposeBoolean('requiresSignature', {
      description: 'Whether the operation is the first of a transaction to sign.',
    }),
    kind: t.field({
      type: RouteOperationKind,
      description: 'What the operation does.',
      resolve: operationKind,
    }),
    rawKind: t.exposeString('kind', {
      description: 'Key of the operation in the response of the router, such as `transfer`.',
    }),
    amountIn: t.expose('amountIn', {
      type: 'BigInt',
      nullable: true,
      description: 'Amount in, in base units of `denomIn`. Null if the router does not report it.',
    }),
    amountOut: t.expose('amountOut', {
      type: 'BigInt',
      nullable: true,
      description:
        'Amount out, in base units of `denomOut`. Null if the router does not report it.',
    }),
    fromChainId: t.expose('fromChainId', {
      type: 'ChainId',
      nullable: true,
      description: 'The chain where the operation starts. Null if the router does not report it.',
    }),
    fromChain: optionalChainField(
      t,
      'The chain where the operation starts',
      ({ fromChainId }) => fromChainId,
    ),
    toChainId: t.expose('toChainId', {
      type: 'ChainId',
      nullable: true,
      description:
        'The chain where the operation ends. The same chain for swaps and sends. Null if the router does not report it.',
    }),
    toChain: optionalChainField(
      t,
      'The chain where the operation ends',
      ({ toChainId }) => toChainId,
    ),
    denomIn: t.expose('denomIn', {
      type: 'Denom',
      nullable: true,
      description:
        'Base denom of the asset in, on the chain where the operation starts. Null if the router does not report it.',
    }),
    denomOut: t.expose('denomOut', {
      type: 'Denom',
      nullable: true,
      description:
        'Base denom of the asset out, on the chain where the operation ends. Null if the router does not report it.',
    }),
    assetIn: t.field({
      type: Asset,
      nullable: true,
      description: 'The asset in. Null if the router does not know it.',
      resolve: ({ fromChainId, denomIn }, _args, context) => assetOf(context, fromChainId, denomIn),
    }),
    assetOut: t.field({
      type: Asset,
      nullable: true,
      description: 'The asset out. Null if the router does not know it.',
      resolve: ({ toChainId, denomOut }, _args, context) => assetOf(context, toChainId, denomOut),
    }),
    bridge: t.field({
      type: Bridge,
      nullable: true,
      description: 'The bridge that carries the asset. Null for swaps and sends.',
      resolve: ({ bridgeId }) => bridgeName(bridgeId),
    }),
    rawBridge: t.exposeString('bridgeId', {
      nullable: true,
      description: "The router's id of the bridge. Null for swaps and sends.",
    }),
    isRelayed: t.exposeBoolean('isRelayed', {
      description:
        'Whether a relayer pays for the delivery and charges a fee. The quote of that fee expires.',
    }),
    relayQuoteExpiresAt: t.expose('relayQuoteExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the quote of the relay fee expires. Request a new route before. Null if no relayer is used.',
    }),
    fees: t.field({
      type: [OperationFee],
      description: 'Fees of the operation. `Route.fees` can list some of them too.',
      resolve: ({ kind, body, fromChainId }) =>
        readFees(body, fromChainId, kindByKey.get(kind)?.bridge?.fees ?? []),
    }),
    body: t.expose('body', {
      type: 'JSON',
      description:
        'The object under `rawKind`, as the router sent it, with what no other field has.',
    }),
    details: t.field({
      type: RouteOperationDetails,
      nullable: true,
      description: 'What only this kind of operation has. Null for a kind that adds nothing.',
      resolve: detailsOf,
    }),
  }),
})
