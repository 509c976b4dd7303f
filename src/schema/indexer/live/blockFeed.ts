import type { LiveContext } from '../../../engine/graphql/builder.ts'
import type { Upstream } from '../../../engine/upstream/client.ts'
import { isUpstreamFault } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import type { RequestScope } from '../../../engine/upstream/requestScope.ts'
import { unreadableError } from '../../../engine/upstream/upstreamError.ts'
import { defineTopic } from '../../../engine/watch/model.ts'
import type { PollOptions } from '../../../engine/watch/peers.ts'
import {
  type Ranged,
  type SequenceSource,
  type SequenceTop,
  UnreadableAt,
} from '../../../engine/watch/sequenceSource.ts'
import { type Listed, type Page, readable, UnreadableRecord } from '../../../engine/wire/decode.ts'
import { type BlockRecord, blockRequest, blocksFromRequest, newestBlocksRequest } from '../block/wire.ts'
import { statusRequest } from '../chain.ts'

type Signal = RequestScope['signal']

const topic = defineTopic<BlockRecord>('blocks')

const rangeSize = 100

/** Newest blocks that come with the head: as many as a fast chain has in one interval. */
const blocksOfHead = 10

/** Blocks that are requested one by one from an indexer that does not serve a range. */
const blocksOneByOne = 10

/** A chain makes a block in a few seconds. After ten times as long, viewers should know that it is late. */
const lateAfterMs = 30_000

/** Polls of the status after the list of blocks failed. The status needs less of an indexer than the list. */
const statusPollsAfterFault = 10

/** The blocks of a chain. Everything that waits for a new block of it shares this feed. */
export function blockFeed(
  chain: ServedChain,
  { feeds, peers }: Pick<LiveContext, 'feeds' | 'peers'>,
): SequenceSource<BlockRecord> {
  const { chainId, indexer } = chain
  const { intervalMs, fullPaceViewers } = feeds.headPace
  const source = { indexer, peers }
  let statusPolls = 0
  return {
    topic,
    key: chainId,
    upstream: indexer,
    rangeSize,
    positionOf: ({ height }) => height,
    timeOf: ({ timestamp }) => Date.parse(timestamp),
    intervalMs,
    fullPaceListeners: peers.isShared ? 1 : fullPaceViewers,
    lateAfterMs,
    isFatal: () => false,
    messages: {
      timeout: `The indexer of ${chainId} did not respond in time.`,
      invalid: `The indexer of ${chainId} returned blocks that were not requested.`,
    },
    follow(listener) {
      const leave = peers.follow(indexer, newestBlocks, (observation) => {
        // Unreadable responses are left to the polls of this gateway.
        if ('error' in observation) listener(observation)
        else if (isReadable(observation.value)) listener({ ...observation, value: toTop(observation.value) })
      })
      const leaveStatus = peers.follow(indexer, statusRequest, (observation) =>
        listener('error' in observation ? observation : { ...observation, value: positionOf(observation.value) }),
      )
      return () => {
        leave()
        leaveStatus()
      }
    },
    async head(signal, look) {
      if (statusPolls > 0) {
        statusPolls -= 1
        return topOfStatus(source, signal, look)
      }
      try {
        return await topOfBlocks(source, signal, look)
      } catch (error) {
        if (isUpstreamFault(error)) statusPolls = statusPollsAfterFault
        throw error
      }
    },
    range: (from, to, signal) => readRange(peers.over(indexer), { from, to }, signal),
  }
}

type Source = Pick<ServedChain, 'indexer'> & Pick<LiveContext, 'peers'>

async function topOfStatus(
  { indexer, peers }: Source,
  signal: Signal,
  look?: PollOptions,
): Promise<SequenceTop<BlockRecord>> {
  return positionOf(await peers.send(indexer, statusRequest, signal, look))
}

const positionOf = (status: { readonly height: bigint } | null): SequenceTop<BlockRecord> => ({
  position: status?.height ?? 0n,
})

async function topOfBlocks(
  { indexer, peers }: Source,
  signal: Signal,
  look?: PollOptions,
): Promise<SequenceTop<BlockRecord>> {
  const page = await peers.send(indexer, newestBlocks, signal, look)
  const [first] = page?.items ?? []
  if (first instanceof UnreadableRecord && !isReadable(page)) throw unreadableError(indexer.service, first)
  return toTop(page)
}

