import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { readable } from '../../../upstream/decode.ts'
import { badInput, GatewayError } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { Chain } from '../../chain/chain.ts'
import { type BlockRecord, newestBlocksRequest } from '../block/wire.ts'
import { statusRequest } from '../chain.ts'
import { blockFeed } from './blockFeed.ts'

const ChainFreshness = builder.objectRef<BlockRecord>('ChainFreshness').implement({
  description: 'How new the data of an indexer is.',
  fields: (t) => ({
    height: t.expose('height', {
      type: 'UInt53',
      description: 'Height of its newest block. What it returns is complete up to this height.',
    }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'Time of that block.' }),
    ageMs: t.field({
      type: 'UInt53',
      description:
        'How far the indexer is behind the clock, in milliseconds: the time since that block. Up to a block time is normal.',
      resolve: ({ timestamp }, _args, { feeds }) =>
        BigInt(Math.max(0, Math.round(feeds.age(timestamp)))),
    }),
  }),
})

/** The share of the time of an operation that it waits for a height. The rest is for its other fields. */
const waitingShare = 0.7

/** Waits until the indexer has a block. Rejects with `UPSTREAM_TIMEOUT` if that takes too long. */
async function waitForHeight(
  context: Context,
  chain: ServedChain,
  minHeight: bigint,
): Promise<void> {
  const { feeds, poller, limits, scope } = context
  const status = await scope.fetch(chain.indexer, statusRequest, { isKept: false })
  let height = status?.height ?? 0n
  if (height >= minHeight) return
  const heads = feeds.heads(blockFeed(chain, context))
  const ending = new AbortController()
  const end = () => ending.abort(scope.signal.reason)
  scope.signal.addEventListener('abort', end)
  const timeout = poller.pause(limits.timeoutMs * waitingShare, ending.signal)
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

builder.objectFields(Chain, (t) => ({
  freshness: t.field({
    type: ChainFreshness,
    nullable: true,
    description:
      'How new the data of its indexer is. Null if no indexer serves the chain, or if it has no blocks. Costs one upstream request.',
    complexity: callCost,
    async resolve({ served }, _args, { scope }) {
      const page = served && (await scope.fetch(served.indexer, newestBlocksRequest(1)))
      return readable(page?.items ?? [])[0] ?? null
    },
  }),
  indexed: t.field({
    type: Chain,
    nullable: true,
    description:
      'This chain, once its indexer has a block. The look-ups and lists below it then include that block, such as one that has just been written to. An error with the code `UPSTREAM_TIMEOUT` and the reason `HEIGHT_NOT_REACHED` if that takes too long. All who wait share one poll.',
    args: {
      minHeight: t.arg({
        type: 'UInt53',
        required: true,
        description: 'The least height that the indexer must have.',
      }),
    },
    complexity: callCost,
    async resolve(chain, { minHeight }, context) {
      if (!chain.served) throw badInput('No indexer serves this chain.')
      await waitForHeight(context, chain.served, minHeight)
      return chain
    },
  }),
}))
