import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { runsEvm } from '../../indexer/chain.ts'
import { EvmTransaction, loadEvmTransaction } from '../../indexer/evm/evmTransaction.ts'
import { loadTransaction, Transaction } from '../../indexer/transaction/transaction.ts'
import { bridges } from '../bridges/bridges.ts'
import type { TransactionSlot } from '../bridges/defineBridge.ts'
import { chainField } from '../chainFields.ts'
import { routerHash } from '../routerInput.ts'
import type { HopTransactionBody } from './readHop.ts'

/** The transaction of a hash in the indexer of its chain; null while that lags or is not served. */
export async function loadIndexed(context: Context, chainId: string | null, txHash: string) {
  const served = chainId === null ? undefined : context.network.chains.get(chainId)
  if (!served || !/^(0x)?[0-9a-f]{64}$/i.test(txHash)) return null
  const found = await loadTransaction(context, served, txHash)
  if (found || !(await runsEvm(served, context.scope))) return found
  return loadEvmTransaction(context, served, txHash)
}

export const IndexedTransaction = builder.unionType('IndexedTransaction', {
  description: "A transaction as its chain's indexer has it.",
  types: [Transaction, EvmTransaction],
  resolveType: (value) => value.__typename,
})

const slots: ReadonlyMap<string, TransactionSlot> = new Map(
  bridges.flatMap(({ hop }) => Object.entries(hop.transactions)),
)

const kinds: Record<string, { description: string }> = {
  ...Object.fromEntries(
    [...slots.values()].map(({ kind, description }) => [kind, { description }]),
  ),
  UNKNOWN: { description: 'A part newer than this gateway; `rawKind` has its name.' },
}

const HopTransactionKind = builder.enumType('HopTransactionKind', {
  description: 'The part of a transaction in a hop.',
  values: kinds,
})

export const HopTransaction = builder.objectRef<HopTransactionBody>('HopTransaction').implement({
  description: 'A transaction a hop is made of, as the router saw it.',
  fields: (t) => ({
    kind: t.field({
      type: HopTransactionKind,
      description: 'Its part in the hop.',
      resolve: ({ slot }) => slots.get(slot)?.kind ?? 'UNKNOWN',
    }),
    rawKind: t.string({
      description: 'Its part in the hop, in the words of the router.',
      resolve: ({ slot }) => slot,
    }),
    chainId: t.string({
      nullable: true,
      description: 'The chain it is on.',
      resolve: (one) => one.chain_id,
    }),
    chain: chainField(t, 'That chain', (one) => one.chain_id),
    hash: t.string({
      description: 'Its hash, as the chain writes it.',
      resolve: (one) => (one.chain_id ? routerHash(one.chain_id, one.tx_hash) : one.tx_hash),
    }),
    explorerLink: t.string({
      nullable: true,
      description: 'Its page in a block explorer.',
      resolve: (one) => one.explorer_link,
    }),
    timestamp: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was included in a block; null where the router does not tell.',
      resolve: (one) => one.on_chain_at,
    }),
    record: t.field({
      type: IndexedTransaction,
      nullable: true,
      description:
        "The transaction in its chain's indexer; null while that has not caught up, and where the chain is not served. Up to two upstream requests.",
      complexity: callCost,
      resolve: (one, _args, context) => loadIndexed(context, one.chain_id, one.tx_hash),
    }),
  }),
})
