import type { Context } from '../../../engine/graphql/builder.ts'
import { nativeHash } from '../../../engine/graphql/scalars.ts'
import { List } from '../../../engine/pagination/list.ts'
import { largestLimit } from '../../../engine/pagination/pageCaps.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { readable } from '../../../engine/wire/decode.ts'
import type { CacheRegion } from '../../../kit/cache/region.ts'
import { type BlockShape, findBlock, readBlock } from './block.ts'
import { blockList } from './wire.ts'

// No indexer looks up a block by its hash. The list of blocks has the hashes, so a block can be found among the
// newest ones, and every block whose hash was found once can be found again by its height.

/** The newest blocks whose hashes are compared: as many as indexers send in one response. */
export const searchedBlocks = largestLimit

/** The price of the one request for that many records, in usual requests. */
export const searchPrice = 4

/** By source and hash: the heights of blocks that were found. */
const foundHeights: CacheRegion<bigint> = { name: 'heights by hash', maxEntries: 10_000 }

/** The block with a hash, in any spelling. Null if it is not among the newest blocks of the indexer. */
export async function findBlockByHash(context: Context, chain: ServedChain, hash: string): Promise<BlockShape | null> {
  const wanted = nativeHash(hash)
  const heights = context.scope.cache.hints.open(foundHeights)
  const name = `${chain.indexer.source} ${wanted}`
  const height = heights.get(name)
  const known = height === undefined ? null : await findBlock(context, chain, height)
  // A chain that was reset has another block at the height.
  if (known?.record && nativeHash(known.record.hash) === wanted) return known
  const list = new List(context.scope, chain.indexer, blockList, 'DESC')
  const page = await list.fetch({ limit: searchedBlocks, isReverse: true })
  const block = readable(page?.items ?? []).find((listed) => nativeHash(listed.hash) === wanted)
  if (!block) return null
  heights.set(name, block.height)
  return readBlock(context, chain, block)
}
