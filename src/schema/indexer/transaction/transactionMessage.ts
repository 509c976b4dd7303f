import { z } from 'zod'
import { builder } from '../../../graphql/builder.ts'
import { list, optionalInteger, stringOrEmpty } from '../../../upstream/decode.ts'
import { coin } from '../coin.ts'

/** A message on the wire: its type URL beside its own fields. */
export const message = z.looseObject({ '@type': z.string() })
type MessageRecord = z.output<typeof message>

const signerInfo = z.looseObject({
  // A key made of several has no `key`, and zod refuses an unknown one that is missing.
  public_key: z.looseObject({ '@type': stringOrEmpty, key: z.unknown().optional() }).nullish(),
  sequence: optionalInteger,
})

/** The signed part of a transaction on the wire, as far as its fields are known. */
export const txBody = z.looseObject({
  body: z.looseObject({ messages: list(message), memo: stringOrEmpty }).nullish(),
  auth_info: z
    .looseObject({
      signer_infos: list(signerInfo),
      fee: z
        .looseObject({
          amount: list(coin),
          gas_limit: optionalInteger,
          payer: stringOrEmpty,
          granter: stringOrEmpty,
        })
        .nullish(),
    })
    .nullish(),
  signatures: list(z.string()),
})
export type SignedRecord = z.output<typeof txBody>

/** The name of a message's type, without the slash that begins a type URL. */
export const typeOf = (one: MessageRecord): string => one['@type'].replace(/^\//, '')

export const TransactionMessage = builder.objectRef<MessageRecord>('TransactionMessage').implement({
  description: 'One thing a transaction asks the chain to do.',
  fields: (t) => ({
    typeUrl: t.string({
      description: 'Its type with a leading slash, such as `/cosmos.bank.v1beta1.MsgSend`.',
      resolve: (one) => one['@type'],
    }),
    body: t.field({
      type: 'JSON',
      description: 'Its fields, in the snake_case names of its protobuf definition.',
      resolve: ({ '@type': _type, ...body }) => body,
    }),
  }),
})