/** Whether a page has a block that can be read, or none at all. */
const isReadable = (page: Page<Listed<BlockRecord>> | null): boolean =>
  page === null || page.items.length === 0 || readable(page.items).length > 0

const newestBlocks = newestBlocksRequest(blocksOfHead)

function toTop(page: Page<Listed<BlockRecord>> | null): SequenceTop<BlockRecord> {
  const items = page?.items ?? []
  const records = readable(items)
  const position = records.reduce((top, { height }) => (height > top ? height : top), 0n)
  // The newest blocks come first, and have consecutive heights.
  const isBad = (item: unknown) => item instanceof UnreadableRecord
  const first = items.findIndex((item) => !isBad(item))
  const last = items.findLastIndex((item) => !isBad(item))
  const places = items.map((_, index) => position + BigInt(first - index))
  const isRun = items.every((item, i) => item instanceof UnreadableRecord || item.height === places[i])
  const unreadableBetween = places.filter((_, i) => i > first && i < last && isBad(items[i]))
  return {
    position,
    records,
    ...(isRun && { unreadableBetween }),
    ...(first > 0 && { unreadable: position + BigInt(first) }),
  }
}

/** Some or all of the blocks in a range, the first ones first. */
async function readRange(
  indexer: Upstream,
  { from, to }: { readonly from: bigint; readonly to: bigint },
  signal: Signal,
): Promise<readonly Ranged<BlockRecord>[]> {
  if (to > from) {
    const page = await indexer.send(blocksFromRequest(from, to), signal).catch((error: unknown) => {
      if (!isUpstreamFault(error) || error.code !== 'UPSTREAM_REJECTED') throw error
      return null
    })
    const blocks = page && placed(page.items, from)
    // The last blocks are above the range where some of it are missing.
    if (blocks && (await isServed(indexer, { blocks, from, to }, signal)))
      return blocks.filter((block) => heightOf(block) <= to)
  }
  const count = Math.min(blocksOneByOne, Number(to - from) + 1)
  const heights = Array.from({ length: count }, (_, index) => from + BigInt(index))
  const blocks = await Promise.all(heights.map((height) => readOne(indexer, height, signal)))
  return blocks.filter((block) => block !== null)
}

const heightOf = (block: Ranged<BlockRecord>): bigint => (block instanceof UnreadableAt ? block.position : block.height)

/**
 * The blocks of a page in ascending order from a height on. One that cannot be read has the height after the block
 * before it. Null for a page in another order, or with none that can be read.
 */
function placed(items: readonly Listed<BlockRecord>[], from: bigint): readonly Ranged<BlockRecord>[] | null {
  const blocks: Ranged<BlockRecord>[] = []
  let next = from
  for (const item of items) {
    const block = item instanceof UnreadableRecord ? new UnreadableAt(next) : item
    const height = heightOf(block)
    if (height < next) return null
    blocks.push(block)
    next = height + 1n
  }
  return items.length > 0 && readable(items).length === 0 ? null : blocks
}

/** Whether a page has the blocks from a height on. An indexer with other keys ignores ours, and returns others. */
async function isServed(
  indexer: Upstream,
  page: {
    readonly blocks: readonly Ranged<BlockRecord>[]
    readonly from: bigint
    readonly to: bigint
  },
  signal: Signal,
): Promise<boolean> {
  const { blocks, from, to } = page
  const index = blocks.findIndex((block) => !(block instanceof UnreadableAt))
  const block = blocks[index]
  if (!block || heightOf(block) === from + BigInt(index)) return true
  if (heightOf(block) > to) return false
  const first = await readOne(indexer, from, signal)
  return first === null ? index === 0 : first instanceof UnreadableAt && index > 0
}

/**
 * The block at a height. It is unreadable if its response is, twice, while the newest block can be read: so it is
 * not that nothing of the indexer can.
 */
async function readOne(indexer: Upstream, height: bigint, signal: Signal): Promise<Ranged<BlockRecord> | null> {
  const read = (at: bigint) => indexer.send(blockRequest(at), signal)
  try {
    return await read(height)
  } catch (error) {
    if (!isInvalid(error)) throw error
    const newest = await indexer.send(newestBlocksRequest(1), signal)
    if (readable(newest?.items ?? []).length === 0) throw error
    return read(height).catch((again: unknown) => {
      if (!isInvalid(again)) throw again
      return new UnreadableAt(height)
    })
  }
}

const isInvalid = (error: unknown): boolean => isUpstreamFault(error) && error.code === 'UPSTREAM_INVALID_RESPONSE'
