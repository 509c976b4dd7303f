import { documentIdOf, namesDocument } from '../operation/documents/documentTexts.ts'
import type { OperationRequest } from '../operation/operation.ts'

/**
 * Adds an empty `query`, which the protocol requires, to the text of a `subscribe` message that names its
 * document in place of it.
 */
export function withQuery(text: string): string {
  if (text.includes('"query"') && !/"(?:documentId|doc_id|persistedQuery)"/.test(text)) return text
  try {
    const message = JSON.parse(text)
    const { type, payload } = message ?? {}
    if (type !== 'subscribe' || payload?.query != null) return text
    if (!namesDocument(documentIdOf(payload ?? {}), payload?.extensions)) return text
    return JSON.stringify({ ...message, payload: { ...payload, query: '' } })
  } catch {
    // The protocol refuses what is not JSON.
    return text
  }
}

/** The operation in a `subscribe` message, with the id of its document. */
export function withDocumentId(payload: OperationRequest): OperationRequest {
  const documentId = documentIdOf({ ...payload })
  return typeof documentId === 'string' ? { ...payload, documentId } : payload
}

/** Stands for a result whose text is written elsewhere: JSON leaves it out of the message. */
export const payloadElsewhere = { data: null, toJSON: () => undefined }

/**
 * Puts the text of a result into the message of its operation. The protocol would write long numbers with rounded digits.
 * Other messages of the protocol are short.
 */
export function withPayload(text: string, payloads: Map<string, string>): string {
  if (payloads.size === 0) return text
  const { id, type } = JSON.parse(text)
  if (type !== 'next') return text
  const payload = payloads.get(id) ?? '{}'
  payloads.delete(id)
  return `{"id":${JSON.stringify(id)},"type":"next","payload":${payload}}`
}
