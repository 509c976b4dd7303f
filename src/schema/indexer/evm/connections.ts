import { builder, type Context } from '../../../graphql/builder.ts'
import { connectionType } from '../../../graphql/connection.ts'
import { type PageArgs, pageArgs, pageCost } from '../../../graphql/pageArgs.ts'
import { resolveConnection } from '../../../graphql/resolveConnection.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { type Path, path } from '../../../upstream/request.ts'
import { Account } from '../account.ts'
import { Block } from '../block/block.ts'
import { Chain, runsEvm } from '../chain.ts'
import { EvmTransaction, evmTransactionShape } from './evmTransaction.ts'
import { receiptsAt, receiptsPage, receiptsPath } from './wire.ts'

const EvmTransactionConnection = connectionType(EvmTransaction, 'EVM transactions')

async function connectReceipts(
  context: Context,
  chain: ServedChain,
  list: { path: Path | string; query?: { is_signer: true }; size?: bigint | undefined },
  args: PageArgs,
) {
  if (!(await runsEvm(context, chain))) return null
  const source = {
    page: receiptsPage,
    strategy: { kind: 'keyset', field: 'sequence' },
    total: 'count',
  } as const
  return resolveConnection(context, chain.indexer, { ...list, ...source }, args, (one) =>
    evmTransactionShape(chain, one),
  )
}

builder.objectField(Chain, 'evmTransactions', (t) =>
  t.field({
    type: EvmTransactionConnection,
    nullable: true,
    description:
      'EVM transactions in the order they were executed; null on a chain without an EVM.',
    args: pageArgs(),
    complexity: pageCost,
    resolve: ({ served }, args, context) =>
      connectReceipts(context, served, { path: receiptsPath }, args),
  }),
)

builder.objectField(Block, 'evmTransactions', (t) =>
  t.field({
    type: EvmTransactionConnection,
    nullable: true,
    description: 'Its EVM transactions; null on a chain without an EVM.',
    args: pageArgs('ASC'),
    complexity: pageCost,
    resolve: ({ chain, height, record: known }, args, context) =>
      connectReceipts(
        context,
        chain,
        // Each one is carried by a chain-native transaction: none of those, none of these.
        { path: receiptsAt(height), size: known?.tx_count === 0n ? 0n : undefined },
        args,
      ),
  }),
)

builder.objectField(Account, 'evmTransactions', (t) =>
  t.field({
    type: EvmTransactionConnection,
    nullable: true,
    description:
      'EVM transactions that it sent, received, or that logged its address; null on a chain without an EVM.',
    args: {
      ...pageArgs(),
      signedOnly: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'Only those it sent.',
      }),
    },
    complexity: pageCost,
    resolve: ({ chain, address }, args, context) =>
      connectReceipts(
        context,
        chain,
        {
          path: path`/indexer/tx/v1/evm-txs/by_account/${address}`,
          ...(args.signedOnly && { query: { is_signer: true } }),
        },
        args,
      ),
  }),
)
