import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { openEnum } from '../../../engine/graphql/openEnum.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import { post } from '../../../engine/upstream/request.ts'
import { UpstreamHttpError } from '../../../engine/upstream/upstreamError.ts'
import { ifReadable, type Optional } from '../../../engine/wire/optional.ts'
import type { AmountShape } from '../../amount/assetAmount.ts'
import { Chain } from '../../chain/chain.ts'
import { chainOf } from '../../chain/knownChain.ts'
import { Asset, assetOf } from '../asset/asset.ts'
import { formattedField } from '../asset/assetAmount.ts'
import { refuseSymbol } from '../asset/symbolHint.ts'
import { routerOf } from '../routerClient.ts'
import { chainField, ifSent, sent } from '../routerFields.ts'
import { RouteFee } from './fee.ts'
import { RouteOperation } from './operation.ts'
import { type QuoteWarning, type RouteShape, readRoute } from './readRoute.ts'
import { RouteInput, routeBody } from './routeInput.ts'
import { tokenSigner } from './routeToken.ts'
import { SwapVenue } from './swapOperations.ts'

/** The request for a quote. `body` is JSON. */
export function quoteCall(context: Pick<Context, 'signer' | 'network'>, body: string) {
  const signer = tokenSigner(context)
  const read = (response: unknown, raw: string) => readRoute(signer, body, response, raw)
  return post('/v2/fungible/route', body, read, { isSlow: true })
}

/** The result of a request for a quote. Null if there is no route. */
export const orNoRoute = (quote: Promise<RouteShape | null>): Promise<RouteShape | null> =>
  quote.catch((error: unknown) => {
    if (error instanceof UpstreamHttpError && isNoRoute(error)) return null
    throw error
  })

/** The body of the request for a quote. Rejects with `BAD_USER_INPUT`. */
export async function checkedBody(context: Context, input: typeof RouteInput.$inferInput): Promise<string> {
  const body = routeBody(input)
  await Promise.all(
    [input.source, input.destination].map(({ chainId, denom }) => refuseSymbol(context, chainId, denom)),
  )
  return body
}

/**
 * True if an error response means that there is no route. An error with a reason is a rejected price, and
 * any other error is a mistake in the request, such as a denom that the router does not know.
 */
const isNoRoute = ({ status, bodyExcerpt, reason }: UpstreamHttpError): boolean =>
  reason === undefined && (status === 501 || /no routes? found/i.test(bodyExcerpt))

const warningKind = openEnum('RouteWarningKind', {
  description: 'Why a route has a warning.',
  values: {
    LOW_INFO: 'An asset has no known price.',
    BAD_PRICE: 'Much less value is received than sent.',
  },
  unknown: 'A reason unknown to this gateway. See `rawKind`.',
  nameOf: (word) => /^(.*)_WARNING$/.exec(word)?.[1],
})

export const RouteWarning = builder.objectRef<QuoteWarning>('RouteWarning').implement({
  description: 'A reason to check a route before signing.',
  fields: (t) => ({
    kind: t.value(warningKind.type, 'The reason.', ({ type }) => warningKind.valueOf(type)),
    rawKind: ifSent(t, 'String', 'The reason as the router reports it.', ({ type }) => type),
    message: ifSent(t, 'String', 'A sentence that explains it.', ({ message }) => message),
  }),
})

const RequiredAddress = builder.objectRef<{ chainId: string }>('RequiredAddress').implement({
  description: 'A chain where a route needs an address.',
  fields: (t) => ({
    chainId: t.value('ChainId', 'The chain id.', ({ chainId }) => chainId),
    chain: chainField(t, 'The chain', ({ chainId }) => chainId),
  }),
})

/** An amount of the asset that arrives. */
const received = (route: RouteShape, amount: Optional<bigint>): AmountShape => ({
  chainId: route.dest_asset_chain_id,
  denom: route.dest_asset_denom,
  amount,
})

