import { z } from 'zod'
import type { CacheRegion } from '../../cache/cache.ts'
import { builder, type Context, callCost } from '../../graphql/builder.ts'
import { decode } from '../../upstream/compiledSchema.ts'
import { lenientString } from '../../upstream/lenient.ts'
import { post } from '../../upstream/request.ts'
import { UpstreamHttpError } from '../../upstream/upstreamError.ts'
import { Asset, type AssetShape } from './asset.ts'
import { routerOf } from './routerInput.ts'

// Routers have no prices on their own, but they value the amount of a quote, also of a quote that moves
// nothing: to the same asset. They round the value to cents, so a million units are valued.
const unitsDigits = 6

const quote = z.object({ usd_amount_in: lenientString })

/** Prices by asset, or null for an asset without one. */
const priceRegion: CacheRegion<{ readonly price: string | null }> = {
  name: 'router prices',
  maxEntries: 10_000,
  ttlMs: 60_000,
}

/** The decimal text of a value divided by a power of ten. Null if the text is no decimal number. */
export function shifted(value: string, digits: number): string | null {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(value) ?? []
  if (whole === undefined) return null
  const places = fraction.length + digits
  const text = `${whole}${fraction}`.padStart(places + 1, '0')
  const trimmed = `${text.slice(0, -places)}.${text.slice(-places)}`.replace(/\.?0+$/, '')
  return trimmed.replace(/^0+(?=\d)/, '')
}

async function loadPrice(
  context: Context,
  { body: { chain_id, denom, decimals } }: AssetShape,
): Promise<{ price: string | null }> {
  if (decimals === null || decimals < 0 || decimals > 30) return { price: null }
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
    // All operations share the load, so it must not end with the one that started it.
    const { signal } = new AbortController()
    const call = post('/v2/fungible/route', request, read, { isSlow: true })
    const value = (await routerOf(context).send(call, signal))?.usd_amount_in ?? null
    return { price: value === null ? null : shifted(value, unitsDigits) }
  } catch (error) {
    if (error instanceof UpstreamHttpError && error.code === 'UPSTREAM_REJECTED') {
      return { price: null }
    }
    throw error
  }
}

builder.objectField(Asset, 'usdPrice', (t) =>
  t.field({
    type: 'Decimal',
    nullable: true,
    description:
      'Price of one whole unit in US dollars, with which the router values quotes. At most a minute old. Null if the router has no price. Costs one upstream request.',
    complexity: callCost,
    resolve: async (asset, _args, context) => {
      const { chain_id, denom } = asset.body
      const prices = context.cache.open(priceRegion)
      return (await prices.fetch(`${chain_id}/${denom}`, () => loadPrice(context, asset))).price
    },
  }),
)
