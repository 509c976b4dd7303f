import { builder, type Context, callCost, keepable } from '../../../graphql/builder.ts'
import { evmHash } from '../../../graphql/scalars.ts'
import { upstreamList } from '../../../pagination/listPage.ts'
import { isShortPage } from '../../../pagination/pageCaps.ts'
import type { WholeList } from '../../../pagination/run.ts'
import { fetchPage, scanLimit } from '../../../pagination/source.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { createLoader } from '../../../upstream/requestScope.ts'
import { readNearbyBlocks } from '../block/runs.ts'
import { loadBlock } from '../block/wire.ts'
import { Transaction, transactionShape } from '../transaction/transaction.ts'
import {
  blockTransactionsPath,
  type TransactionRecord,
  transactionsByBlock,
  transactionsPage,
} from '../transaction/wire.ts'
import { EvmTransaction, loadEvmTransaction } from './evmTransaction.ts'

// A Cosmos transaction wraps each EVM transaction. Neither record refers to the other by a field: the
// link is the EVM hash among the events of the wrapping transaction, under a key that chains spell
// differently.

const hashKeys = ['ethereumtxhash', 'ethtxhash', 'evmtxhash', 'evmhash', 'txhash']

/** The hash of the EVM transaction that a Cosmos transaction wraps. Undefined if no event contains it. */
function evmHashOf({ events }: TransactionRecord): string | undefined {
  return events
    .flatMap(({ attributes }) => attributes)
    .find(
      ({ key, value }) =>
        hashKeys.includes(key.toLowerCase().replace(/[^a-z]/g, '')) &&
        /^0x[0-9a-f]{64}$/i.test(value),
    )
    ?.value.toLowerCase()
}

/** The fewest blocks worth reading together: their sizes and their transactions cost three requests. */
const minBlocks = 4

/** The largest distance of two blocks of which both are loaded in one request. */
const maxDistance = 5n

/** The transactions of a block, if those of nearby blocks are requested in the same tick. */
function loadNearby(
  context: Context,
  chain: ServedChain,
  height: bigint,
): Promise<WholeList<TransactionRecord> | null> {
  const load = context.scope.memo(`wrapping transactions of ${chain.chainId}`, () =>
    createLoader<bigint, WholeList<TransactionRecord>>({
      keyOf: String,
      many: async (heights) => {
        if (heights.length < minBlocks) return new Map()
        // The blocks between count too, as their transactions are in the same list.
        const records = await Promise.all(
          withBlocksBetween(heights).map((near) => loadBlock(context, chain, near)),
        )
        const blocks = records.flatMap((block) => {
          if (!block) return []
          const saves = heights.includes(block.height) ? 1 : 0
          return { height: block.height, size: Number(block.tx_count), isLong: false, saves }
        })
        return readNearbyBlocks(context, chain, transactionsByBlock, blocks)
      },
      one: async () => null,
    }),
  )
  return load(height)
}

/** The heights that have another one nearby, with all heights between. */
function withBlocksBetween(heights: readonly bigint[]): bigint[] {
  const sorted = heights.toSorted((a, b) => (a < b ? -1 : 1))
  const near = new Set<bigint>()
  for (const [i, height] of sorted.entries()) {
    const next = sorted[i + 1]
    if (next === undefined || next - height > maxDistance) continue
    for (let at = height; at <= next; at += 1n) near.add(at)
  }
  return [...near]
}

/**
 * The Cosmos transaction that wraps an EVM transaction, found among those of its block. All lookups in a
 * block share one request, or a few if a page cap cuts the list. Nearby blocks are read together.
 */
async function wrappingTransaction(
  context: Context,
  chain: ServedChain,
  hash: string,
  height: bigint,
): Promise<TransactionRecord | null> {
  const block = await loadNearby(context, chain, height)
  if (block) return block.items.find((tx) => evmHashOf(tx) === hash) ?? null
  const source = { path: blockTransactionsPath(height), page: transactionsPage }
  const list = upstreamList(context, chain.indexer, source, 'ASC')
  let key: string | undefined
  for (let examined = 0; examined < scanLimit; ) {
    const page = await fetchPage(list, { key, limit: scanLimit, isReverse: false })
    const wrapping = page?.items.find((tx) => evmHashOf(tx) === hash)
    if (wrapping) return wrapping
    if (!page?.nextKey || isShortPage(list.caps.current(), page, scanLimit)) return null
    key = page.nextKey
    examined += page.items.length
  }
  return null
}

builder.objectField(Transaction, 'evmTransaction', (t) =>
  t.field({
    ...keepable,
    type: EvmTransaction,
    nullable: true,
    description:
      'The EVM transaction that this transaction wraps. Null if its events contain no EVM hash. Those of one block are fetched in one upstream request.',
    complexity: callCost,
    resolve: ({ chain, record }, _args, context) => {
      const hash = evmHashOf(record)
      return hash ? loadEvmTransaction(context, chain, hash, record.height) : null
    },
  }),
)

builder.objectField(EvmTransaction, 'transaction', (t) =>
  t.field({
    ...keepable,
    type: Transaction,
    nullable: true,
    description:
      'The Cosmos transaction that wraps this transaction. Null if no event of the block contains its hash. Those of one block are fetched in one upstream request.',
    complexity: callCost,
    resolve: async ({ chain, record }, _args, context) => {
      const hash = evmHash(record.transactionHash)
      const wrapping = await wrappingTransaction(context, chain, hash, record.blockNumber)
      return wrapping && transactionShape(chain, wrapping)
    },
  }),
)
