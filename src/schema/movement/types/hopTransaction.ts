import { builder, callCost } from '../../../engine/graphql/builder.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { IndexedTransaction } from '../../indexer/indexedTransaction.ts'
import { bridges } from '../../router/bridges/bridges.ts'
import type { TransactionSlot } from '../../router/bridges/defineBridge.ts'
import { ifSent, optionalChainField } from '../../router/routerFields.ts'
import { loadFromChain } from '../joined/loadFromChain.ts'
import type { HopTransactionBody } from '../reported/readHop.ts'
import { routerHash } from '../reported/txHash.ts'

const slots: ReadonlyMap<string, TransactionSlot> = new Map(
  bridges.flatMap(({ hop }) => Object.entries(hop.transactions)),
)

const kinds: Record<string, { description: string }> = {
  ...Object.fromEntries([...slots.values()].map(({ kind, description }) => [kind, { description }])),
  UNKNOWN: { description: 'A purpose unknown to this gateway. See `rawKind`.' },
}

const HopTransactionKind = builder.enumType('HopTransactionKind', {
  description: 'Kind of a transaction of a hop.',
  values: kinds,
})

export const HopTransaction = builder.objectRef<HopTransactionBody>('HopTransaction').implement({
  description: 'A transaction of a hop, as the router reports it.',
  fields: (t) => ({
    kind: t.value(HopTransactionKind, 'What the transaction does.', ({ slot }) => slots.get(slot)?.kind ?? 'UNKNOWN'),
    rawKind: t.value('String', "The router's word for it, such as `send_tx`.", ({ slot }) => slot),
    chainId: ifSent(t, 'ChainId', 'The chain that the transaction is on.', ({ chain_id }) => chain_id),
    chain: optionalChainField(t, 'The chain that the transaction is on', ({ chain_id }) => chain_id),
    hash: ifSent(t, 'String', 'Hash of the transaction, in the notation of the chain.', ({ chain_id, tx_hash }) => {
      const [chainId, hash] = [ifReadable(chain_id), ifReadable(tx_hash)]
      return chainId && hash ? routerHash(chainId, hash) : tx_hash
    }),
    explorerUrl: ifSent(t, 'URL', 'URL in a block explorer.', ({ explorer_link }) => explorer_link),
    timestamp: ifSent(t, 'DateTime', 'When the transaction was included in a block.', ({ on_chain_at }) => on_chain_at),
    transaction: t.field({
      type: IndexedTransaction,
      nullable: true,
      description:
        'The indexed transaction. Null if not indexed yet, or without an indexer. Costs up to two upstream requests.',
      complexity: 2 * callCost,
      extensions: { late: ['transaction'] },
      resolve: ({ chain_id, tx_hash }, _args, context) =>
        loadFromChain(context, ifReadable(chain_id), ifReadable(tx_hash)),
    }),
  }),
})
