import type { Boundary } from './cursor.ts'
import type { Item } from './page.ts'

// One page from several lists, such as the transactions of an account on all chains. Each list is already in the order
// of the page, so this is the merge of a merge sort: take the first of the lists' next records, again and again, and
// read a list on when its batch is used up. The cursor of a record has the place in every list at that record, so the
// next page continues in all of them.
//
// A list that cannot be read could have a record anywhere, so what comes after it is uncertain. The page then either
// stops there (`isHeldBack`), or marks its records as provisional.

type End = 'start' | 'end'

/** Records of a list from a place, in the direction of the read. */
export interface Batch<T> {
  readonly items: readonly Item<T>[]
  /** Whether the list has, or may have, more records in that direction. */
  readonly hasMore: boolean
}

export interface MergedList<T> {
  readonly name: string
  /** Reads on from a place. Resolves to why it cannot be read. */
  readonly read: (boundary: Boundary) => Promise<Batch<T> | { readonly error: unknown }>
}

/** Which page of the merged list to read. */
export interface MergeRequest<T> {
  readonly lists: readonly MergedList<T>[]
  /** The place in each list, by its name. A list without one is read from an end. */
  readonly from: ReadonlyMap<string, Boundary>
  readonly count: number
  readonly isForward: boolean
  /** The ends of the lists that no records are added at, or are taken for such. A list that ended there is not read again. */
  readonly fixedEnds: readonly End[]
  /**
   * Compares two records in the order of the merged list. Undefined if one of them cannot be compared: it
   * then comes where its own list has it. Records that are equal have the order of their lists.
   */
  readonly compare: (a: T, b: T) => number | undefined
  /** Whether the lists follow one another in that order: then a list is read once those before it have ended. */
  readonly isChained?: boolean
  /** Keeps only these records. */
  readonly filter?: ((item: T) => boolean) | undefined
  /** The most reads of a list for one page. */
  readonly maxReads: number
  /** Whether the lists may be read again for this page. Left out, they may. */
  readonly canReadOn?: () => boolean
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
  readonly places: () => ReadonlyMap<string, Boundary>
}

/** A page of several lists, merged into one order. */
export interface MergedPage<T> {
  /** In the direction of the read. */
  readonly items: readonly MergedItem<T>[]
  readonly hasMore: boolean
  /** The place in each list where the page ends. */
  readonly end: ReadonlyMap<string, Boundary>
  /** Whether records after the last item were examined. */
  readonly isPastItems: boolean
  /** Why lists could not be read, by their names. */
  readonly errors: ReadonlyMap<string, unknown>
}

/** A record that was taken, and the place in its list after it. */
interface Step<T> {
  readonly state: State<T>
  readonly item: Item<T>
  readonly boundary: Boundary
}

interface State<T> {
  readonly list: MergedList<T>
  readonly index: number
  boundary: Boundary
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
  const { lists, from, count, isForward, maxReads, canReadOn, isHeldBack, filter, isChained = false } = request
  const [farEnd, nearEnd]: readonly [End, End] = isForward ? ['start', 'end'] : ['end', 'start']
  const isFixed = request.fixedEnds.includes(nearEnd)
  const errors = new Map<string, unknown>()
  const states = lists.map((list, index): State<T> => {
    const boundary = beyond(from.get(list.name) ?? { kind: farEnd }, isForward)
    return { list, index, boundary, queue: [], taken: 0, hasMore: boundary.kind !== nearEnd }
  })
  const refill = async (state: State<T>) => {
    const batch = await state.list.read(state.boundary)
    if ('error' in batch) {
      errors.set(state.list.name, batch.error)
      return
    }
    state.queue = batch.items
    state.taken = 0
    state.hasMore = batch.hasMore
    if (isFixed && isOver(state)) state.boundary = { kind: nearEnd }
    else if (state.boundary.kind === farEnd) state.boundary = steady(request, farEnd, batch)
  }
  /** The lists to read before the next record is known. */
  const missing = () => {
    const inOrder = isForward ? states : states.toReversed()
    const unread = inOrder.filter((state) => isDry(state) && !errors.has(state.list.name))
    if (!isChained) return unread
    const first = inOrder.findIndex((state) => !isEmpty(state))
    return first < 0 ? unread : unread.filter((state) => inOrder.indexOf(state) < first)
  }

