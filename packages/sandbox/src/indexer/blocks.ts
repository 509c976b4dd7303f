import { lostHeights } from '../world/blockSizes.ts'
import { blockRecord } from '../world/blocks.ts'
import { lastSequence } from '../world/schedule.ts'
import { everyPosition, type Series, select } from '../world/series.ts'
import type { World } from '../world/world.ts'
import { HttpError, internalError } from './httpError.ts'
import { listBody, type Route, readHeight } from './httpRoute.ts'
import { keysetPage } from './paging.ts'

const traceLag = 2
const richListLag = 5

/** The newest height with EVM internal transactions, 0 if none. It lags behind the chain, except over empty blocks. */
export function internalTxHeight({ chain, height }: World): number {
  if (chain.vm !== 'evm' || chain.quirks?.internalTxOff) return 0
  const newest = height()
  let traced = Math.max(0, newest - traceLag)
  while (traced > 0 && traced < newest && lastSequence(traced + 1) === lastSequence(traced)) traced++
  return traced
}

/** The heights of which an indexer with missing heights has no record: they repeat. */
const missing = {
  few: lostHeights,
  /** About one in fifteen, with transactions and without. */
  many: { span: 30, heights: [12, 17] },
} as const

const presentHeights = (kind: keyof typeof missing): Series => {
  const { span, heights } = missing[kind]
  const absent = new Set<number>(heights)
  return select({ head: 0, span }, (height) => !absent.has(height % span))
}

const series = { few: presentHeights('few'), many: presentHeights('many') }

function heightsOf({ chain }: World): Series {
  const { missingHeights } = chain.quirks ?? {}
  return missingHeights ? series[missingHeights] : everyPosition
}

function isMissing(world: World, height: number): boolean {
  return !heightsOf(world).has(height)
}

/** The height of the rich list. 0 if there is none. */
export function richListHeight({ chain, height }: World): number {
  return chain.quirks?.richListOff ? 0 : Math.max(0, height() - richListLag)
}

/** Routes for the status and the blocks. */
export const blockRoutes: readonly Route[] = [
  {
    path: '/status',
    summary: 'Status of the indexer',
    isList: false,
    answer({ world }) {
      const height = world.height()
      if (height === 0) throw internalError()
      const traced = internalTxHeight(world)
      const ranked = richListHeight(world)
      return {
        version: 'dev',
        commit_hash: 'unknown',
        chain_id: world.chain.chainId,
        height,
        ...(traced ? { internal_tx_height: traced } : {}),
        ...(ranked ? { rich_list_height: ranked } : {}),
        tx_account_cleanup_sequence: -1,
        tx_account_cleanup_deleted: -1,
        tx_account_cleanup_inserted: -1,
      }
    },
  },
  {
    path: '/indexer/block/v1/avg_blocktime',
    summary: 'Mean seconds between the newest blocks',
    isList: false,
    answer: ({ world }) => ({
      avg_block_time: world.height() < 2 ? 0 : world.chain.blockTime / 1000,
    }),
  },
  {
    path: '/indexer/block/v1/blocks',
    summary: 'Blocks by height',
    isList: true,
    answer({ world, page }) {
      const high = world.height()
      const heights = keysetPage(page(), {
        field: 'height',
        series: heightsOf(world),
        low: 1,
        high,
      })
      const rows = heights.rows.map((height) => blockAt(world, height))
      return listBody('blocks', { ...heights, rows }, high)
    },
  },
  {
    path: '/indexer/block/v1/blocks/{height}',
    summary: 'One block',
    isList: false,
    answer({ world }, text) {
      const height = readHeight(text)
      if (height > world.height() || isMissing(world, height)) {
        throw new HttpError(404, '[NOT_FOUND] block not found')
      }
      return { block: blockAt(world, height) }
    },
  },
]

function blockAt({ fixtures, transactions }: World, height: number) {
  const before = transactions.lastAt(height - 1)
  const costs = Array.from({ length: transactions.lastAt(height) - before }, (_, index) =>
    transactions.costOf(before + index + 1),
  )
  return blockRecord(fixtures, height, costs)
}
