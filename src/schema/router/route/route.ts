import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { post } from '../../../upstream/request.ts'
import { UpstreamHttpError } from '../../../upstream/upstreamError.ts'
import { Chain } from '../../indexer/chain.ts'
import { Asset, assetOf } from '../asset.ts'
import { chainField, routerChainField } from '../chainFields.ts'
import { RouterChain, routerChainOf } from '../routerChain.ts'
import { routerOf, servedChain } from '../routerInput.ts'
import { RouteFee } from './fee.ts'
import { RouteOperation } from './operation.ts'
import { type QuoteWarning, type RouteShape, readRoute } from './readRoute.ts'
import { RouteInput, routeBody } from './routeInput.ts'
import { SwapVenue } from './swapOperations.ts'

async function loadRoute(context: Context, body: string): Promise<RouteShape | null> {
  const read = (answer: unknown, raw: string) => readRoute(body, answer, raw)
  const call = post('/v2/fungible/route', body, read, { is404Error: true })
  try {
    return await context.scope.fetch(routerOf(context), call)
  } catch (error) {
    if (error instanceof UpstreamHttpError && isNoRoute(error)) return null
    throw error
  }
}

/**
 * Routers say in several ways that there is no route, all of which are answers. A price that is refused
 * has a reason; a 404 of a web server, in its own words, tells that there is no router at that address.
 */
const isNoRoute = ({ status, bodyExcerpt, reason }: UpstreamHttpError): boolean =>
  reason === undefined &&
  (status === 501 ||
    (status === 404 && !/^\s*<|cannot post/i.test(bodyExcerpt)) ||
    /no routes? found/i.test(bodyExcerpt))

const RouteWarningKind = builder.enumType('RouteWarningKind', {
  description: 'Why to look twice at a route.',
  values: {
    LOW_INFO: { description: 'What goes in or comes out has no known price.' },
    BAD_PRICE: { description: 'Much less comes out than goes in, by value.' },
    UNKNOWN: { description: 'A reason newer than this gateway; `rawType` has its name.' },
  },
})

const warningKind = ({ type }: QuoteWarning) => {
  if (type === 'LOW_INFO_WARNING') return 'LOW_INFO'
  return type === 'BAD_PRICE_WARNING' ? 'BAD_PRICE' : 'UNKNOWN'
}

export const RouteWarning = builder.objectRef<QuoteWarning>('RouteWarning').implement({
  description: 'Why to look twice at a route before signing.',
  fields: (t) => ({
    type: t.field({ type: RouteWarningKind, description: 'The reason.', resolve: warningKind }),
    rawType: t.exposeString('type', {
      nullable: true,
      description: 'The reason, in the word of the router.',
    }),
    message: t.exposeString('message', { nullable: true, description: 'A sentence about it.' }),
  }),
})

const RequiredAddress = builder.objectRef<{ chainId: string }>('RequiredAddress').implement({
  description: 'A chain on which a route needs an address of the sender, or of the recipient.',
  fields: (t) => ({
    chainId: t.exposeString('chainId', { description: 'The chain.' }),
    chain: chainField(t, 'That chain', ({ chainId }) => chainId),
    routerChain: routerChainField(
      t,
      "The router's record of it, which tells the form of its addresses.",
      ({ chainId }) => chainId,
    ),
  }),
})

