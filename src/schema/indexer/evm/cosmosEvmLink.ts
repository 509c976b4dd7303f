import { builder, type Context, callCost, keepable } from '../../../graphql/builder.ts'
import { evmHash } from '../../../graphql/scalars.ts'
import { upstreamList } from '../../../pagination/listPage.ts'
import { isShortPage } from '../../../pagination/pageCaps.ts'
import { fetchPage, scanLimit } from '../../../pagination/source.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { Transaction, transactionShape } from '../transaction/transaction.ts'
import {
  blockTransactionsPath,
  type TransactionRecord,
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

/**
 * The Cosmos transaction that wraps an EVM transaction, found among those of its block. All lookups in a
 * block share one request, or a few if a page cap cuts the list.
 */
async function wrappingTransaction(
  context: Context,
  chain: ServedChain,
  hash: string,
  height: bigint,
): Promise<TransactionRecord | null> {
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
