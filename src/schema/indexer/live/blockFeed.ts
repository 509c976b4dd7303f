import type { Context } from '../../../graphql/builder.ts'
import type { Look } from '../../../polling/backplane/backplane.ts'
import type { FeedSource, FeedTop } from '../../../polling/feedSource.ts'
import { defineTopic } from '../../../polling/topic.ts'
import type { Upstream } from '../../../upstream/client.ts'
import { type Listed, type Page, readable } from '../../../upstream/decode.ts'
import { badInput, isUpstreamFault } from '../../../upstream/error.ts'
import type { Network, ServedChain } from '../../../upstream/network.ts'
import type { RequestScope } from '../../../upstream/requestScope.ts'
import {
  type BlockRecord,
  blockRequest,
  blocksFromRequest,
  newestBlocksRequest,
} from '../block/wire.ts'
import { statusRequest } from '../chain.ts'

type Signal = RequestScope['signal']

const topic = defineTopic<BlockRecord>('blocks')

/** Blocks of one request for a range. */
const rangeSize = 100

/** Newest blocks that come with the head: as many as a fast chain has in one interval. */
const blocksOfHead = 10

/** Blocks that are requested one by one from an indexer that does not serve a range. */
const blocksOneByOne = 10

/** Polls of the status after the list of blocks failed. The status needs less of an indexer than the list. */
const statusPollsAfterFault = 10

/** The blocks of a chain. Everything that waits for a new block of it shares this feed. */
export function blockFeed(
  chain: ServedChain,
  { limits, backplane }: Pick<Context, 'limits' | 'backplane'>,
): FeedSource<BlockRecord> {
  const { chainId, indexer } = chain
  const source = { indexer, backplane }
  let statusPolls = 0
  return {
    topic,
    key: chainId,
    upstream: indexer,
    rangeSize,
    positionOf: ({ height }) => height,
    timeOf: ({ timestamp }) => Date.parse(timestamp),
    intervalMs: limits.headIntervalMs,
    fullPaceListeners: backplane.isShared ? 1 : limits.fullPaceViewers,
    lateAfterMs: limits.lateAfterMs,
    isFatal: () => false,
    messages: {
      timeout: `The indexer of ${chainId} did not respond in time.`,
      invalid: `The indexer of ${chainId} returned blocks that were not requested.`,
    },
    follow(listener) {
      const leave = backplane.follow(indexer, newestBlocks, (sight) =>
        listener('error' in sight ? sight : { ...sight, value: topOf(sight.value) }),
      )
      const leaveStatus = backplane.follow(indexer, statusRequest, (sight) =>
        listener('error' in sight ? sight : { ...sight, value: positionOf(sight.value) }),
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
    range: (from, to, signal) => readRange(backplane.over(indexer), { from, to }, signal),
  }
}

type Source = Pick<ServedChain, 'indexer'> & Pick<Context, 'backplane'>

async function topOfStatus(
  { indexer, backplane }: Source,
  signal: Signal,
  look?: Look,
): Promise<FeedTop<BlockRecord>> {
  return positionOf(await backplane.send(indexer, statusRequest, signal, look))
}

const positionOf = (status: { readonly height: bigint } | null): FeedTop<BlockRecord> => ({
  position: status?.height ?? 0n,
})

async function topOfBlocks(
  { indexer, backplane }: Source,
  signal: Signal,
  look?: Look,
): Promise<FeedTop<BlockRecord>> {
  return topOf(await backplane.send(indexer, newestBlocks, signal, look))
}

const newestBlocks = newestBlocksRequest(blocksOfHead)

function topOf(page: Page<Listed<BlockRecord>> | null): FeedTop<BlockRecord> {
  const records = readable(page?.items ?? [])
  return {
    position: records.reduce((top, { height }) => (height > top ? height : top), 0n),
    records,
  }
}

/** Some or all of the blocks in a range, the first ones first. */
async function readRange(
  indexer: Upstream,
  { from, to }: { readonly from: bigint; readonly to: bigint },
  signal: Signal,
): Promise<readonly BlockRecord[]> {
  if (to > from) {
    const page = await indexer.send(blocksFromRequest(from, to), signal).catch((error: unknown) => {
      if (!isUpstreamFault(error) || error.code !== 'UPSTREAM_REJECTED') throw error
      return null
    })
    // A block that cannot be read counts as missing.
    const blocks = page && readable(page.items)
    // An indexer with other keys ignores ours, and returns other blocks.
    const isServed = blocks?.every(({ height }) => height >= from && height <= to)
    if (blocks && isServed) return blocks
  }
  const count = Math.min(blocksOneByOne, Number(to - from) + 1)
  const heights = Array.from({ length: count }, (_, index) => from + BigInt(index))
  const blocks = await Promise.all(
    heights.map((height) => indexer.send(blockRequest(height), signal)),
  )
  return blocks.filter((block) => block !== null)
}

/** The chain with this id. Throws `BAD_USER_INPUT` if this gateway does not serve it. */
export function chainToWatch({ chains }: Pick<Network, 'chains'>, chainId: string): ServedChain {
  const chain = chains.get(chainId)
  if (!chain)
    throw badInput('This gateway does not serve that chain. `chains` has those it serves.')
  return chain
}
