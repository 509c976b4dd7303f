import type { Gap } from './gap.ts'
import type { Item } from './source.ts'

/** Records of a list from a place, in the direction of the read. */
export interface Batch<T> {
  readonly items: readonly Item<T>[]
  /** Whether the list has, or may have, more records in that direction. */
  readonly hasMore: boolean
}

/** One of the lists that are merged. */
export interface MergedList<T> {
  readonly name: string
  /** Reads on from a place. Resolves to why it cannot be read. */
  readonly read: (gap: Gap) => Promise<Batch<T> | { readonly error: unknown }>
}

/** Which page of the merged list to read. */
export interface MergeRequest<T> {
  readonly lists: readonly MergedList<T>[]
  /** The place in each list, by its name. A list without one is read from an end. */
  readonly from: ReadonlyMap<string, Gap>
  readonly count: number
  readonly isForward: boolean
  /** The end of the lists that no records are added at. */
  readonly fixedEnd: 'start' | 'end'
  /**
   * Compares two records in the order of the merged list. Undefined if one of them cannot be compared: it
   * then comes where its own list has it. Records that are equal have the order of their lists.
   */
  readonly compare: (a: T, b: T) => number | undefined
  /** Keeps only these records. */
  readonly filter?: ((item: T) => boolean) | undefined
  /** How often a list is read for one page. */
  readonly maxReads: number
  /** Whether records that could come after those of a list that cannot be read are left for a later page. */
  readonly isHeldBack: boolean
}

/** A record of a merged page. */
export interface MergedItem<T> {
  readonly list: string
  readonly item: T
  /** Whether a record of a list that cannot be read could come before it, in the direction of the read. */
  readonly isProvisional: boolean
  /** The place in each list at this record. */
  readonly places: () => ReadonlyMap<string, Gap>
}

/** A page of several lists, merged into one order. */
export interface MergedPage<T> {
  /** In the direction of the read. */
  readonly items: readonly MergedItem<T>[]
  readonly hasMore: boolean
  /** The place in each list where the page ends. */
  readonly end: ReadonlyMap<string, Gap>
  /** Whether records after the last item were examined. */
  readonly isPastItems: boolean
  /** Why lists could not be read, by their names. */
  readonly errors: ReadonlyMap<string, unknown>
}

interface State<T> {
  readonly list: MergedList<T>
  readonly index: number
  gap: Gap
  queue: readonly Item<T>[]
  taken: number
  hasMore: boolean
}

/**
 * Reads a page of several lists, merged into one order. Each list has to be in that order already. A page
 * can be shorter than requested and still have more: where `filter` leaves out many records, and where a list
 * cannot be read.
 */
export async function mergePage<T>(request: MergeRequest<T>): Promise<MergedPage<T>> {
  const { lists, from, count, isForward, maxReads, isHeldBack, filter } = request
  const farEnd = isForward ? 'start' : 'end'
  const errors = new Map<string, unknown>()
  const states = lists.map((list, index): State<T> => {
    const gap = from.get(list.name) ?? { kind: farEnd }
    return { list, index, gap, queue: [], taken: 0, hasMore: true }
  })
  const refill = async (state: State<T>) => {
    const batch = await state.list.read(state.gap)
    if ('error' in batch) {
      errors.set(state.list.name, batch.error)
      return
    }
    state.queue = batch.items
    state.taken = 0
    state.hasMore = batch.hasMore
    if (state.gap.kind === farEnd) state.gap = steady(request, farEnd, batch)
  }

  await Promise.all(states.map(refill))
  const start = new Map(states.map(({ list, gap }) => [list.name, gap]))
  const trail: { readonly state: State<T>; readonly item: Item<T> }[] = []
  const items: MergedItem<T>[] = []
  for (let reads = 1; items.length < count; ) {
    if (isHeldBack && errors.size > 0) break
    const dry = states.filter(
      (state) => isEmpty(state) && state.hasMore && !errors.has(state.list.name),
    )
    if (dry.length > 0) {
      if (reads === maxReads) break
      reads += 1
      await Promise.all(dry.map(refill))
      continue
    }
    const state = next(states, request)
    const item = state?.queue[state.taken]
    if (!state || !item) break
    state.taken += 1
    state.gap = { kind: isForward ? 'after' : 'before', position: item.position }
    trail.push({ state, item })
    if (filter && !filter(item.item)) continue
    const length = trail.length
    items.push({
      list: state.list.name,
      item: item.item,
      isProvisional: errors.size > 0,
      places: () => placesAt(start, trail.slice(0, length), isForward),
    })
  }
  const last = trail.at(-1)
  return {
    items,
    hasMore: errors.size > 0 || states.some((state) => state.hasMore || !isEmpty(state)),
    end: new Map(states.map(({ list, gap }) => [list.name, gap])),
    isPastItems: last !== undefined && last.item.item !== items.at(-1)?.item,
    errors,
  }
}

const isEmpty = <T>({ queue, taken }: State<T>): boolean => taken === queue.length

/** The place at an end of a list, by its first record where records are added at that end. */
function steady<T>(
  { fixedEnd, isForward }: MergeRequest<T>,
  end: 'start' | 'end',
  { items: [first], hasMore }: Batch<T>,
): Gap {
  if (end === fixedEnd || (!first && hasMore)) return { kind: end }
  if (!first) return { kind: fixedEnd }
  return { kind: isForward ? 'before' : 'after', position: first.position }
}

/** The list whose next record comes first in the direction of the read. */
function next<T>(
  states: readonly State<T>[],
  { compare, isForward }: MergeRequest<T>,
): State<T> | undefined {
  let best: State<T> | undefined
  for (const state of states) {
    const item = state.queue[state.taken]
    if (!item) continue
    const bestItem = best?.queue[best.taken]
    if (!best || !bestItem) {
      best = state
      continue
    }
    const order = compare(item.item, bestItem.item)
    // The lists come in their order, so the later of two equal records is first only in a backward read.
    if (order === undefined ? compare(item.item, item.item) === undefined : isFirst(order)) {
      best = state
    }
  }
  return best

  function isFirst(order: number) {
    return isForward ? order < 0 : order >= 0
  }
}

/** The place in each list at the last record of a trail that started at `start`. */
function placesAt<T>(
  start: ReadonlyMap<string, Gap>,
  trail: readonly { readonly state: State<T>; readonly item: Item<T> }[],
  isForward: boolean,
): ReadonlyMap<string, Gap> {
  const places = new Map(start)
  for (const { state, item } of trail) {
    places.set(state.list.name, { kind: isForward ? 'after' : 'before', position: item.position })
  }
  const last = trail.at(-1)
  if (last) places.set(last.state.list.name, { kind: 'at', position: last.item.position })
  return places
}
