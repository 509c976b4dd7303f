import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { checkHash, evmHash } from '../../../engine/graphql/scalars.ts'
import type { WholeList } from '../../../engine/pagination/run.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { evmAddress } from '../../account/address.ts'
import { ChainAccount } from '../../account/chainAccount.ts'
import { Chain } from '../../chain/chain.ts'
import { loadBlockList, loadWholeBlock } from '../batch/blockList.ts'
import { keepWholeList } from '../batch/wholeLists.ts'
import { Block } from '../block/block.ts'
import type { BlockRecord } from '../block/wire.ts'
import { listField } from '../listField.ts'
import { timeArg, timeFields } from '../time/timeFilter.ts'
import { internalTransactionShape } from './evmInternalTransaction.ts'
import { EvmTransaction, evmTransactionShape, loadEvmTransaction } from './evmTransaction.ts'
import { listedCalls, listedReceipts } from './lists.ts'
import {
  accountInternalTransactionsPath,
  accountReceiptsPath,
  blockInternalTransactionsPath,
  blockReceiptsPath,
  type InternalTransactionRecord,
  internalTransactionsByBlock,
  internalTransactionsPath,
  type ReceiptRecord,
  receiptsByBlock,
  receiptsPath,
  tracePath,
} from './wire.ts'

const ChainAccountEvmTransactionFilter = builder.inputType('ChainAccountEvmTransactionFilter', {
  description: 'Which EVM transactions of an account to list. All conditions hold.',
  fields: (t) => ({
    signedOnly: t.boolean({
      description: 'Only transactions that the account sent. Default: false.',
    }),
    since: t.field(timeFields.since),
    until: t.field(timeFields.until),
  }),
})

builder.objectFields(Chain, (t) => ({
  evmTransaction: t.field({
    type: EvmTransaction,
    nullable: true,
    description:
      'The EVM transaction with this hash. Null if not indexed. Null without an EVM. Costs one upstream request.',
    args: {
      hash: t.arg({
        type: 'Hash',
        required: true,
        description: 'EVM transaction hash, in any case.',
      }),
    },
    complexity: callCost,
    resolve: ({ served }, args, context) => {
      const hash = checkHash(args.hash)
      return served && loadEvmTransaction(context, served, hash)
    },
  }),
  evmTransactions: listField(t, listedReceipts, {
    description: 'EVM transactions in execution order. Null without an EVM.',
    args: timeArg(),
    list: () => ({ path: receiptsPath, isAppendOnly: true, isTotalEstimate: true }),
    nodeOf: (receipt, { chain }) => evmTransactionShape(chain, receipt),
  }),
  evmInternalTransactions: listField(t, listedCalls, {
    description: 'Calls inside EVM transactions. Null without an EVM, or without traces.',
    args: timeArg(),
    list: () => ({ path: internalTransactionsPath, isAppendOnly: true, isTotalEstimate: true }),
    nodeOf: (call, { chain }) => internalTransactionShape(chain, call),
  }),
}))

/** A Cosmos transaction wraps each EVM transaction, so a block without the former has none of the latter. */
const emptySize = (block: BlockRecord | undefined) => (block?.tx_count === 0n ? 0n : undefined)

builder.objectFields(Block, (t) => ({
  evmTransactions: listField(t, listedReceipts, {
    description: 'EVM transactions of the block. Null without an EVM.',
    order: 'ASC',
    list: ({ chain, context, owner: { height, record } }) => ({
      loadBatch: loadWholeBlock(context, chain, receiptsByBlock, record),
      path: blockReceiptsPath(height),
      size: emptySize(record),
      isWrittenAtOnce: true,
      onWhole: keepWholeList(context, chain, receiptsByBlock, height),
    }),
    nodeOf: (receipt, { chain, owner }) => evmTransactionShape(chain, receipt, { block: owner.record }),
  }),
  evmInternalTransactions: listField(t, listedCalls, {
    description:
      'Calls inside its EVM transactions, in order. Empty until traced. Null without an EVM, or without traces.',
    order: 'ASC',
    list: ({ owner: { height, record } }) => ({
      path: blockInternalTransactionsPath(height),
      size: emptySize(record),
      isWrittenAtOnce: true,
    }),
    nodeOf: (call, { chain, owner }) => internalTransactionShape(chain, call, owner.record),
  }),
}))

builder.objectFields(ChainAccount, (t) => ({
  evmTransactions: listField(t, listedReceipts, {
    description: 'EVM transactions from or to the account, or with it in a log. Null without an EVM.',
    args: { filter: t.arg({ type: ChainAccountEvmTransactionFilter, description: 'Which transactions to list.' }) },
    list: ({ chain, owner, args }) => ({
      path: accountReceiptsPath(evmAddress(chain, owner.address)),
      ...(args.filter?.signedOnly && { query: { is_signer: true } }),
    }),
    nodeOf: (receipt, { chain }) => evmTransactionShape(chain, receipt),
  }),
  evmInternalTransactions: listField(t, listedCalls, {
    description: 'Calls that the account made or received. Null without an EVM, or without traces.',
    args: timeArg(),
    list: ({ chain, owner }) => ({ path: accountInternalTransactionsPath(evmAddress(chain, owner.address)) }),
    nodeOf: (call, { chain }) => internalTransactionShape(chain, call),
  }),
}))

builder.objectField(EvmTransaction, 'internalTransactions', (t) =>
  listField(t, listedCalls, {
    description: 'Calls inside the transaction, in call order. Null without a trace.',
    order: 'ASC',
    list: ({ chain, context, owner: { record } }) => ({
      loadBatch: (count) => loadTrace(context, chain, record, count),
      path: tracePath(record.transactionHash),
      isWrittenAtOnce: true,
    }),
    nodeOf: (call, { chain, owner }) => internalTransactionShape(chain, call, owner.block),
  }),
)

type Trace = WholeList<InternalTransactionRecord>

/** Calls of a trace to expect. Longer traces are read on their own. */
const usualLength = 8

/**
 * Reads the whole trace of an EVM transaction together with the traces of nearby blocks that are
 * requested in the same tick. Null if it has to be read on its own.
 */
export async function loadTrace(
  context: Context,
  chain: ServedChain,
  { transactionHash, blockNumber: height }: ReceiptRecord,
  count: number,
): Promise<Trace | null> {
  const hash = evmHash(transactionHash)
  const wanted = { height, part: hash, size: Math.min(count, usualLength) }
  const calls = await loadBlockList(context, chain, internalTransactionsByBlock, wanted)
  const trace = calls && findTrace(calls, hash)
  return trace && context.scope.memory.releaseAtEnd(trace)
}

/** The trace of a transaction among the calls of its block. Null without all its calls. */
function findTrace({ items, firstKey }: Trace, hash: string): Trace | null {
  const start = items.findIndex((call) => evmHash(call.hash) === hash)
  const trace = items.filter((call) => evmHash(call.hash) === hash)
  // Only calls that follow each other have known numbers. They are numbered from 0, and the last one comes first.
  const isWhole = trace.every((call, i) => items[start + i] === call && call.index === trace.length - 1 - i)
  return start >= 0 && isWhole ? { items: trace, firstKey: firstKey - BigInt(start) } : null
}
