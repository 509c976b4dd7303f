import type { Context } from '../../../graphql/builder.ts'
import { findFirstKey, type Point } from '../../../pagination/firstKey.ts'
import { decodeKey, encodeKey } from '../../../pagination/keys.ts'
import { type ListSource, upstreamList } from '../../../pagination/listPage.ts'
import { fetchPage, type KeysetField } from '../../../pagination/source.ts'
import { GatewayError } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { unreadableError } from '../../../upstream/upstreamError.ts'
import { type Listed, type Page, UnreadableRecord } from '../../../wire/decode.ts'

/** A list of all records of a kind on a chain, whose keys and values ascend together. */
export interface NumberedList<T> {
  readonly source: Partial<ListSource<Listed<T>>> &
    Pick<ListSource<Listed<T>>, 'path' | 'page'> & {
      readonly strategy: { readonly kind: 'keyset'; readonly field: KeysetField }
    }
  readonly valueOf: (record: T) => bigint
}

/** Points of lists that were read. They stay true, but a chain can be reset. */
const knownPoints = { name: 'points of lists', maxEntries: 1_000, ttlMs: 60 * 60_000 }

/** The most points that are kept of a list. The oldest go first. */
const maxPoints = 500

/** Records read where the first one cannot be read. */
const readableWithin = 10

/**
 * The key of the first record whose value is at least `target`, or the key after the newest one. Null if the
 * list is empty or not served. Throws `UPSTREAM_REJECTED` if the indexer does not number the records.
 */
export function findKey<T>(
  context: Context,
  chain: ServedChain,
  list: NumberedList<T>,
  target: bigint,
): Promise<bigint | null> {
  const name = `${chain.indexer.source} ${list.source.path}`
  return context.scope.memo(`first of ${name} from ${target}`, async () => {
    const points = openPoints(context, name)
    const reader = readerOf(context, chain, list)
    let { below, above } = points.around(target)
    if (!above) {
      above = await reader.newest()
      if (!above) return null
      if (above.value < target) return above.key + 1n
      points.add(above)
    }
    const key = await findFirstKey(target, { below, above }, async (from) => {
      const found = await reader.firstFrom(from)
      // No record is between the two keys, so that the value is that of both.
      if (found) points.add(found, { ...found, key: from })
      return found
    })
    return key
  })
}

/** The known points of a list. */
function openPoints({ scope }: Context, name: string) {
  const region = scope.hints.open<readonly Point[]>(knownPoints)
  return {
    around(target: bigint) {
      let below: Point | undefined
      let above: Point | undefined
      for (const point of region.get(name) ?? []) {
        if (point.value < target && (!below || point.key > below.key)) below = point
        if (point.value >= target && (!above || point.key < above.key)) above = point
      }
      return { below, above }
    },
    add(...added: readonly Point[]) {
      region.set(name, [...(region.get(name) ?? []), ...added].slice(-maxPoints))
    },
  }
}

function readerOf<T>(context: Context, { chainId, indexer }: ServedChain, list: NumberedList<T>) {
  const { field } = list.source.strategy
  const pages = upstreamList(context, indexer, { ...list.source, isAppendOnly: true }, 'DESC')
  const read = (key: bigint | undefined, limit: number) =>
    fetchPage(pages, {
      ...(key !== undefined && { key: encodeKey(field, key) }),
      ...{ limit, isReverse: key === undefined },
    })
  /** The first record of a page. `asked` stands for a key that the indexer did not send. */
  const pointOf = async (
    page: Page<Listed<T>> | null,
    again: () => Promise<Page<Listed<T>> | null>,
    asked?: bigint,
  ): Promise<Point | undefined> => {
    const [first] = page?.items ?? []
    if (!page || first === undefined) return undefined
    const key = page.nextKey === null ? asked : decodeKey(field, page.nextKey)
    if (key === undefined) throw notNumbered(chainId)
    if (!(first instanceof UnreadableRecord)) return { key, value: list.valueOf(first) }
    const readable = (await again())?.items.find((item) => !(item instanceof UnreadableRecord))
    if (readable === undefined || readable instanceof UnreadableRecord) {
      throw unreadableError(chainId, first)
    }
    return { key, value: list.valueOf(readable) }
  }
  return {
    newest: async () => pointOf(await read(undefined, 1), () => read(undefined, readableWithin)),
    firstFrom: async (key: bigint) =>
      pointOf(await read(key - 1n, 1), () => read(key - 1n, readableWithin), key),
  }
}

const notNumbered = (chainId: string) =>
  new GatewayError(
    'UPSTREAM_REJECTED',
    `The indexer of ${chainId} does not number the records of this list, so that it cannot be read from a time on.`,
    { service: chainId },
  )
