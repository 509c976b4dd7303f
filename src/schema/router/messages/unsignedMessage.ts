import { z } from 'zod'
import { builder } from '../../../engine/graphql/builder.ts'
import { jsonText, parseJson } from '../../../engine/wire/exactJson.ts'
import { jsonObject } from '../../../engine/wire/lenient.ts'

/** A message to sign, in a response of the router. Its body is JSON text; some routers send the object itself. */
export const chainMessage = z.object({
  msg_type_url: z.string(),
  msg: z.union([z.string(), jsonObject.refine(isExact).transform((body) => jsonText(body))]),
})
type ChainMessageBody = z.output<typeof chainMessage>

export const ChainMessage = builder.objectRef<ChainMessageBody>('ChainMessage').implement({
  description: 'An unsigned message of a Cosmos transaction.',
  fields: (t) => ({
    typeUrl: t.value(
      'String',
      'Protobuf type of the message, such as `/ibc.applications.transfer.v1.MsgTransfer`.',
      ({ msg_type_url }) => msg_type_url,
    ),
    body: t.nullable('JSON', 'Fields of the message. Null if they are not valid JSON.', ({ msg }) => parsed(msg)),
    raw: t.value('String', 'Fields of the message as text, with exact integers.', ({ msg }) => msg),
  }),
})

/** Whether parsing kept every number exact. A rounded number must not be signed. */
export function isExact(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}
