import { builder, type Context, callCost } from '../../graphql/builder.ts'
import { upstreamList } from '../../pagination/listPage.ts'
import { marked, type Upstream } from '../../upstream/client.ts'
import { GatewayError } from '../../upstream/error.ts'
import type { ServedChain } from '../../upstream/network.ts'
import { UpstreamHttpError } from '../../upstream/upstreamError.ts'
import { blockList } from './block/wire.ts'
import { statusRequest } from './chain.ts'
import { blockFeed } from './live/blockFeed.ts'
import { goneError } from './live/watchedChain.ts'

/** The share of the time of an operation that it waits for a height. The rest is for its other fields. */
const usualShare = 0.7

/** The newest height of an indexer, once for an operation. Null if it has no status, or no block yet. */
export const heightOf = (context: Context, { indexer }: ServedChain): Promise<bigint | null> =>
  context.scope.fetch(indexer, statusRequest).then(
    (status) => status?.height ?? null,
    async (error) => {
      // The status of an indexer without blocks is a 500. Only its list of blocks tells that from a fault.
      const isFault = error instanceof UpstreamHttpError && error.status === 500
      if (isFault && (await isEmpty(context, indexer))) return null
      throw error
    },
  )

/** Whether an indexer serves its list of blocks, and has none. */
const isEmpty = (context: Context, indexer: Upstream): Promise<boolean> =>
  upstreamList(context, indexer, blockList, 'DESC')
    .fetchPage({ limit: 1, isReverse: true })
    .then(
      (page) => page?.items.length === 0,
      () => false,
    )

/**
 * The chain once its indexer has a height: what is read from it includes the block there. All fields of an
 * operation that wait for one height share the wait. Rejects with `UPSTREAM_TIMEOUT` if that takes too long.
 */
export function chainAt(
  context: Context,
  { chainId }: ServedChain,
  minHeight: bigint,
  share = usualShare,
): Promise<ServedChain> {
  const chain = context.network.chains.get(chainId)
  return context.scope.memo(`${chainId} at ${minHeight} in ${share}`, async () => {
    if (!chain) throw goneError(chainId)
    await waitForHeight(context, chain, minHeight, share)
    return { ...chain, indexer: marked(chain.indexer, `at ${minHeight}`) }
  })
}

async function waitForHeight(
  context: Context,
  chain: ServedChain,
  minHeight: bigint,
  share: number,
): Promise<void> {
  const { feeds, poller, limits, scope } = context
  let height = (await heightOf(context, chain)) ?? 0n
  if (height >= minHeight) return
  const heads = feeds.heads(blockFeed(chain, context), { isUrgent: true })
  const ending = new AbortController()
  const end = () => ending.abort(scope.signal.reason)
  scope.signal.addEventListener('abort', end)
  const timeout = poller.pause(limits.timeoutMs * share, ending.signal)
  try {
    while (height < minHeight) {
      const step = await Promise.race([heads.next(), timeout])
      if (!step || step.done) throw notReached(chain, minHeight, height)
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

/** The argument of look-ups and lists that can wait for a height. */
export interface MinHeightArgs {
  readonly minHeight?: bigint | null | undefined
}

/** The argument of look-ups and lists that can wait for a height. */
export const minHeightArg = () =>
  builder.args((t) => ({
    minHeight: t.field({
      type: 'UInt53',
      description:
        'Waits until the indexer has the block at this height, such as that of a transaction just sent. An error with the reason `HEIGHT_NOT_REACHED` if that takes too long.',
    }),
  }))

interface FieldCost {
  readonly field: number
  readonly multiplier?: number
}

/** The cost of a field with `minHeight`: one request more, if it is given. */
export const waitingCost =
  <Args>(cost: number | ((args: Args, context: Context) => FieldCost)) =>
  (args: Args & MinHeightArgs, context: Context): FieldCost => {
    const own = typeof cost === 'number' ? { field: cost } : cost(args, context)
    return args.minHeight == null ? own : { ...own, field: own.field + callCost }
  }

/** Reads from the indexer of a chain, once it has the height, if one is given. Null without an indexer. */
export function readAt<R>(
  context: Context,
  served: ServedChain | null,
  { minHeight }: MinHeightArgs,
  read: (chain: ServedChain) => R | Promise<R>,
): R | Promise<R> | null {
  if (!served) return null
  if (minHeight == null) return read(served)
  return chainAt(context, served, minHeight).then(read)
}
