/** Stands for a result whose text is written elsewhere: JSON leaves it out of the message. */
export const payloadElsewhere = { data: null, toJSON: () => undefined }

/** The end of a message of the protocol whose result was left out. */
const withoutPayload = ',"type":"next"}'

/** Puts the text of a result into its message. The protocol would write long numbers with rounded digits. */
export function withPayload(text: string, payloads: Map<string, string>): string {
  if (!text.endsWith(withoutPayload)) return text
  const { id } = JSON.parse(text)
  const payload = payloads.get(id) ?? '{}'
  payloads.delete(id)
  return `${text.slice(0, -1)},"payload":${payload}}`
}
