import { builder } from '../../../graphql/builder.ts'
import type { EventRecord } from './wire.ts'

const EventAttribute = builder
  .objectRef<EventRecord['attributes'][number]>('EventAttribute')
  .implement({
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

export const TransactionEvent = builder.objectRef<EventRecord>('TransactionEvent').implement({
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
