import { type Context, callCost } from '../../../engine/graphql/builder.ts'
import { openEnum } from '../../../engine/graphql/openEnum.ts'
import { evmHash } from '../../../engine/graphql/scalars.ts'
import { badInput } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { ChainAccount, chainAccountOf } from '../../account/chainAccount.ts'
import { runsEvm } from '../../chain/evmSupport.ts'
import { Block, blockAt, timeOf } from '../block/block.ts'
import type { BlockRecord } from '../block/wire.ts'
import { type ChainNodeShape, chainNode } from '../chainNode.ts'
import { EvmTransaction, loadEvmTransaction } from './evmTransaction.ts'
import { fetchInternalTransaction, type InternalTransactionRecord } from './wire.ts'

const callKind = openEnum('EvmCallKind', {
  description: 'Kind of an EVM call.',
  values: {
    CALL: 'Calls an account.',
    STATICCALL: 'Calls a contract that must not change anything.',
    DELEGATECALL: 'Runs the code of a contract on the data of the caller.',
    CALLCODE: 'The older form of DELEGATECALL, which keeps no sender.',
    CREATE: 'Creates a contract.',
    CREATE2: 'Creates a contract at an address that is known before.',
    SELFDESTRUCT: 'Removes the contract, and sends its coins to an account.',
  },
  unknown: 'A kind unknown to this gateway. See `rawKind`.',
  nameOf: (word) => word.toUpperCase(),
})

/** A call of the trace of an EVM transaction. */
export interface InternalTransactionShape extends ChainNodeShape<'EvmInternalTransaction'> {
  readonly record: InternalTransactionRecord
  /** The record of its block, if it was found by that. */
  readonly block: BlockRecord | undefined
}

/** The graph's value for a call of a trace, and the record of its block if it was found by that. */
export const internalTransactionShape = (
  chain: ServedChain,
  record: InternalTransactionRecord,
  block?: BlockRecord | undefined,
): InternalTransactionShape => ({ __typename: 'EvmInternalTransaction', chain, record, block })

const blockOf = ({ chain, record, block }: InternalTransactionShape) => blockAt(chain, record.height, block)

async function loadInternalTransaction(context: Context, chain: ServedChain, hash: string, index: number) {
  if (!(await runsEvm(context, chain))) return null
  const record = await fetchInternalTransaction(context, chain, hash, index)
  return record && internalTransactionShape(chain, record)
}

export const EvmInternalTransaction = chainNode<InternalTransactionShape>('EvmInternalTransaction', {
  description: 'A call inside an EVM transaction, from its trace, depth first.',
  keyOf: ({ record }) => `${evmHash(record.hash)}/${record.index}`,
  load: (chain, key, context) => {
    const [, hash, index] = /^(0x[0-9a-f]{64})\/(\d{1,5})$/.exec(key) ?? []
    if (!hash) throw badInput('Invalid internal transaction ID.', 'INVALID_ID')
    return loadInternalTransaction(context, chain, hash, Number(index))
  },
  fields: (t) => ({
    transactionHash: t.value('Hash', 'Hash of the EVM transaction.', ({ record }) => record.hash),
    transaction: t.field({
      type: EvmTransaction,
      nullable: true,
      description: 'The EVM transaction. Null if not indexed. Those of a block share one upstream request.',
      complexity: callCost,
      resolve: ({ chain, record }, _args, context) => loadEvmTransaction(context, chain, record.hash, record.height),
    }),
    height: t.value('UInt53', 'Height of its block.', ({ record }) => record.height),
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
      description: 'Time of its block. Nearby blocks share one upstream request.',
      complexity: callCost,
      resolve: (shape, _args, context) => timeOf(blockOf(shape), context),
    }),
    index: t.value('UInt53', 'Position in the trace. The top-level call has index 0.', ({ record }) => record.index),
    parentIndex: t.nullable('UInt53', 'Index of the calling call. Null for the top-level call.', ({ record }) =>
      record.parent_index < 0 ? null : record.parent_index,
    ),
    kind: t.value(callKind.type, 'What the call does.', ({ record }) => callKind.valueOf(record.type)),
    rawKind: t.nullable('String', "The trace's word for `kind`. Null if omitted.", ({ record }) => record.type || null),
    from: t.nullable(ChainAccount, 'The caller. Null if omitted.', ({ chain, record }) =>
      chainAccountOf(chain, record.from),
    ),
    to: t.nullable(ChainAccount, 'The called account. Null if omitted.', ({ chain, record }) =>
      chainAccountOf(chain, record.to),
    ),
    value: t.nullable(
      'BigInt',
      'Amount transferred with the call, in wei. Null if omitted.',
      ({ record }) => record.value,
    ),
    gas: t.nullable('BigInt', 'Gas limit of the call. Null if omitted.', ({ record }) => record.gas),
    gasUsed: t.nullable('BigInt', 'Gas used by the call. Null if omitted.', ({ record }) => record.gasUsed),
    input: t.value('Hex', 'Call data. `0x` if empty.', ({ record }) => record.input),
    output: t.value(
      'Hex',
      'Return data. `0x` if empty, and always for the top-level call.',
      ({ record }) => record.output,
    ),
  }),
})
