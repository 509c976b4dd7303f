import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { nullableField } from '../../../engine/graphql/fields.ts'
import { keyOnChain } from '../../../engine/graphql/naturalKey.ts'
import { badInput } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { Block, blockAt } from '../block/block.ts'
import { type ChainNodeShape, chainNode } from '../chainNode.ts'
import { gasOf } from '../coin.ts'
import { IndexedTransaction } from '../indexedTransaction.ts'
import { feeOf, signersOf, TransactionFee, TransactionSigner } from './transactionSigner.ts'
import { type EventRecord, fetchTransaction, type MessageRecord, type TransactionRecord } from './wire.ts'

const TransactionMessage = builder.objectRef<MessageRecord>('TransactionMessage').implement({
  description: 'A message of a transaction: one instruction to the chain.',
  fields: (t) => ({
    typeUrl: t.string({
      description: 'Type URL with a leading slash, such as `/cosmos.bank.v1beta1.MsgSend`.',
      resolve: (message) => message['@type'],
    }),
    body: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Fields of the message, in snake_case. Null, with an error, if over 64 levels deep.',
      resolve: ({ '@type': _type, ...body }) => body,
    }),
  }),
})

const EventAttribute = builder.objectRef<EventRecord['attributes'][number]>('EventAttribute').implement({
  description: 'A key and value of an event.',
  fields: (t) => ({
    key: t.exposeString('key', {
      description: 'Name of the value. It can occur twice in an event.',
    }),
    value: t.exposeString('value', { description: 'The value as text.' }),
    isIndexed: t.boolean({
      description: 'Whether nodes index it for search.',
      resolve: ({ index }) => index === true,
    }),
  }),
})

const TransactionEvent = builder.objectRef<EventRecord>('TransactionEvent').implement({
  description: 'An event that the execution of a transaction emitted.',
  fields: (t) => ({
    type: t.exposeString('type', {
      description: 'Type of the event, such as `transfer` or `message`.',
    }),
    attributes: t.field({
      type: [EventAttribute],
      nullable: true,
      description: 'Attributes in the order they were emitted.',
      resolve: ({ attributes }) => attributes,
    }),
  }),
})

/** A Cosmos transaction and its record. */
export interface TransactionShape extends ChainNodeShape<'Transaction'> {
  readonly record: TransactionRecord
  /** The address of the account whose list it is from, if it is from such a list. */
  readonly listedFor: string | undefined
}

/** The graph's value for a transaction record. */
export const transactionShape = (
  chain: ServedChain,
  record: TransactionRecord,
  listedFor?: string,
): TransactionShape => ({ __typename: 'Transaction', chain, record, listedFor })

/** The transaction with this hash, in any spelling. Null if not indexed. */
export async function loadTransaction(
  context: Context,
  chain: ServedChain,
  hash: string,
): Promise<TransactionShape | null> {
  const record = await fetchTransaction(context, chain, hash)
  return record && transactionShape(chain, record)
}

export const Transaction = chainNode<TransactionShape>('Transaction', {
  interfaces: [IndexedTransaction],
  description: 'A Cosmos transaction: messages that are executed together, or not at all.',
  keyOf: ({ record: { txhash } }) => txhash,
  naturalKey: keyOnChain('hash'),
  load: (chain, key, context) => {
    if (!/^[0-9A-F]{64}$/i.test(key)) throw badInput('Invalid transaction ID.', 'INVALID_ID')
    return loadTransaction(context, chain, key)
  },
  fields: (t) => ({
    hash: t.field({
      type: 'Hash',
      description: 'Transaction hash: 64 upper-case hex digits.',
      resolve: ({ record }) => record.txhash,
    }),
    height: t.field({
      type: 'UInt53',
      description: 'Height of its block.',
      resolve: ({ record }) => record.height,
    }),
    block: t.field({
      type: Block,
      nullable: true,
      description: 'The block of the transaction. Nearby blocks share one upstream request.',
      complexity: callCost,
      resolve: ({ chain, record }) => blockAt(chain, record.height),
    }),
    timestamp: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of its block.',
      resolve: ({ record }) => record.timestamp,
    }),
    code: t.field({
      type: 'UInt53',
      description: 'Result code: 0 on success, otherwise the error number within `codespace`.',
      resolve: ({ record }) => record.code,
    }),
    codespace: t.string({
      nullable: true,
      description: 'Module that defines the error `code`. Null on success.',
      resolve: ({ record }) => record.codespace || null,
    }),
    isSuccessful: t.boolean({
      nullable: true,
      description: 'Whether all messages were executed. A failed transaction still pays its fee.',
      resolve: ({ record }) => record.code === 0,
    }),
    gasWanted: t.field({
      type: 'BigInt',
      description: 'Gas limit of the transaction.',
      resolve: ({ chain, record }) => gasOf(chain, record.gas_wanted),
    }),
    gasUsed: t.field({
      type: 'BigInt',
      nullable: true,
      description: 'Gas used. Can exceed `gasWanted` if the transaction ran out of gas.',
      resolve: ({ chain, record }) => gasOf(chain, record.gas_used),
    }),
    messages: t.field({
      type: [TransactionMessage],
      nullable: true,
      description: 'Messages in order. Empty if the indexer does not keep the body.',
      resolve: ({ record }) => record.tx?.body?.messages ?? [],
    }),
    memo: t.string({
      nullable: true,
      description: 'Note attached by the sender. Null if none.',
      resolve: ({ record }) => record.tx?.body?.memo || null,
    }),
    fee: nullableField(t, TransactionFee, 'The fee.', ({ chain, record }) => feeOf(chain, record)),
    signers: t.field({
      type: [TransactionSigner],
      nullable: true,
      description: 'Signers in order. The first one pays the fee unless `fee.payer` is set.',
      resolve: ({ chain, record }) => signersOf(chain, record),
    }),
    events: t.field({
      type: [TransactionEvent],
      nullable: true,
      description: 'Events in the order they were emitted.',
      args: {
        types: t.arg.stringList({ description: 'Only events of these types, such as `transfer`.' }),
      },
      resolve: ({ record }, { types }) =>
        types ? record.events.filter(({ type }) => types.includes(type)) : record.events,
    }),
    data: t.field({
      type: 'Hex',
      nullable: true,
      description: 'Results of the messages: upper-case hex without 0x. Null if none.',
      resolve: ({ record }) => record.data || null,
    }),
    rawLog: t.string({
      nullable: true,
      description: 'Error message of a failed transaction. Null on success.',
      resolve: ({ record }) => record.raw_log || null,
    }),
    info: t.string({
      nullable: true,
      description: 'Notes of the node that executed the transaction. Null if none.',
      resolve: ({ record }) => record.info || null,
    }),
  }),
})
