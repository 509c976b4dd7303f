import type { Context } from '../../engine/graphql/builder.ts'
import { liveOf } from '../../engine/graphql/live.ts'
import { List } from '../../engine/pagination/list.ts'
import { atLeast, type Upstream } from '../../engine/upstream/client.ts'
import { GatewayError } from '../../engine/upstream/error.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { UpstreamHttpError } from '../../engine/upstream/upstreamError.ts'
import { blockList } from './block/wire.ts'
import { statusRequest } from './chain.ts'
import { blockFeed } from './live/blockFeed.ts'
import { goneError } from './live/watchedChain.ts'

/** The share of the time of an operation that it waits for a height. The rest is for its other fields. */
const usualShare = 0.7

/** The newest height of an indexer, once for an operation. Null if it has no status, or no block yet. */
export const loadHeight = (context: Context, { indexer }: ServedChain): Promise<bigint | null> =>
  context.scope.fetch(indexer, statusRequest).then(
    (status) => status?.height ?? null,
    async (error) => {
      // The status of an indexer without blocks is a 500. Only its list of blocks shows that it is no fault.
      const isFault = error instanceof UpstreamHttpError && error.status === 500
      if (isFault && (await isEmpty(context, indexer))) return null
      throw error
    },
  )

/** Whether an indexer serves its list of blocks, and has none. */
const isEmpty = (context: Context, indexer: Upstream): Promise<boolean> =>
  new List(context.scope, indexer, blockList, 'DESC').fetch({ limit: 1, isReverse: true }).then(
    (page) => page?.items.length === 0,
    () => false,
  )

/**
 * The chain at a height: each request waits until the indexer has that block, and then skips older caches. All
 * requests of an operation share the wait. They reject with `UPSTREAM_TIMEOUT` after this share of the time of
 * the operation.
 */
export function chainFrom(
  context: Context,
  { chainId }: ServedChain,
  minHeight: bigint,
  share = usualShare,
): ServedChain {
  const chain = context.network.chains.get(chainId)
  if (!chain) throw goneError(chainId)
  const name = `${chainId} at ${minHeight} in ${share}`
  const reached = () => context.scope.memory.get(name, () => waitForHeight(context, chain, minHeight, share))
  const indexer = atLeast(chain.indexer, `at ${minHeight}`)
  const send: Upstream['send'] = async (...request) => {
    await reached()
    return indexer.send(...request)
  }
  return { ...chain, indexer: { ...indexer, send } }
}

async function waitForHeight(context: Context, chain: ServedChain, minHeight: bigint, share: number): Promise<void> {
  const live = liveOf(context)
  const { feeds, poller, limits, scope } = live
  let height = (await loadHeight(context, chain)) ?? 0n
  if (height >= minHeight) return
  const heads = feeds.heads(blockFeed(chain, live), { isUrgent: true })
  const ending = new AbortController()
  const end = () => ending.abort(scope.signal.reason)
  scope.signal.addEventListener('abort', end)
  const timeout = poller.pause(limits.timeoutMs * share, ending.signal)
  try {
    while (height < minHeight) {
      const step = await Promise.race([heads.next(), timeout])
      if (!step || step.done) {
        // Others that have waited for the same height end at the same time.
        await scope.work.later(() => {})
        throw notReached(chain, minHeight, height)
      }
      height = step.value.position ?? height
    }
  } finally {
    timeout.catch(() => {})
    scope.signal.removeEventListener('abort', end)
    end()
    await heads.return?.()
  }
}

const notReached = ({ chainId }: ServedChain, minHeight: bigint, height: bigint) =>
  new GatewayError(
    'UPSTREAM_TIMEOUT',
    `The indexer of ${chainId} is at height ${height}, and has not reached ${minHeight} in time.`,
    { service: chainId, reason: 'HEIGHT_NOT_REACHED' },
  )
