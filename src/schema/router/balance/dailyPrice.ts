import { z } from 'zod'
import type { Context } from '../../../engine/graphql/builder.ts'
import type { Upstream } from '../../../engine/upstream/client.ts'
import { createLoader } from '../../../engine/upstream/loader.ts'
import { get, type UpstreamRequest } from '../../../engine/upstream/request.ts'
import { readValue } from '../../../engine/upstream/upstreamError.ts'
import { lenient, lenientNumber, lenientPrice } from '../../../engine/wire/lenient.ts'
import { ifReadable, type Optional } from '../../../engine/wire/optional.ts'
import type { CacheRegion } from '../../../kit/cache/region.ts'

/** The words of settings and errors for the service. */
const service = 'prices'

const [hourSeconds, daySeconds] = [3_600, 86_400]

/** How far the record of a price may be from the moment that it is asked for. The service looks in hours. */
const searchHours = 6

/** The service says how sure it is of a price, from 0 to 1. Prices of thin markets are below this. */
const leastConfidence = 0.5

/** Ids in one request, so that its URL stays below 4 KiB. */
const maxIds = 30

/** The form of the ids of CoinGecko. Anything else in its place is no id, and is not sent. */
const idForm = /^[\w.-]{1,100}$/

const record = z.object({ price: lenientPrice, timestamp: lenientNumber, confidence: lenientNumber })

const prices = z.object({ coins: z.record(z.string(), lenient(record)) })

type PricesBody = z.output<typeof prices>

/** Prices by day and id, or null for a day without one. A price of a day that is over stays. */
const region: CacheRegion<{ readonly price: string | null }> = { name: 'daily prices', maxEntries: 50_000 }

/** Milliseconds that an absent price is kept for, and everything of a day that is not over. */
const [absentTtlMs, todayTtlMs] = [24 * 60 * 60_000, 5 * 60_000]

/** The price of a day: its number since 1970, and the CoinGecko id. */
interface Wanted {
  readonly day: number
  readonly id: string
}

const keyOf = ({ day, id }: Wanted): string => `${day} ${id}`

/** The price in a record. Null if it is of another time, or not to be relied on. */
function readPrice(sent: Optional<z.output<typeof record>>, seconds: number): string | null {
  const found = readValue(service, sent)
  if (!found) return null
  const price = readValue(service, found.price)
  const time = readValue(service, found.timestamp)
  const isNear = time !== null && Math.abs(time - seconds) <= searchHours * hourSeconds
  const isSure = (ifReadable(found.confidence) ?? 1) >= leastConfidence
  return isNear && isSure && price !== null && Number(price) > 0 ? price : null
}

/** Asks for the prices of a day, by its number since 1970, of some CoinGecko ids. */
export function dayRequest(day: number, ids: readonly string[]): UpstreamRequest<PricesBody> {
  const target = `/prices/historical/${day * daySeconds}/${ids.map(coinOf).join(',')}`
  return get({ target, route: '/prices/historical/*/*' }, prices, {
    query: { searchWidth: `${searchHours}h` },
    is404Error: true,
  })
}

const coinOf = (id: string): string => `coingecko:${id}`

/** The price of a day in a response. Null if there is none that can be relied on. */
export const priceIn = (body: PricesBody | null, day: number, id: string): string | null =>
  readPrice(body?.coins[coinOf(id)], day * daySeconds)

/** What a request says of a price: a value, or the error in its place. */
type Outcome = { readonly price: string | null } | { readonly error: unknown }

/** Prices of one day. A record that cannot be read is an error in the place of only that price. */
async function loadDay(
  context: Context,
  upstream: Upstream,
  day: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Outcome>> {
  const body = await context.scope.fetch(upstream, dayRequest(day, ids))
  const read = (id: string): Outcome => {
    try {
      return { price: priceIn(body, day, id) }
    } catch (error) {
      return { error }
    }
  }
  return new Map(ids.map((id) => [id, read(id)]))
}

/** The prices by their keys, from the cache and from a request for each day that it lacks some of. */
async function loadMany(context: Context, upstream: Upstream, wanted: readonly Wanted[]) {
  const cached = context.scope.cache.values(region)
  const outcomes = new Map<string, Outcome>()
  const missing = new Map<number, string[]>()
  for (const one of wanted) {
    const known = cached.get(keyOf(one))
    if (known) outcomes.set(keyOf(one), known)
    else missing.set(one.day, [...(missing.get(one.day) ?? []), one.id])
  }
  const load = async (day: number, ids: readonly string[]) => {
    try {
      const prices = await loadDay(context, upstream, day, ids)
      const isOver = context.scope.date() >= (day + 1) * daySeconds * 1000
      for (const [id, found] of prices) {
        outcomes.set(keyOf({ day, id }), found)
        if ('error' in found) continue
        const ttlOfOver = found.price === null ? absentTtlMs : undefined
        cached.set(keyOf({ day, id }), found, isOver ? ttlOfOver : todayTtlMs)
      }
    } catch (error) {
      for (const id of ids) outcomes.set(keyOf({ day, id }), { error })
    }
  }
  await Promise.all(
    [...missing].flatMap(([day, ids]) =>
      Array.from({ length: Math.ceil(ids.length / maxIds) }, (_, part) =>
        load(day, ids.slice(part * maxIds, (part + 1) * maxIds)),
      ),
    ),
  )
  return outcomes
}

/**
 * The price of one whole unit in US dollars at the beginning of the UTC day of a time. Null if the service has none that
 * can be relied on. Prices of one day that an operation asks for at the same time are one request.
 */
export async function findDailyPrice(context: Context, id: string, time: string): Promise<string | null> {
  const { prices: upstream } = context.network
  const day = Math.floor(Date.parse(time) / 1000 / daySeconds)
  if (!upstream || !idForm.test(id) || !(day > 0)) return null
  const load = context.scope.memory.get('daily prices', () =>
    createLoader<Wanted, Outcome>({
      keyOf,
      many: (wanted) => loadMany(context, upstream, wanted),
      // All of them are in the result above.
      one: async () => null,
    }),
  )
  const outcome = await load({ day, id })
  if (outcome && 'error' in outcome) throw outcome.error
  return outcome?.price ?? null
}
