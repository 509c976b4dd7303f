import { z } from 'zod'
import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { connectionType } from '../../../graphql/connection.ts'
import { type PageArgs, pageArgs, pageCost } from '../../../graphql/pageArgs.ts'
import { resolveConnection } from '../../../graphql/resolveConnection.ts'
import { evmHash } from '../../../graphql/scalars.ts'
import { integer, pageOf, quantity, stringOrEmpty, stringOrNull } from '../../../upstream/decode.ts'
import { badInput } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { get, type Path, path } from '../../../upstream/request.ts'
import { Account, accountOf } from '../account.ts'
import { Block, blockAt } from '../block/block.ts'
import { Chain, runsEvm } from '../chain.ts'
import { type ChainNodeShape, chainNode } from '../chainNode.ts'
import { EvmTransaction, loadEvmTransaction } from './evmTransaction.ts'

// Upstream

const internalTransaction = z.object({
  height: integer,
  hash: z.string(),
  parent_index: z.coerce.number().int(),
  index: z.coerce.number().int(),
  type: stringOrEmpty,
  from: stringOrNull,
  to: stringOrNull,
  input: stringOrEmpty,
  output: stringOrEmpty,
  value: quantity,
  gas: quantity,
  gasUsed: quantity,
})
type InternalRecord = z.output<typeof internalTransaction>

const internalPage = pageOf('internal_txs', internalTransaction)

const ofTransaction = (hash: string) => path`/indexer/tx/v1/evm-internal-txs/${hash}`

// Graph

/** A call of an EVM transaction's trace. */
interface InternalShape extends ChainNodeShape<'EvmInternalTransaction'> {
  readonly record: InternalRecord
}

const internalShape = (chain: ServedChain, record: InternalRecord): InternalShape => ({
  __typename: 'EvmInternalTransaction',
  chain,
  record,
})

/** The call of that index; in call order it stands at that position. */
async function loadInternal(context: Context, chain: ServedChain, hash: string, index: number) {
  if (!(await runsEvm(context, chain))) return null
  const query = {
    'pagination.offset': index,
    'pagination.limit': 1,
    'pagination.reverse': false,
    'pagination.count_total': false,
  }
  const page = await context.scope.fetch(
    chain.indexer,
    get(ofTransaction(hash), internalPage, { query }),
  )
  const found = page?.items.find((one) => one.index === index)
  return found ? internalShape(chain, found) : null
}

const EvmInternalTransaction = chainNode<InternalShape>('EvmInternalTransaction', {
  description:
    'One call inside an EVM transaction, from its trace. The top-level call has index 0; the rest follow depth first.',
  keyOf: ({ record }) => `${evmHash(record.hash)}/${record.index}`,
  load: (chain, key, context) => {
    const [, hash, index] = /^(0x[0-9a-f]{64})\/(\d{1,5})$/.exec(key) ?? []
    if (!hash) throw badInput('The id names no internal transaction.')
    return loadInternal(context, chain, hash, Number(index))
  },
  fields: (t) => ({
    transactionHash: t.field({
      type: 'Hash',
      description: 'Hash of the EVM transaction it is part of.',
      resolve: ({ record }) => record.hash,
    }),
    transaction: t.field({
      type: EvmTransaction,
      nullable: true,
      description: 'The EVM transaction it is part of. Those of one block cost one request.',
      complexity: callCost,
      resolve: ({ chain, record }, _args, context) =>
        loadEvmTransaction(context, chain, record.hash, record.height),
    }),
    height: t.field({
      type: 'BigInt',
      description: 'Height of the block it is in.',
      resolve: ({ record }) => record.height,
    }),
    block: t.field({
      type: Block,
      nullable: true,
      description: 'The block it is in. Blocks asked together that lie together cost one request.',
      complexity: callCost,
      resolve: ({ chain, record }) => blockAt(chain, record.height),
    }),
    index: t.int({
      description: 'Its position in the trace, from 0 for the top-level call.',
      resolve: ({ record }) => record.index,
    }),
    parentIndex: t.int({
      nullable: true,
      description: 'Index of the call that made it; null for the top-level call.',
      resolve: ({ record }) => (record.parent_index < 0 ? null : record.parent_index),
    }),
    type: t.string({
      description: 'How it was called, such as CALL, DELEGATECALL, STATICCALL or CREATE.',
      resolve: ({ record }) => record.type,
    }),
    from: t.field({
      type: Account,
      nullable: true,
      description: 'Who called; null when the trace leaves it out.',
      resolve: ({ chain, record }) => accountOf(chain, record.from),
    }),
    to: t.field({
      type: Account,
      nullable: true,
      description: 'Who was called; null when the trace leaves it out.',
      resolve: ({ chain, record }) => accountOf(chain, record.to),
    }),
    value: t.field({
      type: 'BigInt',
      nullable: true,
      description: 'Wei sent along; null when the trace leaves it out.',
      resolve: ({ record }) => record.value,
    }),
    gas: t.field({
      type: 'BigInt',
      nullable: true,
      description: 'Gas it was given; null when the trace leaves it out.',
      resolve: ({ record }) => record.gas,
    }),
    gasUsed: t.field({
      type: 'BigInt',
      nullable: true,
      description: 'Gas it used; null when the trace leaves it out.',
      resolve: ({ record }) => record.gasUsed,
    }),
    input: t.field({
      type: 'Hex',
      description: 'Call data; `0x` when empty.',
      resolve: ({ record }) => record.input,
    }),
    output: t.field({
      type: 'Hex',
      description: 'Returned data; `0x` when empty, and always so for the top-level call.',
      resolve: ({ record }) => record.output,
    }),
  }),
})

