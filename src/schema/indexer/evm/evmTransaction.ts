import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { evmHash } from '../../../graphql/scalars.ts'
import { badInput } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { Account, accountOf } from '../account.ts'
import { Block, blockAt } from '../block/block.ts'
import { Chain, runsEvm } from '../chain.ts'
import { type ChainNodeShape, chainNode } from '../chainNode.ts'
import { EvmLog } from './evmLog.ts'
import { loadReceipt, type ReceiptRecord } from './wire.ts'

/** A transaction of a chain's EVM with its receipt. */
export interface EvmTransactionShape extends ChainNodeShape<'EvmTransaction'> {
  readonly record: ReceiptRecord
}

/** The graph's value for a receipt. */
export const evmTransactionShape = (
  chain: ServedChain,
  found: ReceiptRecord,
): EvmTransactionShape => ({
  __typename: 'EvmTransaction',
  chain,
  record: found,
})

/**
 * The EVM transaction of a hash in any spelling; null when it is not indexed, or the chain runs no
 * EVM. A known height lets several of one block share a request.
 */
export async function loadEvmTransaction(
  context: Context,
  chain: ServedChain,
  hash: string,
  height?: bigint,
): Promise<EvmTransactionShape | null> {
  if (!(await runsEvm(context, chain))) return null
  const found = await loadReceipt(context, chain, { hash: evmHash(hash), height })
  return found && evmTransactionShape(chain, found)
}

export const EvmTransaction = chainNode<EvmTransactionShape>('EvmTransaction', {
  description:
    "A transaction as the chain's EVM executed it: its receipt. Value, input and nonce are not indexed.",
  keyOf: ({ record: { transactionHash } }) => transactionHash,
  load: (chain, key, context) => {
    if (!/^0x[0-9a-f]{64}$/i.test(key)) throw badInput('The id names no EVM transaction.')
    return loadEvmTransaction(context, chain, key)
  },
  fields: (t) => ({
    hash: t.field({
      type: 'Hash',
      description: 'Its EVM hash: 0x and 64 lower-case hex digits.',
      resolve: (one) => one.record.transactionHash,
    }),
    height: t.field({
      type: 'BigInt',
      description: 'Height of the block it is in.',
      resolve: (one) => one.record.blockNumber,
    }),
    block: t.field({
      type: Block,
      nullable: true,
      description: 'The block it is in. Blocks asked together that lie together cost one request.',
      complexity: callCost,
      resolve: (one) => blockAt(one.chain, one.record.blockNumber),
    }),
    blockHash: t.field({
      type: 'Hex',
      description: 'Hash of its block as the EVM sees it, with 0x.',
      resolve: (one) => one.record.blockHash,
    }),
    index: t.field({
      type: 'BigInt',
      nullable: true,
      description: 'Its position among the EVM transactions of the block, from 0.',
      resolve: (one) => one.record.transactionIndex,
    }),
    from: t.field({
      type: Account,
      nullable: true,
      description: 'Who sent it.',
      resolve: (one) => accountOf(one.chain, one.record.from),
    }),
    to: t.field({
      type: Account,
      nullable: true,
      description: 'Who received it; null when it created a contract.',
      resolve: (one) => accountOf(one.chain, one.record.to),
    }),
    createdContract: t.field({
      type: Account,
      nullable: true,
      description: 'The contract it created; null when it created none.',
      resolve: (one) => accountOf(one.chain, one.record.contractAddress),
    }),
    isSuccessful: t.boolean({
      nullable: true,
      description: 'Whether it ran to its end; null when the receipt does not say.',
      resolve: (one) => (one.record.status === null ? null : one.record.status === 1n),
    }),
    gasUsed: t.field({
      type: 'BigInt',
      nullable: true,
      description: 'Gas it used.',
      resolve: (one) => one.record.gasUsed,
    }),
    cumulativeGasUsed: t.field({
      type: 'BigInt',
      nullable: true,
      description: 'Gas used in the block up to and with it.',
      resolve: (one) => one.record.cumulativeGasUsed,
    }),
    effectiveGasPrice: t.field({
      type: 'BigInt',
      nullable: true,
      description: 'Wei paid for a unit of gas.',
      resolve: (one) => one.record.effectiveGasPrice,
    }),
    fee: t.field({
      type: 'BigInt',
      nullable: true,
      description: 'Wei paid for its gas: gas used times the effective price.',
      resolve: ({ record: { gasUsed, effectiveGasPrice } }) =>
        gasUsed === null || effectiveGasPrice === null ? null : gasUsed * effectiveGasPrice,
    }),
    type: t.int({
      nullable: true,
      description: 'Its EIP-2718 envelope type: 0 legacy, 1 access list, 2 dynamic fee.',
      resolve: (one) => (one.record.type === null ? null : Number(one.record.type)),
    }),
    logsBloom: t.field({
      type: 'Hex',
      description: 'Bloom filter over the addresses and topics of its logs.',
      resolve: (one) => one.record.logsBloom,
    }),
    logs: t.field({
      type: [EvmLog],
      description: 'What its contracts logged, in order.',
      resolve: (one) => one.record.logs.map((entry) => ({ chain: one.chain, record: entry })),
    }),
  }),
})

builder.objectField(Chain, 'evmTransaction', (t) =>
  t.field({
    type: EvmTransaction,
    nullable: true,
    description:
      'The EVM transaction of a hash; null when it is not indexed, or the chain runs no EVM.',
    args: { hash: t.arg({ type: 'Hash', required: true, description: 'In any case.' }) },
    complexity: callCost,
    resolve: ({ served }, { hash }, context) => loadEvmTransaction(context, served, hash),
  }),
)
