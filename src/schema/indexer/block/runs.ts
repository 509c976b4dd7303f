import type { z } from 'zod'
import type { Context } from '../../../graphql/builder.ts'
import { decodeKey } from '../../../pagination/keys.ts'
import { upstreamList } from '../../../pagination/listPage.ts'
import { groupRun, readRun, type WholeList } from '../../../pagination/run.ts'
import { fetchPage } from '../../../pagination/source.ts'
import type { Page } from '../../../upstream/decode.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import type { Path } from '../../../upstream/request.ts'
import { createLoader } from '../../../upstream/requestScope.ts'

// The records of a chain are numbered in the order of its blocks, so the lists of nearby blocks follow
// each other in the list of the chain. Two or three requests return all of them: the first for the number
// of the newest record of the newest block, and the others for the records from there down.

/** A list of a chain in the order of its blocks, and the part of it that is the list of a block. */
export interface ListByBlock<T> {
  readonly chainPath: string
  readonly blockPath: (height: bigint) => Path
  readonly page: z.ZodType<Page<T>>
  readonly heightOf: (record: T) => bigint
}

/** A block whose list is requested. */
export interface ListedBlock {
  readonly height: bigint
  /** The number of records in its list. */
  readonly size: bigint
  /** Whether so few of them are requested that the list is not worth reading whole. */
  readonly isLong: boolean
}

/** The fewest blocks that are read together. Fewer cost as many requests on their own. */
const minBlocks = 3

/** The largest distance of two blocks that are read together. Those between may be empty. */
const maxDistance = 10n

/** By service and path: lists of chains of which no block could be read together with others. */
const unreadable = { name: 'lists read block by block', maxEntries: 10_000, ttlMs: 60_000 }

/**
 * Reads the whole list of a block together with those of nearby blocks that are requested in the same
 * tick. Null if it has to be read on its own: it is long or too far from others, or the list of the chain
 * does not show exactly as many records of the block as the block has.
 */
export function loadWithNearbyBlocks<T>(
  context: Context,
  chain: ServedChain,
  list: ListByBlock<T>,
  block: ListedBlock,
): Promise<WholeList<T> | null> {
  const { cache, scope } = context
  const name = `${chain.indexer.service} ${list.chainPath}`
  const load = scope.memo(`runs of ${name}`, () =>
    createLoader<ListedBlock, WholeList<T>>({
      keyOf,
      many: async (blocks) => {
        const failed = cache.open<true>(unreadable)
        const runs = failed.get(name) ? [] : runsOf(blocks)
        const read = await Promise.all(
          // Blocks of a run that fails are read one by one.
          runs.map((run) => readBlocks(context, chain, list, run).catch(() => [])),
        )
        const lists = new Map(read.flat())
        if (runs.length > 0 && lists.size === 0 && !scope.signal.aborted) failed.set(name, true)
        return lists
      },
      one: async () => null,
    }),
  )
  return load(block)
}

const keyOf = ({ height, isLong }: Pick<ListedBlock, 'height' | 'isLong'>) =>
  `${height}${isLong ? ' long' : ''}`

/** The nearby blocks that are worth reading together, each run with the newest block first. */
function runsOf(blocks: readonly ListedBlock[]): ListedBlock[][] {
  const newestFirst = blocks.toSorted((a, b) => (a.height > b.height ? -1 : 1))
  const runs: ListedBlock[][] = []
  let previous: ListedBlock | undefined
  for (const block of newestFirst) {
    const isNear = previous && !previous.isLong && previous.height - block.height <= maxDistance
    if (isNear && !block.isLong) runs.at(-1)?.push(block)
    else if (!block.isLong) runs.push([block])
    previous = block
  }
  return runs.filter((run) => run.length >= minBlocks)
}

/** The lists of a run of blocks that the list of the chain shows whole, by the keys of the blocks. */
async function readBlocks<T>(
  context: Context,
  { indexer }: ServedChain,
  { chainPath, blockPath, page, heightOf }: ListByBlock<T>,
  blocks: readonly ListedBlock[],
): Promise<[string, WholeList<T>][]> {
  const [newest] = blocks
  const oldest = blocks.at(-1)
  if (!newest || !oldest) return []
  const ofNewest = upstreamList(context, indexer, { path: blockPath(newest.height), page }, 'DESC')
  const top = await fetchPage(ofNewest, { limit: 1, isReverse: true })
  const topKey = top?.nextKey ? decodeKey('sequence', top.nextKey) : undefined
  if (topKey === undefined) return []

  const strategy = { kind: 'keyset', field: 'sequence' } as const
  const source = { path: chainPath, page, strategy, isAppendOnly: true }
  const ofChain = upstreamList(context, indexer, source, 'DESC')
  const size = blocks.reduce((sum, block) => sum + Number(block.size), 0)
  const bound = topKey + 1n
  const run = await readRun(ofChain, 'sequence', {
    bound,
    // The record after the last block shows that the block is whole.
    count: size + 1,
    isEnd: (record) => heightOf(record) < oldest.height,
  })
  const groups = groupRun(run, bound, heightOf)
  if (groups[0]?.name !== newest.height) return []
  return blocks.flatMap(({ height, size }): [string, WholeList<T>][] => {
    const list = groups.find(({ name }) => name === height)
    return list && BigInt(list.items.length) === size
      ? [[keyOf({ height, isLong: false }), list]]
      : []
  })
}
