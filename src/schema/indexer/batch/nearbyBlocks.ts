import type { Context } from '../../../engine/graphql/builder.ts'
import { decodeKey } from '../../../engine/pagination/keys.ts'
import { List } from '../../../engine/pagination/list.ts'
import { type Group, groupRun, readRun, type WholeList } from '../../../engine/pagination/run.ts'
import { isUpstreamFault } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { get } from '../../../engine/upstream/request.ts'
import { type Listed, type Page, readable, UnreadableRecord } from '../../../engine/wire/decode.ts'
import { groupNearby } from './nearby.ts'
import { keepRun, type ListByBlock } from './wholeLists.ts'

// The records of a chain are numbered in the order of its blocks, so the lists of nearby blocks follow
// each other in the list of the chain. Two or three requests return all of them: the first for the number
// of the newest record of the newest block, and the others for the records from there down.

/** A block whose list is requested. */
export interface ListedBlock {
  readonly height: bigint
  /** The number of records in its list, or an estimate of it. */
  readonly size: number
  /** Whether so few of them are requested that the list is not worth reading whole. */
  readonly isTooLong: boolean
  /** Requests saved by reading the list with those of nearby blocks. */
  readonly requestsSaved: number
}

/** A run costs two requests or more, so it must save more. */
const minSaved = 3

/** The largest distance of two blocks that are read together. Those between may be empty. */
const maxDistance = 10n

/** The newest blocks of a run that may have no records, although they were thought to have some. */
const maxEmpty = 3

/** By service and path: lists whose blocks could not be read together. */
const unreadable = { name: 'lists read block by block', maxEntries: 10_000, ttlMs: 60_000 }

/** The whole lists of blocks by their heights. */
type WholeLists<T> = ReadonlyMap<bigint, WholeList<T>>

/**
 * Reads the whole lists of blocks, those of nearby ones together. Lists that have to be read on their own
 * are left out.
 */
export async function readNearbyBlocks<T>(
  context: Context,
  chain: ServedChain,
  list: ListByBlock<T>,
  blocks: readonly ListedBlock[],
): Promise<WholeLists<T>> {
  const failures = context.scope.cache.hints.open<true>(unreadable)
  const name = `${chain.indexer.source} ${list.chainPath}`
  const runs = failures.get(name) ? [] : groupRuns(blocks)
  const read = await Promise.all(
    runs.map(async (run) => {
      try {
        const lists = await readRunOfBlocks(context, chain, list, run)
        if (lists?.length === 0) failures.set(name, true)
        return lists ?? []
      } catch (error) {
        if (isUpstreamFault(error)) failures.set(name, true)
        return []
      }
    }),
  )
  const lists = read.flat()
  keepRun(context, chain, list, lists)
  return new Map(lists)
}

/** The nearby blocks that are worth reading together, each run with the newest block first. */
function groupRuns(blocks: readonly ListedBlock[]): ListedBlock[][] {
  const newestFirst = blocks.toSorted((a, b) => (a.height > b.height ? -1 : 1))
  const isNear = (newer: ListedBlock, older: ListedBlock) =>
    !newer.isTooLong && !older.isTooLong && newer.height - older.height <= maxDistance
  const runs = groupNearby(newestFirst, isNear)
  return runs.filter((run) => sumBy(run, ({ requestsSaved }) => requestsSaved) >= minSaved)
}

const sumBy = <T>(items: readonly T[], numberOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + numberOf(item), 0)

/** The lists that a run shows whole. Undefined if its newest blocks have no records at all. */
async function readRunOfBlocks<T>(
  context: Context,
  { indexer }: ServedChain,
  list: ListByBlock<T>,
  blocks: readonly ListedBlock[],
): Promise<[bigint, WholeList<T>][] | undefined> {
  const { chainPath: path, page, heightOf } = list
  const top = await loadTop(context, indexer, list, blocks)
  if (!top) return undefined
  const { key, from } = top
  if (key === undefined) return []

  const strategy = { kind: 'keyset', field: 'sequence' } as const
  const source = { path, page, strategy, isAppendOnly: true, total: 'none' } as const
  const oldest = blocks.at(-1)?.height ?? 0n
  const bound = key + 1n
  const nameOf = (record: Listed<T>) => (record instanceof UnreadableRecord ? undefined : heightOf(record))
  const run = await readRun(new List(context.scope, indexer, source, 'DESC'), 'sequence', {
    bound,
    // The record after the last block shows that the block is whole.
    count: sumBy(from, ({ size }) => size) + 1,
    isEnd: (record) => (nameOf(record) ?? oldest) < oldest,
  })
  return splitLists(context, list, from, groupRun(context.scope.memory.releaseAtEnd(run), bound, nameOf))
}

/** The lists of blocks that are whole. The first group has to be that of the first block. */
function splitLists<T>(
  { scope }: Context,
  { hasExactCounts }: ListByBlock<T>,
  blocks: readonly ListedBlock[],
  groups: readonly Group<Listed<T>>[],
): [bigint, WholeList<T>][] {
  if (groups[0]?.name !== blocks[0]?.height) return []
  return blocks.flatMap(({ height, size }): [bigint, WholeList<T>][] => {
    const group = groups.find(({ name }) => name === height)
    const isWhole = group && (!hasExactCounts || group.items.length === size)
    if (!isWhole) return []
    const { firstKey } = group
    return [[height, scope.memory.releaseAtEnd({ items: readable(group.items), firstKey })]]
  })
}

/**
 * The blocks without the empty ones at the top, and the number of their newest record. Undefined if none of the
 * first blocks has records.
 */
async function loadTop<T>(
  { scope }: Context,
  indexer: ServedChain['indexer'],
  { blockPath, page }: ListByBlock<T>,
  blocks: readonly ListedBlock[],
) {
  for (const [i, { height }] of blocks.slice(0, maxEmpty).entries()) {
    const query = {
      'pagination.limit': 1,
      'pagination.reverse': true,
      'pagination.count_total': false,
    }
    // No record is added to a block after the first one is listed.
    const isFinal = ({ items }: Page<Listed<T>>) => items.length === 1
    const first = await scope.fetch(indexer, get(blockPath(height), page, { query, isFinal }))
    if (first === null) return undefined
    if (first.items.length === 0) continue
    const key = first.nextKey === null ? undefined : decodeKey('sequence', first.nextKey)
    return { key, from: blocks.slice(i) }
  }
  return undefined
}
