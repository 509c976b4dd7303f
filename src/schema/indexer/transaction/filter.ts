import { builder } from '../../../engine/graphql/builder.ts'
import { badInput } from '../../../engine/upstream/error.ts'
import { type Listed, readable, UnreadableRecord } from '../../../engine/wire/decode.ts'
import { timeFields } from '../time/timeFilter.ts'
import { type TransactionRecord, typeOf } from './wire.ts'

/** The names without the leading slash of a type URL. Throws `BAD_USER_INPUT` for invalid names. */
export function checkTypes(types: readonly string[] | null | undefined): readonly string[] | undefined {
  if (types == null) return undefined
  if (types.length === 0) throw badInput('`messageTypes` must not be empty. Leave it out to list all.')
  if (types.length > 20) throw badInput('At most 20 message types are allowed.', 'TOO_MANY_ENTRIES')
  return types.map((type) => {
    const name = type.replace(/^\//, '')
    if (/^[\w.]{1,200}$/.test(name) && name.includes('.')) return name
    throw badInput(
      'Invalid message type. Use its whole name, such as `cosmos.bank.v1beta1.MsgSend`.',
      'INVALID_MESSAGE_TYPE',
    )
  })
}

/** A predicate: whether a record has a message of these types. True if its messages are unknown. */
export const hasMessageOf =
  (types: readonly string[]) =>
  (tx: Listed<TransactionRecord>): boolean =>
    // The choice of the indexer cannot be checked without a body.
    tx instanceof UnreadableRecord || (tx.tx?.body?.messages.some((message) => types.includes(typeOf(message))) ?? true)

/** The filter for transactions with a message of these types. */
export const filterFor = (types: readonly string[]) => ({ query: { msgs: types }, isMatch: hasMessageOf(types) })

/** A filter that some of the transactions pass and others do not. Undefined if all have messages of the same types. */
export function filterOfSome(items: readonly Listed<TransactionRecord>[]) {
  const types = readable(items).flatMap((tx) => tx.tx?.body?.messages.map(typeOf) ?? [])
  const filters = [...new Set(types)].flatMap((type) => (type === '' ? [] : [filterFor([type])]))
  return filters.find(({ isMatch }) => !items.every(isMatch))
}

const messageTypes = {
  description:
    'Only with a message of one of these types, such as `cosmos.bank.v1beta1.MsgSend`. None for an unseen type.',
}

// Types of their own, so that a filter that makes no sense on a list is a fault in the document.

/** The filter of the transactions of a chain. */
export const TransactionFilter = builder.inputType('TransactionFilter', {
  description: 'Which Cosmos transactions to list. All conditions hold.',
  fields: (t) => ({
    messageTypes: t.stringList(messageTypes),
    since: t.field(timeFields.since),
    until: t.field(timeFields.until),
  }),
})

export const BlockTransactionFilter = builder.inputType('BlockTransactionFilter', {
  description: 'Which Cosmos transactions of a block to list.',
  fields: (t) => ({ messageTypes: t.stringList(messageTypes) }),
})

export const ChainAccountTransactionFilter = builder.inputType('ChainAccountTransactionFilter', {
  description: 'Which Cosmos transactions of an account to list. All conditions hold.',
  fields: (t) => ({
    messageTypes: t.stringList(messageTypes),
    signedOnly: t.boolean({ description: 'Only if the account signed first. Default: false.' }),
    since: t.field(timeFields.since),
    until: t.field(timeFields.until),
  }),
})
