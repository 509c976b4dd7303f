import { z } from 'zod'
import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { nativeHash } from '../../../graphql/scalars.ts'
import { integer, list, stringOrEmpty, timestamp, unwrapped } from '../../../upstream/decode.ts'
import { badInput } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { get, path } from '../../../upstream/request.ts'
import { Block, blockAt } from '../block/block.ts'
import { Chain } from '../chain.ts'
import { type ChainNodeShape, chainNode } from '../chainNode.ts'
import { event, TransactionEvent } from './transactionEvent.ts'
import { TransactionMessage, txBody } from './transactionMessage.ts'
import { feeOf, signersOf, TransactionFee, TransactionSigner } from './transactionSigner.ts'

// Upstream

/** A chain-native transaction on the wire. */
export const transaction = z.object({
  txhash: z.string(),
  height: integer,
  codespace: stringOrEmpty,
  code: z.coerce.number().int(),
  data: stringOrEmpty,
  raw_log: stringOrEmpty,
  info: stringOrEmpty,
  gas_wanted: integer,
  gas_used: integer,
  tx: txBody.nullish(),
  timestamp: timestamp,
  events: list(event),
})
export type TransactionRecord = z.output<typeof transaction>

const transactionCall = (hash: string) =>
  get(
    path`/indexer/tx/v1/txs/${hash}`,
    unwrapped('txhash', transaction, (found) => nativeHash(found.txhash) === hash),
    { isImmutable: true },
  )

// Graph

/** A chain-native transaction with its record. */
export interface TransactionShape extends ChainNodeShape<'Transaction'> {
  readonly record: TransactionRecord
}

/** The graph's value for a transaction record. */
export const transactionShape = (
  chain: ServedChain,
  found: TransactionRecord,
): TransactionShape => ({ __typename: 'Transaction', chain, record: found })

/** The transaction of a hash in any spelling; null when it is not indexed. */
export async function loadTransaction(
  context: Context,
  chain: ServedChain,
  hash: string,
): Promise<TransactionShape | null> {
  const found = await context.scope.fetch(chain.indexer, transactionCall(nativeHash(hash)))
  return found && transactionShape(chain, found)
}

export const Transaction = chainNode<TransactionShape>('Transaction', {
  description: 'A chain-native transaction: messages executed together, or not at all.',
  keyOf: ({ record: { txhash } }) => txhash,
  load: (chain, key, context) => {
    if (!/^[0-9A-F]{64}$/i.test(key)) throw badInput('The id names no transaction.')
    return loadTransaction(context, chain, key)
  },
  fields: (t) => ({
    hash: t.field({
      type: 'Hash',
      description: 'Its hash: 64 upper-case hex digits.',
      resolve: (one) => one.record.txhash,
    }),
    height: t.field({
      type: 'BigInt',
      description: 'Height of the block it is in.',
      resolve: (one) => one.record.height,
    }),
    block: t.field({
      type: Block,
      nullable: true,
      description: 'The block it is in. Blocks asked together that lie together cost one request.',
      complexity: callCost,
      resolve: (one) => blockAt(one.chain, one.record.height),
    }),
    timestamp: t.field({
      type: 'DateTime',
      description: 'When its block was proposed.',
      resolve: (one) => one.record.timestamp,
    }),
    code: t.int({
      description: "0 when it succeeded, else the error's number within `codespace`.",
      resolve: (one) => one.record.code,
    }),
    codespace: t.string({
      description: 'The module whose error `code` is; empty when it succeeded.',
      resolve: (one) => one.record.codespace,
    }),
    isSuccessful: t.boolean({
      description:
        'Whether all its messages were executed; a failed one paid its fee all the same.',
      resolve: (one) => one.record.code === 0,
    }),
    gasWanted: t.field({
      type: 'BigInt',
      description: 'Gas it was allowed to use.',
      resolve: (one) => one.record.gas_wanted,
    }),
    gasUsed: t.field({
      type: 'BigInt',
      description: 'Gas it used.',
      resolve: (one) => one.record.gas_used,
    }),
    messages: t.field({
      type: [TransactionMessage],
      description: 'What it asked the chain to do, in order; empty when the body was not kept.',
      resolve: (one) => [...(one.record.tx?.body?.messages ?? [])],
    }),
    memo: t.string({
      description: 'The note its sender attached; mostly empty.',
      resolve: (one) => one.record.tx?.body?.memo ?? '',
    }),
    fee: t.field({
      type: TransactionFee,
      nullable: true,
      description: 'What it offered for its gas; null when the record does not say.',
      resolve: (one) => feeOf(one.chain, one.record),
    }),
    signers: t.field({
      type: [TransactionSigner],
      description: 'Who signed it, the fee payer first unless it names another.',
      resolve: (one) => signersOf(one.chain, one.record),
    }),
    events: t.field({
      type: [TransactionEvent],
      description: 'What its execution reported, in order.',
      args: {
        types: t.arg.stringList({ description: 'Only events of these types, such as `transfer`.' }),
      },
      resolve: (one, { types }) =>
        one.record.events.filter(({ type }) => types?.includes(type) ?? true),
    }),
    data: t.field({
      type: 'Hex',
      description: "The messages' results: upper-case hex without 0x; mostly empty.",
      resolve: (one) => one.record.data,
    }),
    rawLog: t.string({
      description: 'The error in words when it failed; empty otherwise.',
      resolve: (one) => one.record.raw_log,
    }),
    info: t.string({
      description: 'Notes of the node that executed it; mostly empty.',
      resolve: (one) => one.record.info,
    }),
  }),
})

builder.objectField(Chain, 'transaction', (t) =>
  t.field({
    type: Transaction,
    nullable: true,
    description: 'The chain-native transaction of a hash; null when it is not indexed.',
    args: { hash: t.arg({ type: 'Hash', required: true, description: 'In any case.' }) },
    complexity: callCost,
    resolve: ({ served }, { hash }, context) => loadTransaction(context, served, hash),
  }),
)
