import { z } from 'zod'
import type { Context } from '../../../graphql/builder.ts'
import { learntCaps } from '../../../pagination/pageCaps.ts'
import {
  integer,
  list,
  optionalInteger,
  pageOf,
  stringOrEmpty,
  timestamp,
  unwrapped,
} from '../../../upstream/decode.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { get, path } from '../../../upstream/request.ts'
import { createLoader } from '../../../upstream/requestScope.ts'
import { coin } from '../coin.ts'

/** Who proposed a block, on the wire. */
export const proposer = z.object({
  moniker: stringOrEmpty,
  identity: stringOrEmpty,
  operator_address: stringOrEmpty,
})

const block = z.object({
  height: integer,
  hash: z.string(),
  block_time: optionalInteger,
  timestamp: timestamp,
  gas_used: integer,
  gas_wanted: integer,
  tx_count: integer,
  total_fee: list(coin),
  proposer: proposer.nullish(),
})
export type BlockRecord = z.output<typeof block>

/** Path of the list of blocks. */
export const blocksPath = '/indexer/block/v1/blocks'
/** A page of blocks. */
export const blocksPage = pageOf('blocks', block)

const blockCall = (height: bigint) =>
  get(
    path`/indexer/block/v1/blocks/${height}`,
    unwrapped('height', block, (found) => found.height === height),
    { isImmutable: true },
  )

/** The blocks from `low` to `high` as one page: those below the one above `high`. */
const runCall = ({ low, high }: Run) =>
  get(blocksPath, blocksPage, {
    query: {
      'pagination.key': Buffer.from(`{"height":${high + 1n}}`).toString('base64'),
      'pagination.limit': high - low + 1n,
      'pagination.reverse': true,
    },
  })

interface Run {
  readonly low: bigint
  readonly high: bigint
}

/** Runs of neighbouring heights worth one list call: two or more, with gaps of at most four. */
function runsOf(heights: readonly bigint[], maxLength: number): Run[] {
  const runs: { low: bigint; high: bigint }[] = []
  for (const height of heights.toSorted((a, b) => (a < b ? -1 : 1))) {
    const run = runs.at(-1)
    if (run && height - run.high <= 5n && height - run.low < maxLength) run.high = height
    else runs.push({ low: height, high: height })
  }
  return runs.filter(({ low, high }) => low < high)
}

/** Loads the record of a block; the heights of one tick that lie together cost one list call. */
export function loadBlock(context: Context, chain: ServedChain, height: bigint) {
  const { scope, cache } = context
  const caps = learntCaps(cache, chain.indexer.service, blocksPath)
  const load = scope.memo(`blocks of ${chain.chainId}`, () =>
    createLoader<bigint, BlockRecord>({
      keyOf: String,
      many: async (heights) => {
        const pages = await Promise.all(
          runsOf(heights, Math.min(100, caps.current().maxLimit)).map((run) =>
            scope.fetch(chain.indexer, runCall(run)).catch(() => null),
          ),
        )
        const records = pages.flatMap((page) => page?.items ?? [])
        return new Map(records.map((one) => [String(one.height), one]))
      },
      one: (one) => scope.fetch(chain.indexer, blockCall(one)),
    }),
  )
  return load(height)
}

/** Finds the record of a block in the list, where the block by its height is not to be had. */
export async function findListed({ scope }: Context, chain: ServedChain, height: bigint) {
  const page = await scope.fetch(chain.indexer, runCall({ low: height, high: height }))
  return page?.items.find((one) => one.height === height)
}
