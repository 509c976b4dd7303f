import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
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
    account: t.value(ChainAccount, 'The contract that emitted the log.', ({ chain, record }) =>
      chainAccount(chain, record.address),
    ),
    topics: t.nullable(
      ['Hex'],
      'Up to four topics of 32 bytes. The first is usually the hash of the event signature.',
      ({ record }) => record.topics,
    ),
    data: t.value(
      'Hex',
      'Data of the log that is not in the topics, ABI-encoded. `0x` if empty.',
      ({ record }) => record.data,
    ),
    index: t.ifKnown('UInt53', 'Position among the logs of the block, from 0.', ({ record }) => record.logIndex),
    isRemoved: t.value(
      'Boolean',
      'Whether a reorganization removed the log. Always false on final chains.',
      ({ record }) => record.removed === true,
    ),
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
    hash: t.value(
      'Hash',
      'EVM transaction hash: 0x and 64 lower-case hex digits.',
      ({ record }) => record.transactionHash,
    ),
    height: t.value('UInt53', 'Height of its block.', ({ record }) => record.blockNumber),
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
    blockHash: t.ifKnown('Hash', 'Block hash in the EVM, with 0x, not `block.hash`.', ({ record }) => record.blockHash),
    index: t.ifKnown(
      'UInt53',
      'Position among the EVM transactions of the block. MiniEVM begins with 1.',
      ({ record }) => record.transactionIndex,
    ),
    from: t.ifKnown(
      ChainAccount,
      'The sender. Zero if MiniEVM made it of a Cosmos transaction not signed as one.',
      ({ chain, record }) => chainAccountOf(chain, record.from),
    ),
    to: t.nullable(
      ChainAccount,
      'The recipient. Null if it created a contract, or was not signed as an EVM transaction.',
      ({ chain, record }) => chainAccountOf(chain, record.to),
    ),
    createdContract: t.nullable(
      ChainAccount,
      'The contract that the transaction created. Null if it created none.',
      ({ chain, record }) => chainAccountOf(chain, record.contractAddress),
    ),
    isSuccessful: t.ifKnown('Boolean', 'Whether execution succeeded.', ({ record }) =>
      record.status === null ? null : record.status === 1n,
    ),
  }),
})

// Gas and fees

builder.objectFields(EvmTransaction, (t) => ({
  gasUsed: t.ifKnown('BigInt', 'Gas used.', ({ record }) => record.gasUsed),
  cumulativeGasUsed: t.ifKnown('BigInt', 'Gas used in the block up to here.', ({ record }) => record.cumulativeGasUsed),
  effectiveGasPrice: t.ifKnown('BigInt', 'Price of a unit of gas, in wei.', ({ record }) => record.effectiveGasPrice),
  fee: t.nullable(
    'BigInt',
    'Fee paid: `gasUsed` times `effectiveGasPrice`, in wei. Null if one of them is null.',
    ({ record: { gasUsed, effectiveGasPrice } }) =>
      gasUsed === null || effectiveGasPrice === null ? null : gasUsed * effectiveGasPrice,
  ),
}))

// What else the receipt has

builder.objectFields(EvmTransaction, (t) => ({
  type: t.ifKnown(
    'Int',
    'EIP-2718 type: 0 legacy, 1 access list, 2 dynamic fee.',
    // EIP-2718 gives it one byte.
    ({ record: { type } }) => (type === null || type > 255n ? null : Number(type)),
  ),
  logsBloom: t.ifKnown(
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
