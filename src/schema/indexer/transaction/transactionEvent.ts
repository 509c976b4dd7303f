import { z } from 'zod'
import { builder } from '../../../graphql/builder.ts'
import { list, stringOrEmpty } from '../../../upstream/decode.ts'

/** An event on the wire. */
export const event = z.object({
  type: z.string(),
  attributes: list(
    z.object({ key: stringOrEmpty, value: stringOrEmpty, index: z.boolean().nullish() }),
  ),
})
export type EventRecord = z.output<typeof event>
type AttributeRecord = EventRecord['attributes'][number]

/** The values of an attribute over all events of a type, in order. */
export const attributesOf = (
  events: readonly EventRecord[],
  type: string,
  key: string,
): readonly string[] =>
  events
    .filter((one) => one.type === type)
    .flatMap((one) => one.attributes)
    .filter((attribute) => attribute.key === key)
    .map((attribute) => attribute.value)

const EventAttribute = builder.objectRef<AttributeRecord>('EventAttribute').implement({
  description: 'One value an event carries.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'What the value is; keys may repeat in an event.' }),
    value: t.exposeString('value', { description: 'The value as text.' }),
    isIndexed: t.boolean({
      description: 'Whether nodes of the chain index it for searching.',
      resolve: ({ index }) => index === true,
    }),
  }),
})

export const TransactionEvent = builder.objectRef<EventRecord>('TransactionEvent').implement({
  description: 'Something the execution of a transaction reported.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'Its kind, such as `transfer` or `message`.' }),
    attributes: t.field({
      type: [EventAttribute],
      description: 'Its values, in order.',
      resolve: ({ attributes }) => [...attributes],
    }),
  }),
})
