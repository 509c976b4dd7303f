import { z } from 'zod'
import { builder } from '../../../graphql/builder.ts'
import { jsonObject } from '../../../upstream/lenient.ts'

/** A message to sign, on the wire: its body is a JSON text, or with some routers the object itself. */
export const chainMessage = z.object({
  msg_type_url: z.string(),
  msg: z.union([z.string(), jsonObject.refine(isExact).transform((body) => JSON.stringify(body))]),
})
export type ChainMessageBody = z.output<typeof chainMessage>

export const ChainMessage = builder.objectRef<ChainMessageBody>('ChainMessage').implement({
  description: 'A message of a chain-native transaction that is still to be signed.',
  fields: (t) => ({
    typeUrl: t.exposeString('msg_type_url', {
      description: 'Its protobuf type, such as `/ibc.applications.transfer.v1.MsgTransfer`.',
    }),
    body: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Its fields, in the names of the chain; null where they are no JSON.',
      resolve: ({ msg }) => parsed(msg),
    }),
    raw: t.exposeString('msg', {
      description:
        'Its fields as the text the router sent; whole numbers of any size survive in it.',
    }),
  }),
})

/** False where reading has rounded a number, which must not be signed. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
