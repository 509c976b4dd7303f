import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { nullableField } from '../../../engine/graphql/fields.ts'
import { evmHash } from '../../../engine/graphql/scalars.ts'
import { badInput } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { ChainAccount, chainAccount, chainAccountOf } from '../../account/chainAccount.ts'
import { runsEvm } from '../../chain/evmSupport.ts'
import { Block, blockAt, timeOf } from '../block/block.ts'
import type { BlockRecord } from '../block/wire.ts'
import { type ChainNodeShape, chainNode } from '../chainNode.ts'
import { IndexedTransaction } from '../indexedTransaction.ts'
import type { TransactionRecord } from '../transaction/wire.ts'
import { loadReceipt } from './loadReceipt.ts'
import type { LogRecord, ReceiptRecord } from './wire.ts'

interface LogShape {
  readonly chain: ServedChain
  readonly record: LogRecord
}

const EvmLog = builder.objectRef<LogShape>('EvmLog').implement({
  description: 'A log that a contract emitted during an EVM transaction.',
  fields: (t) => ({
    account: t.field({
      type: ChainAccount,
      description: 'The contract that emitted the log.',
      resolve: ({ chain, record }) => chainAccount(chain, record.address),
    }),
    topics: t.field({
      type: ['Hex'],
      nullable: true,
      description: 'Up to four topics of 32 bytes. The first is usually the hash of the event signature.',
      resolve: ({ record }) => record.topics,
    }),
    data: t.field({
      type: 'Hex',
      description: 'Data of the log that is not in the topics, ABI-encoded. `0x` if empty.',
      resolve: ({ record }) => record.data,
    }),
    index: nullableField(t, 'UInt53', 'Position among the logs of the block, from 0.', ({ record }) => record.logIndex),
    isRemoved: t.boolean({
      description: 'Whether a reorganization removed the log. Always false on final chains.',
      resolve: ({ record }) => record.removed === true,
    }),
  }),
})

/** An EVM transaction and its receipt. */
export interface EvmTransactionShape extends ChainNodeShape<'EvmTransaction'> {
  readonly record: ReceiptRecord
  /** The Cosmos transaction that carries it, if it was found by that. */
  readonly wrappingTransaction: TransactionRecord | undefined
  /** The record of its block, if it was found by that. */
  readonly block: BlockRecord | undefined
}

/** The graph's value for a receipt, and the records that it was found by. */
export const evmTransactionShape = (
  chain: ServedChain,
  record: ReceiptRecord,
  { wrappingTransaction, block }: { wrappingTransaction?: TransactionRecord; block?: BlockRecord | undefined } = {},
): EvmTransactionShape => ({
  __typename: 'EvmTransaction',
  chain,
  record,
  wrappingTransaction,
  block,
})

const blockOf = ({ chain, record, block }: EvmTransactionShape) => blockAt(chain, record.blockNumber, block)

/**
 * The EVM transaction with this hash, in any spelling. Null if it is not indexed or the chain has no
 * EVM. With a height, several transactions of one block share a request.
 */
export async function loadEvmTransaction(
  context: Context,
  chain: ServedChain,
  hash: string,
  height?: bigint,
): Promise<EvmTransactionShape | null> {
  if (!(await runsEvm(context, chain))) return null
  const receipt = await loadReceipt(context, chain, { hash: evmHash(hash), height })
  return receipt && evmTransactionShape(chain, receipt)
}

/** A time without its part of a second, which indexers do not keep of a block. */
const wholeSeconds = (time: string): string => `${new Date(time).toISOString().slice(0, -'.000Z'.length)}Z`

