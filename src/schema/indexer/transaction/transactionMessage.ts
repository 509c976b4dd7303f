import { builder } from '../../../graphql/builder.ts'
import type { MessageRecord } from './wire.ts'

export const TransactionMessage = builder.objectRef<MessageRecord>('TransactionMessage').implement({
  description: 'A message of a transaction: one instruction to the chain.',
  fields: (t) => ({
    typeUrl: t.string({
      description: 'Type URL with a leading slash, such as `/cosmos.bank.v1beta1.MsgSend`.',
      resolve: (message) => message['@type'],
    }),
    body: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'Fields of the message, in snake_case. Null, with an error, if over 64 levels deep.',
      resolve: ({ '@type': _type, ...body }) => body,
    }),
  }),
})