  /** Whether a list that cannot be read can have a record before those of this one. */
  const isUncertain = ({ index }: State<T>) =>
    states.some(
      (other) => errors.has(other.list.name) && !(isChained && (isForward ? other.index > index : other.index < index)),
    )

  const unread = missing()
  // The first page reads all lists. Later ones know which of them have records.
  await Promise.all((isChained && from.size > 0 ? unread.slice(0, 1) : unread).map(refill))
  const start = new Map(states.map(({ list, boundary }) => [list.name, boundary]))
  const trail: Step<T>[] = []
  const items: MergedItem<T>[] = []
  for (let reads = 1; items.length < count; ) {
    if (isHeldBack && errors.size > 0) break
    const dry = missing()
    if (dry.length > 0) {
      if (reads === maxReads || canReadOn?.() === false) break
      reads += 1
      await Promise.all(dry.map(refill))
      continue
    }
    const state = next(states, request)
    const item = state?.queue[state.taken]
    if (!state || !item) break
    state.taken += 1
    state.boundary =
      isFixed && isOver(state) ? { kind: nearEnd } : { kind: isForward ? 'after' : 'before', ...placeOf(item) }
    trail.push({ state, item, boundary: state.boundary })
    if (filter && !filter(item.item)) continue
    const length = trail.length
    items.push({
      list: state.list.name,
      item: item.item,
      isProvisional: isUncertain(state),
      places: () => placesAt(start, trail.slice(0, length)),
    })
  }
  const last = trail.at(-1)
  return {
    items,
    hasMore: errors.size > 0 || states.some((state) => !isOver(state)),
    end: new Map(states.map(({ list, boundary }) => [list.name, boundary])),
    isPastItems: last !== undefined && last.item.item !== items.at(-1)?.item,
    errors,
  }
}

/**
 * The place where the read of a list continues: beyond the record of a cursor. A read back from a cursor of
 * this page meets that record as any other.
 */
const beyond = (boundary: Boundary, isForward: boolean): Boundary =>
  boundary.kind === 'at' ? { ...boundary, kind: isForward ? 'after' : 'before' } : boundary

const placeOf = <T>({ position, part }: Item<T>) => (part === undefined ? { position } : { position, part })

const isEmpty = <T>({ queue, taken }: State<T>): boolean => taken === queue.length

/** Whether only a read can show the next record. */
const isDry = <T>(state: State<T>): boolean => isEmpty(state) && state.hasMore

const isOver = <T>(state: State<T>): boolean => isEmpty(state) && !state.hasMore

/** The place at an end of a list, by its first record where records are added at that end. */
function steady<T>(
  { fixedEnds, isForward }: MergeRequest<T>,
  end: End,
  { items: [first], hasMore }: Batch<T>,
): Boundary {
  if (fixedEnds.includes(end) || (!first && hasMore)) return { kind: end }
  if (!first) return { kind: end === 'start' ? 'end' : 'start' }
  // A key that only the upstream can read leads to what comes after it.
  if (first.position.kind === 'opaque') return { kind: end }
  return { kind: isForward ? 'before' : 'after', ...placeOf(first) }
}

/** The list whose next record comes first in the direction of the read. */
function next<T>(states: readonly State<T>[], { compare, isForward }: MergeRequest<T>): State<T> | undefined {
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
function placesAt<T>(start: ReadonlyMap<string, Boundary>, trail: readonly Step<T>[]): ReadonlyMap<string, Boundary> {
  const places = new Map(start)
  for (const { state, boundary } of trail) places.set(state.list.name, boundary)
  const last = trail.at(-1)
  if (last) places.set(last.state.list.name, { kind: 'at', ...placeOf(last.item) })
  return places
}
