/**
 * A document with the types of its data and variables: a `TypedDocumentString` of GraphQL Code Generator
 * (`documentMode: 'string'`), a document of gql.tada, or plain text.
 */
export type Document<Data, Variables> = string | TypedDocument<Data, Variables>

/** The types that code generators attach to documents. It has no value at run time. */
export interface TypedDocument<Data, Variables> {
  readonly __apiType?: ((variables: Variables) => Data) | undefined
}

/** The parts of documents that generators may add. */
interface DocumentParts {
  readonly __meta__?: { readonly hash?: unknown } | undefined
  readonly documentId?: unknown
  readonly loc?: { readonly source?: { readonly body?: string } } | undefined
}

/** Arguments after a document: its variables may be left out if all of them may. */
export type Rest<Variables, Options> = object extends Variables
  ? [variables?: Variables, options?: Options]
  : [variables: Variables, options?: Options]

/** An operation as it is sent. */
export interface Operation {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/**
 * The text of a document.
 * @throws TypeError if it is a parsed document without its source.
 */
export function textOf<Data, Variables>(document: Document<Data, Variables>): string {
  if (typeof document === 'string' || document instanceof String) return String(document)
  const text = (document as DocumentParts).loc?.source?.body
  if (text === undefined) throw new TypeError('The document has no text.')
  return text
}

/** The id that the build of the client gave a document, for gateways that know such ids. */
export function idOf<Data, Variables>(document: Document<Data, Variables>): string | undefined {
  const { __meta__, documentId } = document as DocumentParts
  const id = documentId ?? __meta__?.hash
  return typeof id === 'string' ? id : undefined
}

/** The kind and name of the operation of a text. Texts of clients have one operation. */
export function operationOf(text: string): { readonly kind: string; readonly name: string } {
  const withoutComments = text.replace(/#.*/g, '')
  const [, kind = 'query', name = ''] = /(?:^|[\s}])(query|mutation|subscription)\b\s*(\w*)/.exec(withoutComments) ?? []
  return { kind, name }
}
