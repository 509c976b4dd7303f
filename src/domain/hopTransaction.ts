import { builder, type Context, callCost } from '../graph/builder.ts'
import { Chain, runsEvm } from './chain.ts'
import { EvmTransaction, loadEvmTransaction } from './evmTransaction.ts'
import { routerHash, servedChain } from './router.ts'
import { loadTransaction, Transaction } from './transaction.ts'
import type { HopTransactionBody } from './transferStatus.ts'

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
  SEND: ['send_tx', 'Sends the asset off.'],
  RECEIVE: ['receive_tx', 'Delivers it on the next chain.'],
  ACKNOWLEDGE: ['acknowledge_tx', 'Tells the sending chain that it was delivered, or refused.'],
  TIMEOUT: ['timeout_tx', 'Takes it back on the sending chain, as it was not delivered in time.'],
  GAS_PAID: ['gas_paid_tx', 'Pays the bridge for its work on the next chain.'],
  CONFIRM: ['confirm_tx', 'Confirms the sending within the bridge.'],
  APPROVE: ['approve_tx', 'Approves the delivery within the bridge.'],
  EXECUTE: ['execute_tx', 'Executes the delivery on the next chain.'],
  COMPOSE: ['compose_tx', 'Does on the next chain what was to follow the delivery.'],
  ORDER_SUBMIT: ['order_submitted_tx', 'Offers the transfer to solvers.'],
  ORDER_FILL: ['order_filled_tx', 'Pays it out on the next chain, by a solver.'],
  ORDER_REFUND: ['order_refunded_tx', 'Gives it back, as no solver paid it out.'],
  ORDER_TIMEOUT: ['order_timeout_tx', 'Closes the offer, as no solver paid it out in time.'],
  ERROR: ['error_tx', 'Fails on the next chain.'],
} as const

type Kind = keyof typeof kinds | 'UNKNOWN'

const isKind = (name: string): name is keyof typeof kinds => Object.hasOwn(kinds, name)
const names = Object.keys(kinds).filter(isKind)

const kindOf = (slot: string): Kind => names.find((name) => kinds[name][0] === slot) ?? 'UNKNOWN'

const HopTransactionKind = builder.enumType('HopTransactionKind', {
  description: 'The part of a transaction in a hop.',
  values: {
    ...(Object.fromEntries(names.map((name) => [name, { description: kinds[name][1] }])) as Record<
      keyof typeof kinds,
      { description: string }
    >),
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
    chain: t.field({
      type: Chain,
      nullable: true,
      description: 'That chain; null where this gateway does not serve it.',
      resolve: (one, _args, context) => servedChain(context, one.chain_id),
    }),
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
