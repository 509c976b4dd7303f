import { z } from 'zod'
import type { Context } from '../../../engine/graphql/builder.ts'
import { learntKeys } from '../../../engine/pagination/keyForms.ts'
import { encodeKey } from '../../../engine/pagination/keys.ts'
import { learntCaps } from '../../../engine/pagination/pageCaps.ts'
import type { ListSource } from '../../../engine/pagination/source.ts'
import { createLoader, memoByUpstream } from '../../../engine/upstream/loader.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { get, path } from '../../../engine/upstream/request.ts'
import { unreadableError } from '../../../engine/upstream/upstreamError.ts'
import {
  count,
  integer,
  type Listed,
  list,
  optionalCount,
  type Page,
  pageOf,
  readable,
  stringOrEmpty,
  timestamp,
  UnreadableRecord,
  unwrapped,
} from '../../../engine/wire/decode.ts'
import { nameOrNull } from '../../../engine/wire/shownText.ts'
import { type HeightRange, toRanges } from '../batch/nearby.ts'
import { coin } from '../coin.ts'

const proposer = z.object({
  moniker: nameOrNull,
  identity: stringOrEmpty,
  operator_address: stringOrEmpty,
})

/** The proposer of a block on the wire. */
export type ProposerRecord = z.output<typeof proposer>

const block = z.object({
  height: count,
  hash: z.string(),
  block_time: optionalCount,
  timestamp: timestamp,
  gas_used: integer,
  gas_wanted: integer,
  tx_count: count,
  total_fee: list(coin),
  proposer: proposer.nullish(),
})

/** A block on the wire. `block_time` is the time since the previous block, in milliseconds. */
export type BlockRecord = z.output<typeof block>

export const blocksPath = '/indexer/block/v1/blocks'

export const blocksPage = pageOf('blocks', block)

/** The list of the blocks of a chain, without its total. */
export const blockList = {
  path: blocksPath,
  page: blocksPage,
  isAppendOnly: true,
  strategy: { kind: 'keyset', field: 'height' },
  keyOf: (block: Listed<BlockRecord>) => (block instanceof UnreadableRecord ? undefined : block.height),
  total: 'none',
} as const satisfies ListSource<Listed<BlockRecord>>

export const blockRequest = (height: bigint) =>
  get(path`/indexer/block/v1/blocks/${height}`, oneBlock, {
    isFinal: true,
    isRequested: (record) => record.height === height,
  })

const oneBlock = unwrapped('height', block)

/** Whether a page has exactly the blocks of a range, so that it can never change. */
const hasBlocks =
  (low: bigint, high: bigint) =>
  ({ items }: Page<Listed<BlockRecord>>): boolean => {
    const heights = readable(items).map(({ height }) => height)
    return BigInt(heights.length) === high - low + 1n && heights.includes(low) && heights.includes(high)
  }

/** A page with the blocks from `low` to `high`, in descending order from the key `high + 1`. */
const rangeRequest = ({ low, high }: HeightRange) =>
  get(blocksPath, blocksPage, {
    query: {
      'pagination.key': encodeKey('height', high + 1n),
      'pagination.limit': high - low + 1n,
      'pagination.reverse': true,
    },
    // A page of all these heights.
    isFinal: hasBlocks(low, high),
  })

/** The newest blocks of a chain, in descending order. */
export const newestBlocksRequest = (count: number) =>
  get(blocksPath, blocksPage, {
    query: {
      'pagination.limit': count,
      'pagination.reverse': true,
      'pagination.count_total': false,
    },
    is404Error: true,
  })

/** The blocks from one height to another, both included, in ascending order. */
export const blocksFromRequest = (from: bigint, to: bigint) =>
  get(blocksPath, blocksPage, {
    query: {
      'pagination.key': encodeKey('height', from - 1n),
      'pagination.limit': to - from + 1n,
      'pagination.reverse': false,
    },
    // A page of all these heights.
    isFinal: hasBlocks(from, to),
  })

/**
 * Loads the block at a height. Null if not indexed. Nearby heights requested in one tick are
 * fetched in one list request.
 */
export function loadBlock({ scope }: Context, chain: ServedChain, height: bigint): Promise<BlockRecord | null> {
  const caps = learntCaps(scope.cache.hints, chain.indexer.source, blocksPath)
  const keys = learntKeys(scope.cache.hints, chain.indexer.source, blocksPath, true)
  const load = memoByUpstream(scope, 'blocks', chain.indexer, () =>
    createLoader<bigint, BlockRecord>({
      keyOf: String,
      many: async (heights) => {
        // No key can be made for a range.
        if (keys.form() === 'opaque') return new Map()
        const pages = await Promise.all(
          toRanges(heights, Math.min(100, caps.current().maxLimit)).map((range) =>
            // A failed list request is repeated block by block.
            scope.fetch(chain.indexer, rangeRequest(range)).catch(() => null),
          ),
        )
        const blocks = pages.flatMap((page) => readable(page?.items ?? []))
        return new Map(blocks.map((block) => [String(block.height), block]))
      },
      one: (single) => scope.fetch(chain.indexer, blockRequest(single)),
    }),
  )
  return load(height)
}

/** Finds a block in the list of blocks, for when the request by height returned nothing. */
export async function findInList(
  { scope }: Context,
  chain: ServedChain,
  height: bigint,
): Promise<BlockRecord | undefined> {
  const page = await scope.fetch(chain.indexer, rangeRequest({ low: height, high: height }))
  return readable(page?.items ?? []).find((block) => block.height === height)
}

/**
 * The number of blocks, as the distance from the oldest to the newest. The `total` of the list is the
 * newest height, which is the number of blocks only on an indexer that started at height 1.
 */
export async function countBlocks({ scope }: Context, chain: ServedChain): Promise<bigint> {
  const heightAt = async (isReverse: boolean) => {
    const query = { 'pagination.limit': 1, 'pagination.reverse': isReverse }
    const page = await scope.fetch(chain.indexer, get(blocksPath, blocksPage, { query }))
    const [block] = page?.items ?? []
    if (block instanceof UnreadableRecord) throw unreadableError(chain.chainId, block)
    return block?.height
  }
  const [newest, oldest] = await Promise.all([heightAt(true), heightAt(false)])
  return newest === undefined || oldest === undefined ? 0n : newest - oldest + 1n
}
