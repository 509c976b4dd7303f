/** The names of the parameter that holds the id of a document: the draft of GraphQL over HTTP, and Relay's. */
export const documentIdNames = ['documentId', 'id', 'doc_id'] as const

/** The id of the document among the parameters of a request. Undefined if there is none. */
export const documentIdOf = ({ documentId, id, doc_id }: Readonly<Record<string, unknown>>) =>
  documentId ?? id ?? doc_id ?? undefined

/**
 * Whether a request names its document in place of its text: by an id, or by the hash in the extensions.
 * Protocols require a `query`, so it is then set to the empty text.
 */
export const namesDocument = (documentId: unknown, extensions: unknown): boolean =>
  documentId !== undefined ||
  (typeof extensions === 'object' && extensions !== null && 'persistedQuery' in extensions)
