import type { GraphQLResolveInfo } from 'graphql'
import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { keyOnChain } from '../../../engine/graphql/naturalKey.ts'
import { selectedFields } from '../../../engine/graphql/selection.ts'
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
    typeUrl: t.value(
      'String',
      'Type URL with a leading slash, such as `/cosmos.bank.v1beta1.MsgSend`.',
      (message) => message['@type'],
    ),
    body: t.nullable(
      'JSON',
      'Fields of the message, in snake_case. Null, with an error, if over 64 levels deep.',
      ({ '@type': _type, ...body }) => body,
    ),
  }),
})

const EventAttribute = builder.objectRef<EventRecord['attributes'][number]>('EventAttribute').implement({
  description: 'A key and value of an event.',
  fields: (t) => ({
    key: t.value('String', 'Name of the value. It can occur twice in an event.', ({ key }) => key),
    value: t.value('String', 'The value as text.', ({ value }) => value),
    isIndexed: t.value('Boolean', 'Whether nodes index it for search.', ({ index }) => index === true),
  }),
})

const TransactionEvent = builder.objectRef<EventRecord>('TransactionEvent').implement({
  description: 'An event that the execution of a transaction emitted.',
  fields: (t) => ({
    type: t.value('String', 'Type of the event, such as `transfer` or `message`.', ({ type }) => type),
    attributes: t.nullable(
      [EventAttribute],
      'Attributes in the order they were emitted.',
      ({ attributes }) => attributes,
    ),
  }),
})

/** A Cosmos transaction and its record. */
export interface TransactionShape extends ChainNodeShape<'Transaction'> {
  /** As its indexer writes it. */
  readonly hash: string
  readonly record: TransactionRecord
  /** The address of the account whose list it is from, if it is from such a list. */
  readonly listedFor: string | undefined
}

/** The graph's value for a transaction record. */
export const transactionShape = (
  chain: ServedChain,
  record: TransactionRecord,
  listedFor?: string,
): TransactionShape => ({ __typename: 'Transaction', chain, hash: record.txhash, record, listedFor })

/** The transaction with this hash, in any spelling. Null if not indexed. */
export async function loadTransaction(
  context: Context,
  chain: ServedChain,
  hash: string,
): Promise<TransactionShape | null> {
  const record = await fetchTransaction(context, chain, hash)
  return record && transactionShape(chain, record)
}

/** The fields that need no record. */
const nameFields: ReadonlySet<string> = new Set(['__typename', 'id', 'hash', 'chain'])

/**
 * A transaction that its indexer has shown, by its hash as the indexer writes it. Its record is read if an operation selects
 * more of it than its name. Null if it is not indexed any more.
 */
export async function shownTransaction(
  context: Context,
  chain: ServedChain,
  hash: string,
  info: GraphQLResolveInfo,
): Promise<TransactionShape | null> {
  if ([...selectedFields(info)].some((field) => !nameFields.has(field))) return loadTransaction(context, chain, hash)
  return {
    ...{ __typename: 'Transaction', chain, hash, listedFor: undefined },
    get record(): never {
      throw new Error('a field of a transaction reads its record, and is listed among those that need none')
    },
  }
}

export const Transaction = chainNode<TransactionShape>('Transaction', {
  interfaces: [IndexedTransaction],
  description: 'A Cosmos transaction: messages that are executed together, or not at all.',
  keyOf: ({ hash }) => hash,
  naturalKey: keyOnChain('hash'),
  load: (chain, key, context) => {
    if (!/^[0-9A-F]{64}$/i.test(key)) throw badInput('Invalid transaction ID.', 'INVALID_ID')
    return loadTransaction(context, chain, key)
  },
  fields: (t) => ({
    hash: t.value('Hash', 'Transaction hash: 64 upper-case hex digits.', ({ hash }) => hash),
    height: t.value('UInt53', 'Height of its block.', ({ record }) => record.height),
    block: t.field({
      type: Block,
      nullable: true,
      description: 'The block of the transaction. Nearby blocks share one upstream request.',
      complexity: callCost,
      resolve: ({ chain, record }) => blockAt(chain, record.height),
    }),
    timestamp: t.nullable('DateTime', 'Time of its block.', ({ record }) => record.timestamp),
    code: t.value(
      'UInt53',
      'Result code: 0 on success, otherwise the error number within `codespace`.',
      ({ record }) => record.code,
    ),
    codespace: t.nullable(
      'String',
      'Module that defines the error `code`. Null on success.',
      ({ record }) => record.codespace || null,
    ),
    isSuccessful: t.nullable(
      'Boolean',
      'Whether all messages were executed. A failed transaction still pays its fee.',
      ({ record }) => record.code === 0,
    ),
    gasWanted: t.value('BigInt', 'Gas limit of the transaction.', ({ chain, record }) =>
      gasOf(chain, record.gas_wanted),
    ),
    gasUsed: t.nullable(
      'BigInt',
      'Gas used. Can exceed `gasWanted` if the transaction ran out of gas.',
      ({ chain, record }) => gasOf(chain, record.gas_used),
    ),
    messages: t.nullable(
      [TransactionMessage],
      'Messages in order. Empty if the indexer does not keep the body.',
      ({ record }) => record.tx?.body?.messages ?? [],
    ),
    memo: t.nullable(
      'String',
      'Note attached by the sender. Null if none.',
      ({ record }) => record.tx?.body?.memo || null,
    ),
    fee: t.ifKnown(TransactionFee, 'The fee.', ({ chain, record }) => feeOf(chain, record)),
    signers: t.nullable(
      [TransactionSigner],
      'Signers in order. The first one pays the fee unless `fee.payer` is set.',
      ({ chain, record }) => signersOf(chain, record),
    ),
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
    data: t.nullable(
      'Hex',
      'Results of the messages: upper-case hex without 0x. Null if none.',
      ({ record }) => record.data || null,
    ),
    rawLog: t.nullable(
      'String',
      'Error message of a failed transaction. Null on success.',
      ({ record }) => record.raw_log || null,
    ),
    info: t.nullable(
      'String',
      'Notes of the node that executed the transaction. Null if none.',
      ({ record }) => record.info || null,
    ),
  }),
})
