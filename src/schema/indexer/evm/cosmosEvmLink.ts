import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { evmHash } from '../../../graphql/scalars.ts'
import { isShortPage } from '../../../pagination/pageCaps.ts'
import { fetchPage, scanLimit } from '../../../pagination/source.ts'
import { upstreamList } from '../../../pagination/upstreamList.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { path } from '../../../upstream/request.ts'
import { transactionsPage } from '../transaction/connections.ts'
import {
  Transaction,
  type TransactionRecord,
  transactionShape,
} from '../transaction/transaction.ts'
import { EvmTransaction, loadEvmTransaction } from './evmTransaction.ts'

// Every EVM transaction is carried by a chain-native one. Neither record names the other by a field:
// the link is the EVM hash among the carrier's events, whose key differs from chain to chain.

const hashKeys = ['ethereumtxhash', 'ethtxhash', 'evmtxhash', 'evmhash', 'txhash']

/** The hash of the EVM transaction that a chain-native one carried; undefined when its events name none. */
function carriedHash({ events }: TransactionRecord): string | undefined {
  return events
    .flatMap(({ attributes }) => attributes)
    .find(
      ({ key, value }) =>
        hashKeys.includes(key.toLowerCase().replace(/[^a-z]/g, '')) &&
        /^0x[0-9a-f]{64}$/i.test(value),
    )
    ?.value.toLowerCase()
}

/** The carrier of an EVM transaction, found among its block's in mostly one request a block and operation: a cap may cut them into pages. */
async function loadCarrier(
  context: Context,
  chain: ServedChain,
  hash: string,
  height: bigint,
): Promise<TransactionRecord | null> {
  const source = { path: path`/indexer/tx/v1/txs/by_height/${height}`, page: transactionsPage }
  const list = upstreamList(context, chain.indexer, source, 'ASC')
  let key: string | undefined
  for (let examined = 0; examined < scanLimit; ) {
    const page = await fetchPage(list, { key, limit: scanLimit, isReverse: false })
    const found = page?.items.find((one) => carriedHash(one) === hash)
    if (found || !page?.nextKey || isShortPage(list.caps.current(), page, scanLimit))
      return found ?? null
    key = page.nextKey
    examined += page.items.length
  }
  return null
}

builder.objectField(Transaction, 'evmTransaction', (t) =>
  t.field({
    type: EvmTransaction,
    nullable: true,
    description:
      'The EVM transaction it carried; null when it carried none or its events do not name it. Those of one block cost one request.',
    complexity: callCost,
    resolve: ({ chain, record }, _args, context) => {
      const hash = carriedHash(record)
      return hash ? loadEvmTransaction(context, chain, hash, record.height) : null
    },
  }),
)

builder.objectField(EvmTransaction, 'transaction', (t) =>
  t.field({
    type: Transaction,
    nullable: true,
    description:
      'The chain-native transaction that carried it; null when no events of its block name it. Those of one block cost one request.',
    complexity: callCost,
    resolve: async ({ chain, record }, _args, context) => {
      const hash = evmHash(record.transactionHash)
      const found = await loadCarrier(context, chain, hash, record.blockNumber)
      return found && transactionShape(chain, found)
    },
  }),
)
