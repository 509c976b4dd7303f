import { z } from 'zod'
import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import type { SharedFetch } from '../../../engine/upstream/cachedReads.ts'
import { post } from '../../../engine/upstream/request.ts'
import { UpstreamHttpError } from '../../../engine/upstream/upstreamError.ts'
import { decode } from '../../../engine/wire/compiledSchema.ts'
import { lenientPrice } from '../../../engine/wire/lenient.ts'
import type { Awaitable } from '../../../kit/awaitable.ts'
import type { CacheRegion } from '../../../kit/cache/region.ts'
import { decimalProduct } from '../../amount/decimal.ts'
import { routerOf } from '../routerClient.ts'
import { readRouterValue } from '../routerFields.ts'
import { Asset, type AssetShape } from './asset.ts'

// Routers have no prices on their own, but they value the amount of a quote, also of a quote that moves
// nothing: to the same asset. They round the value to cents, so a million units are valued.
const unitsDigits = 6
const oneUnit = '0.000001'

const quote = z.object({ usd_amount_in: lenientPrice })

/** Prices by asset, or null for an asset without one. */
const priceRegion: CacheRegion<{ readonly price: string | null }> = {
  name: 'router prices',
  maxEntries: 10_000,
  ttlMs: 60_000,
}

async function loadPrice(
  context: Context,
  { body: { chain_id, denom, ...body } }: AssetShape,
  fetch: SharedFetch,
): Promise<{ price: string | null }> {
  const decimals = readRouterValue(body.decimals)
  if (decimals === null || decimals > 30) return { price: null }
  const request = JSON.stringify({
    amount_in: String(10n ** BigInt(decimals + unitsDigits)),
    source_asset_chain_id: chain_id,
    source_asset_denom: denom,
    dest_asset_chain_id: chain_id,
    dest_asset_denom: denom,
    allow_unsafe: true,
  })
  const read = (json: unknown) => decode(quote, json)
  try {
    const call = post('/v2/fungible/route', request, read, { isSlow: true })
    const value = readRouterValue((await fetch(routerOf(context), call))?.usd_amount_in)
    return { price: value === null ? null : decimalProduct(value, oneUnit) }
  } catch (error) {
    if (error instanceof UpstreamHttpError && error.code === 'UPSTREAM_REJECTED') {
      return { price: null }
    }
    throw error
  }
}

/**
 * The price of one whole unit of an asset in US dollars, at most a minute old. Null if the router has none.
 * Operations that ask for it at the same time share one request.
 */
export function findPrice(context: Context, asset: AssetShape): Awaitable<string | null> {
  const { chain_id, denom } = asset.body
  const key = `${chain_id}/${denom}`
  const load = (fetch: SharedFetch) => loadPrice(context, asset, fetch)
  return context.scope.memory.load(`price of ${key}`, async () => {
    return (await context.scope.cache.read(priceRegion, key, load)).price
  })
}

builder.objectField(Asset, 'usdPrice', (t) =>
  t.field({
    type: 'Decimal',
    nullable: true,
    description:
      'US dollars for one whole unit, at most a minute old. Null without a price. Costs one upstream request.',
    complexity: callCost,
    resolve: (asset, _args, context) => findPrice(context, asset),
  }),
)