export const Route = builder.objectRef<RouteShape>('Route').implement({
  description: 'A way for an asset from one chain to another, as the router quotes it now.',
  fields: (t) => ({
    token: t.exposeString('token', {
      description:
        'Opaque; what `transferMessages` and `opHook` take as `route`. Holds what the router must be told again.',
    }),
    amountIn: t.expose('amount_in', {
      type: 'BigInt',
      description: 'What goes in, in base units of `assetIn`.',
    }),
    amountOut: t.expose('amount_out', {
      type: 'BigInt',
      description: 'What comes out, in base units of `assetOut`.',
    }),
    estimatedAmountOut: t.expose('estimated_amount_out', {
      type: 'BigInt',
      nullable: true,
      description: 'What comes out before fees and slippage, where the router tells.',
    }),
    usdAmountIn: t.exposeString('usd_amount_in', {
      nullable: true,
      description: 'What goes in, in US dollars; null where it has no price.',
    }),
    usdAmountOut: t.exposeString('usd_amount_out', {
      nullable: true,
      description: 'What comes out, in US dollars; null where it has no price.',
    }),
    assetIn: t.field({
      type: Asset,
      nullable: true,
      description: "The router's record of what goes in.",
      resolve: (one, _args, context) =>
        assetOf(context, one.source_asset_chain_id, one.source_asset_denom),
    }),
    assetOut: t.field({
      type: Asset,
      nullable: true,
      description: "The router's record of what comes out.",
      resolve: (one, _args, context) =>
        assetOf(context, one.dest_asset_chain_id, one.dest_asset_denom),
    }),
    operations: t.field({
      type: [RouteOperation],
      description: 'Its steps, in order.',
      resolve: ({ operations }) => [...operations],
    }),
    transactionCount: t.int({
      description: 'How many transactions there are to sign.',
      resolve: ({ txs_required, operations }) =>
        txs_required ?? operations.filter((one) => one.requiresSignature).length,
    }),
    requiredAddresses: t.field({
      type: [RequiredAddress],
      description:
        'What `transferMessages` needs addresses for: one each, in this order. A chain may come twice; the last is the recipient.',
      resolve: (one) => one.required_chain_addresses.map((chainId) => ({ chainId })),
    }),
    requiresOpHook: t.exposeBoolean('required_op_hook', {
      description:
        'Whether a rollup transaction must be signed in advance: see `opHook`, then give it as `signedOpHook`.',
    }),
    chainIds: t.exposeStringList('chain_ids', {
      description: 'All chains it touches, in order.',
    }),
    chains: t.field({
      type: [Chain],
      description: 'Those of them this gateway serves, in order.',
      resolve: ({ chain_ids }, _args, context) =>
        chain_ids.flatMap((chainId) => servedChain(context, chainId) ?? []),
    }),
    routerChains: t.field({
      type: [RouterChain],
      nullable: true,
      description: "The router's records of all chains it touches, in order.",
      resolve: async ({ chain_ids }, _args, context) => {
        const found = await Promise.all(chain_ids.map((chainId) => routerChainOf(context, chainId)))
        return found.filter((one) => one !== null)
      },
    }),
    doesSwap: t.exposeBoolean('does_swap', { description: 'Whether it swaps on its way.' }),
    swapVenues: t.field({
      type: [SwapVenue],
      description: 'Where it swaps.',
      resolve: ({ swap_venues, swap_venue }) =>
        swap_venues.length > 0 || !swap_venue ? swap_venues : [swap_venue],
    }),
    swapPriceImpactPercent: t.exposeString('swap_price_impact_percent', {
      nullable: true,
      description: 'By how much it moves prices, in percent; null where it does not, or untold.',
    }),
    fees: t.field({
      type: [RouteFee],
      description:
        'The fees the router lists beside the route. Those of most bridges are in `operations` only.',
      resolve: ({ estimated_fees }) => estimated_fees,
    }),
    estimatedDuration: t.int({
      nullable: true,
      description: 'How many seconds it should take in all.',
      resolve: (one) => one.estimated_route_duration_seconds,
    }),
    warning: t.expose('warning', {
      type: RouteWarning,
      nullable: true,
      description: 'Why to look twice before signing.',
    }),
    extraInfos: t.exposeStringList('extra_infos', {
      description: 'What else to tell the user, as the router words it.',
    }),
    extraWarnings: t.exposeStringList('extra_warnings', {
      description: 'What else to warn the user of, as the router words it.',
    }),
  }),
})

builder.queryField('route', (t) =>
  t.field({
    type: Route,
    nullable: true,
    description:
      'The best way for an asset from one chain to another, quoted now; null when there is none. A refusal for its price is an error that has the reason in `extensions.reason`.',
    args: {
      input: t.arg({ type: RouteInput, required: true, description: 'What is to go where.' }),
    },
    complexity: callCost,
    resolve: (_root, { input }, context) => loadRoute(context, routeBody(input)),
  }),
)