export const EvmTransaction = chainNode<EvmTransactionShape>('EvmTransaction', {
  interfaces: [IndexedTransaction],
  description: 'An EVM transaction, from its receipt.',
  keyOf: ({ record: { transactionHash } }) => transactionHash,
  load: (chain, key, context) => {
    if (!/^0x[0-9a-f]{64}$/i.test(key)) throw badInput('Invalid EVM transaction ID.', 'INVALID_ID')
    return loadEvmTransaction(context, chain, key)
  },
  fields: (t) => ({
    hash: t.field({
      type: 'Hash',
      description: 'EVM transaction hash: 0x and 64 lower-case hex digits.',
      resolve: ({ record }) => record.transactionHash,
    }),
    height: t.field({
      type: 'UInt53',
      description: 'Height of its block.',
      resolve: ({ record }) => record.blockNumber,
    }),
    block: t.field({
      type: Block,
      nullable: true,
      description: 'The block of the transaction. Nearby blocks share one upstream request.',
      complexity: callCost,
      resolve: blockOf,
    }),
    timestamp: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of its block, in whole seconds. Nearby blocks share one upstream request.',
      complexity: callCost,
      resolve: (shape, _args, context) =>
        shape.wrappingTransaction ? wholeSeconds(shape.wrappingTransaction.timestamp) : timeOf(blockOf(shape), context),
    }),
    blockHash: nullableField(
      t,
      'Hash',
      'Block hash in the EVM, with 0x, not `block.hash`.',
      ({ record }) => record.blockHash,
    ),
    index: nullableField(
      t,
      'UInt53',
      'Position among the EVM transactions of the block. MiniEVM begins with 1.',
      ({ record }) => record.transactionIndex,
    ),
    from: nullableField(
      t,
      ChainAccount,
      'The sender. Zero if MiniEVM made it of a Cosmos transaction not signed as one.',
      ({ chain, record }) => chainAccountOf(chain, record.from),
    ),
    to: t.field({
      type: ChainAccount,
      nullable: true,
      description: 'The recipient. Null if it created a contract, or was not signed as an EVM transaction.',
      resolve: ({ chain, record }) => chainAccountOf(chain, record.to),
    }),
    createdContract: t.field({
      type: ChainAccount,
      nullable: true,
      description: 'The contract that the transaction created. Null if it created none.',
      resolve: ({ chain, record }) => chainAccountOf(chain, record.contractAddress),
    }),
    isSuccessful: nullableField(t, 'Boolean', 'Whether execution succeeded.', ({ record }) =>
      record.status === null ? null : record.status === 1n,
    ),
  }),
})

// Gas and fees

builder.objectFields(EvmTransaction, (t) => ({
  gasUsed: nullableField(t, 'BigInt', 'Gas used.', ({ record }) => record.gasUsed),
  cumulativeGasUsed: nullableField(
    t,
    'BigInt',
    'Gas used in the block up to here.',
    ({ record }) => record.cumulativeGasUsed,
  ),
  effectiveGasPrice: nullableField(
    t,
    'BigInt',
    'Price of a unit of gas, in wei.',
    ({ record }) => record.effectiveGasPrice,
  ),
  fee: t.field({
    type: 'BigInt',
    nullable: true,
    description: 'Fee paid: `gasUsed` times `effectiveGasPrice`, in wei. Null if one of them is null.',
    resolve: ({ record: { gasUsed, effectiveGasPrice } }) =>
      gasUsed === null || effectiveGasPrice === null ? null : gasUsed * effectiveGasPrice,
  }),
}))

// What else the receipt has

builder.objectFields(EvmTransaction, (t) => ({
  type: t.int({
    nullable: true,
    description: 'EIP-2718 type: 0 legacy, 1 access list, 2 dynamic fee. Null if unknown.',
    // EIP-2718 gives it one byte.
    resolve: ({ record: { type } }) => (type === null || type > 255n ? null : Number(type)),
  }),
  logsBloom: nullableField(
    t,
    'Hex',
    'Bloom filter over the addresses and topics of its logs.',
    ({ record }) => record.logsBloom,
  ),
  logs: t.field({
    type: [EvmLog],
    nullable: true,
    description: 'Logs in the order they were emitted.',
    args: {
      topics: t.arg({ type: ['Hex'], description: 'Only logs with one of these first topics.' }),
    },
    resolve: ({ chain, record }, { topics }) => {
      const wanted = topics && new Set(topics.map(evmHash))
      return record.logs
        .filter(({ topics: [first] }) => !wanted || (first && wanted.has(evmHash(first))))
        .map((log) => ({ chain, record: log }))
    },
  }),
}))
