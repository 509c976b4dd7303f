import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { runsEvm } from '../../indexer/chain.ts'
import { EvmTransaction, loadEvmTransaction } from '../../indexer/evm/evmTransaction.ts'
import { loadTransaction, Transaction } from '../../indexer/transaction/transaction.ts'
import { chainField } from '../chainFields.ts'
import { routerHash } from '../routerInput.ts'
import type { HopTransactionBody } from './readStatus.ts'

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

const kinds = {
  SEND: { slot: 'send_tx', description: 'Sends the asset off.' },
  RECEIVE: { slot: 'receive_tx', description: 'Delivers it on the next chain.' },
  ACKNOWLEDGE: {
    slot: 'acknowledge_tx',
    description: 'Tells the sending chain that it was delivered, or refused.',
  },
  TIMEOUT: {
    slot: 'timeout_tx',
    description: 'Takes it back on the sending chain, as it was not delivered in time.',
  },
  GAS_PAID: { slot: 'gas_paid_tx', description: 'Pays the bridge for its work on the next chain.' },
  CONFIRM: { slot: 'confirm_tx', description: 'Confirms the sending within the bridge.' },
  APPROVE: { slot: 'approve_tx', description: 'Approves the delivery within the bridge.' },
  EXECUTE: { slot: 'execute_tx', description: 'Executes the delivery on the next chain.' },
  COMPOSE: {
    slot: 'compose_tx',
    description: 'Does on the next chain what was to follow the delivery.',
  },
  ORDER_SUBMIT: { slot: 'order_submitted_tx', description: 'Offers the transfer to solvers.' },
  ORDER_FILL: {
    slot: 'order_filled_tx',
    description: 'Pays it out on the next chain, by a solver.',
  },
  ORDER_REFUND: {
    slot: 'order_refunded_tx',
    description: 'Gives it back, as no solver paid it out.',
  },
  ORDER_TIMEOUT: {
    slot: 'order_timeout_tx',
    description: 'Closes the offer, as no solver paid it out in time.',
  },
  ERROR: { slot: 'error_tx', description: 'Fails on the next chain.' },
} as const

const kindOf = (slot: string): keyof typeof kinds | 'UNKNOWN' =>
  names.find((name) => kinds[name].slot === slot) ?? 'UNKNOWN'

const isKind = (name: string): name is keyof typeof kinds => Object.hasOwn(kinds, name)
const names = Object.keys(kinds).filter(isKind)

const HopTransactionKind = builder.enumType('HopTransactionKind', {
  description: 'The part of a transaction in a hop.',
  values: {
    ...kinds,
    UNKNOWN: { description: 'A part newer than this gateway; `rawKind` has its name.' },
  },
})

export const HopTransaction = builder.objectRef<HopTransactionBody>('HopTransaction').implement({
  description: 'A transaction a hop is made of, as the router saw it.',
  fields: (t) => ({
    kind: t.field({
      type: HopTransactionKind,
      description: 'Its part in the hop.',
      resolve: ({ slot }) => kindOf(slot),
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
