import type { Context } from '../../../engine/graphql/builder.ts'
import { isUpstreamFault } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { findKey, findPoint, keysAround, type Point } from './numberedList.ts'
import { timedTransactions } from './timeRange.ts'

/** The requests for the place of a time in the list of a chain. What they show is known to the next search. */
const maxPlaceRequests = 12

/** A place in the list of a chain. */
interface Place {
  readonly key: bigint
  /** Whether it is that of the time, and not the nearest known one. */
  readonly isExact: boolean
}

/**
 * The place of a time in the list of the transactions of a chain, to read from there on, or backward. If a few requests do not find
 * it, the nearest known one on the other side of it, so that nothing is missed. Null if none is known.
 */
export async function findPlace(
  context: Context,
  chain: ServedChain,
  time: bigint,
  { isReverse }: { readonly isReverse: boolean },
): Promise<Place | null> {
  const { all } = timedTransactions
  try {
    const key = await findKey(context, chain, all, time, { left: maxPlaceRequests })
    return key === null ? null : { key, isExact: true }
  } catch (error) {
    if (!isUpstreamFault(error)) throw error
    const { below, above } = keysAround(context, chain, all, time)
    const nearest = isReverse ? above : below
    return nearest ? { key: nearest.key, isExact: false } : null
  }
}

// Lists of accounts have the keys of the list of all transactions, by what is known of indexers. Another one may number them
// otherwise, so what their pages show is kept apart, and only a guess uses it.

/** The ends of pages of accounts, whose keys and times are known. */
const listedPlaces = { name: 'places in lists of accounts', maxEntries: 1_000, ttlMs: 60 * 60_000 }

/** The most that are kept of a chain. The oldest go first. */
const maxPlaces = 200

/** Notes the key and the time of the last record of a page of an account. */
export function noteListedPlace({ scope }: Context, chain: ServedChain, key: bigint, value: bigint): void {
  const region = scope.cache.hints.open<readonly Point[]>(listedPlaces)
  const known = region.get(chain.chainId) ?? []
  if (known.some((point) => point.key === key)) return
  region.set(chain.chainId, [...known, { key, value }].slice(-maxPlaces))
}

/**
 * The likely place of a time in the list of the transactions of a chain, by the nearest known places, a little before the time or,
 * to read backward, a little after it. Costs a request if none after it is known. Null if the places around it are not known.
 */
export async function guessPlace(
  context: Context,
  chain: ServedChain,
  time: bigint,
  isAfter: boolean,
): Promise<bigint | null> {
  const { below, above = await findPoint(context, chain, timedTransactions.all) } = placesAround(context, chain, time)
  if (!below || !above || above.value <= below.value || above.key <= below.key) return null
  const width = above.key - below.key
  const ahead = time < above.value ? time - below.value : above.value - below.value
  const likely = below.key + (width * ahead) / (above.value - below.value)
  // Traffic is not even: the longer the way between the known places, the farther can the time be from its likely one.
  const margin = width / 50n + 20n
  if (isAfter) return likely - margin > below.key ? likely - margin : below.key
  return likely + margin < above.key ? likely + margin : above.key + 1n
}

/** The time of the first transaction of a chain from a place on. Undefined if there is none, or it cannot be read. */
export const timeFrom = async (context: Context, chain: ServedChain, place: bigint): Promise<bigint | undefined> =>
  (await findPoint(context, chain, timedTransactions.all, place))?.value

/** The nearest known places before and from a time on, whichever list has shown them. */
function placesAround(context: Context, chain: ServedChain, time: bigint) {
  let { below, above } = keysAround(context, chain, timedTransactions.all, time)
  for (const point of context.scope.cache.hints.open<readonly Point[]>(listedPlaces).get(chain.chainId) ?? []) {
    if (point.value < time && (!below || point.key > below.key)) below = point
    if (point.value >= time && (!above || point.key < above.key)) above = point
  }
  return { below, above }
}
