import { builder, callCost } from '../../../graphql/builder.ts'
import { pageArgs, pageCost } from '../../../graphql/pageArgs.ts'
import { checkHash } from '../../../graphql/scalars.ts'
import { ChainAccount } from '../../account/chainAccount.ts'
import { Chain } from '../../chain/chain.ts'
import { loadWholeBlock } from '../batch/blockList.ts'
import { keepWholeList } from '../batch/wholeLists.ts'
import { Block } from '../block/block.ts'
import { readFrom } from '../height.ts'
import { spanOf, timeArg, timedPageCost, timeFields } from '../time/timeFilter.ts'
import { EvmTransaction, loadEvmTransaction } from './evmTransaction.ts'
import {
  connectInternal,
  connectReceipts,
  EvmInternalTransactionConnection,
  EvmTransactionConnection,
} from './lists.ts'
import { loadTrace } from './traces.ts'
import {
  accountInternalTransactionsPath,
  accountReceiptsPath,
  blockInternalTransactionsPath,
  blockReceiptsPath,
  internalTransactionsPath,
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
      return readFrom(served, (chain) => loadEvmTransaction(context, chain, hash))
    },
  }),
  evmTransactions: t.field({
    type: EvmTransactionConnection,
    nullable: true,
    description: 'EVM transactions in execution order. Null without an EVM.',
    args: { ...timeArg(), ...pageArgs() },
    complexity: timedPageCost,
    resolve: ({ served }, args, context, info) => {
      const span = spanOf(args.filter)
      const list = { path: receiptsPath, isAppendOnly: true, isTotalEstimate: true, span }
      return readFrom(served, (chain) => connectReceipts(context, chain, list, args, info))
    },
  }),
  evmInternalTransactions: t.field({
    type: EvmInternalTransactionConnection,
    nullable: true,
    description: 'Calls inside EVM transactions. Null without an EVM, or without traces.',
    args: { ...timeArg(), ...pageArgs() },
    complexity: timedPageCost,
    resolve: ({ served }, args, context, info) => {
      const span = spanOf(args.filter)
      const list = {
        path: internalTransactionsPath,
        isAppendOnly: true,
        isTotalEstimate: true,
        span,
      }
      return readFrom(served, (chain) => connectInternal(context, chain, list, args, info))
    },
  }),
}))

/** A Cosmos transaction wraps each EVM transaction, so a block without the former has none of the latter. */
const emptySize = (cosmosCount: bigint | undefined) => (cosmosCount === 0n ? 0n : undefined)

builder.objectFields(Block, (t) => ({
  evmTransactions: t.field({
    type: EvmTransactionConnection,
    nullable: true,
    description: 'EVM transactions of the block. Null without an EVM.',
    args: pageArgs('ASC'),
    complexity: pageCost,
    resolve: ({ chain, height, record }, args, context, info) =>
      connectReceipts(
        context,
        chain,
        {
          path: blockReceiptsPath(height),
          size: emptySize(record?.tx_count),
          isWrittenAtOnce: true,
          loadBatch: loadWholeBlock(context, chain, receiptsByBlock, record),
          onWhole: keepWholeList(context, chain, receiptsByBlock, height),
        },
        args,
        info,
        record,
      ),
  }),
  evmInternalTransactions: t.field({
    type: EvmInternalTransactionConnection,
    nullable: true,
    description:
      'Calls inside its EVM transactions, in order. Empty until traced. Null without an EVM, or without traces.',
    args: pageArgs('ASC'),
    complexity: pageCost,
    resolve: ({ chain, height, record }, args, context, info) =>
      connectInternal(
        context,
        chain,
        {
          path: blockInternalTransactionsPath(height),
          size: emptySize(record?.tx_count),
          isWrittenAtOnce: true,
        },
        args,
        info,
        record,
      ),
  }),
}))

builder.objectFields(ChainAccount, (t) => ({
  evmTransactions: t.field({
    type: EvmTransactionConnection,
    nullable: true,
    description:
      'EVM transactions from or to the account, or with it in a log. Null without an EVM.',
    args: {
      filter: t.arg({
        type: ChainAccountEvmTransactionFilter,
        description: 'Which transactions to list.',
      }),
      ...pageArgs(),
    },
    complexity: timedPageCost,
    resolve: ({ chain: { served }, address }, args, context, info) => {
      const list = {
        path: accountReceiptsPath(address),
        span: spanOf(args.filter),
        ...(args.filter?.signedOnly && { query: { is_signer: true } }),
      }
      return readFrom(served, (chain) => connectReceipts(context, chain, list, args, info))
    },
  }),
  evmInternalTransactions: t.field({
    type: EvmInternalTransactionConnection,
    nullable: true,
    description: 'Calls that the account made or received. Null without an EVM, or without traces.',
    args: { ...timeArg(), ...pageArgs() },
    complexity: timedPageCost,
    resolve: ({ chain: { served }, address }, args, context, info) => {
      const list = { path: accountInternalTransactionsPath(address), span: spanOf(args.filter) }
      return readFrom(served, (chain) => connectInternal(context, chain, list, args, info))
    },
  }),
}))

builder.objectField(EvmTransaction, 'internalTransactions', (t) =>
  t.field({
    type: EvmInternalTransactionConnection,
    nullable: true,
    description: 'Calls inside the transaction, in call order. Null without a trace.',
    args: pageArgs('ASC'),
    complexity: pageCost,
    resolve: ({ chain, record, block }, args, context, info) =>
      connectInternal(
        context,
        chain,
        {
          path: tracePath(record.transactionHash),
          isWrittenAtOnce: true,
          loadBatch: (count) => loadTrace(context, chain, record, count),
        },
        args,
        info,
        block,
      ),
  }),
)