export const Route = builder.objectRef<RouteShape>('Route').implement({
  description: 'A way to send an asset from one chain to another, quoted by the router.',
  fields: (t) => ({
    routeToken: t.nullable(
      'String',
      'Opaque token for `transferMessages` and `opHook`. Send it by POST: it can be long. An error if the route is too large.',
      ({ token }) => {
        if (token !== undefined) return token
        throw new GatewayError('UPSTREAM_INVALID_RESPONSE', 'The operations of the route are too large for a token.', {
          service: 'router',
        })
      },
    ),
    amountIn: t.value('BigInt', 'Amount sent, in base units of `assetIn`.', ({ amount_in }) => amount_in),
    amountOut: t.value('BigInt', 'Amount received, in base units of `assetOut`.', ({ amount_out }) => amount_out),
    estimatedAmountOut: ifSent(
      t,
      'BigInt',
      'Amount before fees and slippage, in base units.',
      ({ estimated_amount_out }) => estimated_amount_out,
    ),
    formattedAmountIn: formattedField(t, 'Amount sent, in whole units.', (route) => ({
      chainId: route.source_asset_chain_id,
      denom: route.source_asset_denom,
      amount: route.amount_in,
    })),
    formattedAmountOut: formattedField(t, 'Amount received, in whole units.', (route) =>
      received(route, route.amount_out),
    ),
    formattedEstimatedAmountOut: formattedField(t, 'Amount before fees and slippage, in whole units.', (route) =>
      received(route, route.estimated_amount_out),
    ),
    usdAmountIn: sent(t, 'Decimal', 'Value sent, in US dollars. Null without a price.', (route) => route.usd_amount_in),
    usdAmountOut: sent(
      t,
      'Decimal',
      'Value received, in US dollars. Null without a price.',
      ({ usd_amount_out }) => usd_amount_out,
    ),
    assetIn: t.ifKnown(Asset, 'The asset sent.', (route, _args, context) =>
      assetOf(context, route.source_asset_chain_id, route.source_asset_denom),
    ),
    assetOut: t.ifKnown(Asset, 'The asset received.', (route, _args, context) =>
      assetOf(context, route.dest_asset_chain_id, route.dest_asset_denom),
    ),
    operations: t.value([RouteOperation], 'Steps of the route, in order.', ({ operations }) => operations),
    transactionCount: t.value(
      'UInt53',
      'Number of transactions to sign.',
      ({ txs_required, operations }) =>
        ifReadable(txs_required) ?? operations.filter((operation) => operation.requiresSignature).length,
    ),
    requiredAddresses: t.value(
      [RequiredAddress],
      "Chains of the addresses for `transferMessages`, in order. One can occur twice. The last one is the recipient's.",
      (route) => route.required_chain_addresses.map((chainId) => ({ chainId })),
    ),
    requiresOpHook: t.value(
      'Boolean',
      'Whether `opHook` has a transaction to sign in advance, for `signedOpHook`.',
      ({ required_op_hook }) => required_op_hook,
    ),
    chainIds: t.value(['ChainId'], 'Ids of all chains on the route, in order.', ({ chain_ids }) => chain_ids),
    chains: t.value([Chain], 'All chains on the route, in order.', ({ chain_ids }, _args, context) =>
      chain_ids.map((chainId) => chainOf(context, chainId)),
    ),
    doesSwap: t.value('Boolean', 'Whether the route includes a swap.', ({ does_swap }) => does_swap),
    swapVenues: t.value([SwapVenue], 'Venues of its swaps.', ({ swap_venues, swap_venue }) =>
      swap_venues.length > 0 || !swap_venue ? swap_venues : [swap_venue],
    ),
    swapPriceImpactPercent: sent(
      t,
      'Decimal',
      'Price impact of its swaps, in percent. Null if none or unknown.',
      (route) => route.swap_price_impact_percent,
    ),
    fees: t.value(
      [RouteFee],
      'Fees of the route. Those of most bridges are only in `operations`.',
      ({ estimated_fees }) => estimated_fees,
    ),
    estimatedDurationSeconds: ifSent(
      t,
      'Int',
      'Estimated duration in seconds.',
      (route) => route.estimated_route_duration_seconds,
    ),
    expiresAt: sent(
      t,
      'DateTime',
      'When the first quote of a relayer in it expires. Request a new route before. Null if it has none.',
      ({ expiresAt }) => expiresAt,
    ),
    warning: sent(
      t,
      RouteWarning,
      'A reason to check the route before signing. Null if none.',
      ({ warning }) => warning,
    ),
    extraInfos: t.value(['String'], "The router's information for the user.", ({ extra_infos }) => extra_infos),
    extraWarnings: t.value(['String'], "The router's warnings for the user.", ({ extra_warnings }) => extra_warnings),
  }),
})

builder.queryField('route', (t) =>
  t.field({
    type: Route,
    nullable: true,
    description:
      "The best route of an asset to another chain. Null if none. Refusals have the router's words in `extensions.upstreamMessage` and `extensions.info`, and `extensions.reason` for a price. Costs one upstream request.",
    args: {
      input: t.arg({
        type: RouteInput,
        required: true,
        description: 'The asset to send and its destination.',
      }),
    },
    complexity: callCost,
    resolve: async (_root, { input }, context) => {
      const call = quoteCall(context, await checkedBody(context, input))
      return orNoRoute(context.scope.fetch(routerOf(context), call))
    },
  }),
)