const EvmInternalTransactionConnection = connectionType(
  EvmInternalTransaction,
  'internal EVM transactions',
)

async function connectInternal(
  context: Context,
  chain: ServedChain,
  list: { path: Path | string; size?: bigint | undefined },
  args: PageArgs,
) {
  if (!(await runsEvm(context, chain))) return null
  const source = {
    page: internalPage,
    strategy: { kind: 'keyset', field: 'sequence' },
    total: 'count',
  } as const
  return resolveConnection(context, chain.indexer, { ...list, ...source }, args, (one) =>
    internalShape(chain, one),
  )
}

builder.objectField(Chain, 'evmInternalTransactions', (t) =>
  t.field({
    type: EvmInternalTransactionConnection,
    nullable: true,
    description:
      'Calls inside EVM transactions; null on a chain without an EVM, or whose indexer keeps no traces.',
    args: pageArgs(),
    complexity: pageCost,
    resolve: ({ served }, args, context) =>
      connectInternal(context, served, { path: '/indexer/tx/v1/evm-internal-txs' }, args),
  }),
)

builder.objectField(Block, 'evmInternalTransactions', (t) =>
  t.field({
    type: EvmInternalTransactionConnection,
    nullable: true,
    description:
      'Calls inside its EVM transactions, in call order; null without an EVM or traces. Empty while the indexer has yet to trace the block.',
    args: pageArgs('ASC'),
    complexity: pageCost,
    resolve: ({ chain, height, record: known }, args, context) =>
      connectInternal(
        context,
        chain,
        {
          path: path`/indexer/tx/v1/evm-internal-txs/by_height/${height}`,
          size: known?.tx_count === 0n ? 0n : undefined,
        },
        args,
      ),
  }),
)

builder.objectField(Account, 'evmInternalTransactions', (t) =>
  t.field({
    type: EvmInternalTransactionConnection,
    nullable: true,
    description: 'Calls it made or received; null without an EVM or traces.',
    args: pageArgs(),
    complexity: pageCost,
    resolve: ({ chain, address }, args, context) =>
      connectInternal(
        context,
        chain,
        { path: path`/indexer/tx/v1/evm-internal-txs/by_account/${address}` },
        args,
      ),
  }),
)

builder.objectField(EvmTransaction, 'internalTransactions', (t) =>
  t.field({
    type: EvmInternalTransactionConnection,
    nullable: true,
    description:
      'The calls inside it, in call order; null without traces, or while it has yet to be traced.',
    args: pageArgs('ASC'),
    complexity: pageCost,
    resolve: ({ chain, record }, args, context) =>
      connectInternal(context, chain, { path: ofTransaction(record.transactionHash) }, args),
  }),
)
