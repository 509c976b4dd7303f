import { hash } from 'node:crypto'
import { GraphQLError } from 'graphql'
import { badInput, type ErrorCode } from '../../../engine/upstream/error.ts'
import type { CacheStore } from '../../../kit/cache/cache.ts'

export interface DocumentRequest {
  /** Empty in a request that names its document by `documentId`, or by a hash in the extensions. */
  readonly query: string
  readonly documentId?: string | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined
}

/** Finds the text of the document that a request contains or names. */
export interface DocumentTexts {
  /**
   * The text that a request contains, or the text of the id or hash in it. Throws if there is none, if the
   * text does not have the hash, or if only trusted documents are run and it is not one of them.
   */
  find(request: DocumentRequest): string
  /** Remembers a valid document that came with its hash, so that later requests need only the hash. */
  keep(request: DocumentRequest): void
}

/**
 * What a document is found by: its id without the kind of its hash, which some builds write before it, as the draft of GraphQL
 * over HTTP does, and others leave out. A client can ask for a document in either way, whichever its build wrote.
 */
export const documentKey = (id: string): string => id.replace(/^(?:sha256|sha1|md5):/, '')

/** The documents that clients were built with. */
export interface TrustedDocuments {
  /** Texts by id: a hash or any other name that the build of a client gave them. */
  readonly trustedDocuments?: ReadonlyMap<string, string> | undefined
  /** Refuse all other documents. Default: false. */
  readonly trustedDocumentsOnly?: boolean | undefined
}

/** The trusted documents of a server, which can be replaced: then the function gives another map. */
export interface ServedDocuments extends Pick<TrustedDocuments, 'trustedDocumentsOnly'> {
  readonly trustedDocuments?: (() => ReadonlyMap<string, string>) | undefined
}

const maxKept = 10_000
const maxKeptBytes = 8 * 1024 * 1024

/** Opens the store of documents that clients register by hash, as Apollo's clients do. The trusted ones are known before. */
export function createDocumentTexts(
  cache: CacheStore,
  { trustedDocuments = () => noDocuments, trustedDocumentsOnly = false }: ServedDocuments = {},
): DocumentTexts {
  let known = openTrusted(trustedDocuments())
  const trusted = () => {
    const documents = trustedDocuments()
    if (documents !== known.documents) known = openTrusted(documents)
    return known
  }
  const kept = cache.open<string>({
    name: 'persistedQueries',
    maxEntries: maxKept,
    maxBytes: maxKeptBytes,
  })

  const named = (id: string): string => {
    const key = documentKey(id)
    const { textsByKey } = trusted()
    const text =
      textsByKey.get(key) ?? textsByKey.get(keyInApp(id)) ?? (trustedDocumentsOnly ? undefined : kept.get(key))
    if (text === undefined) throw notFound()
    return text
  }

  return {
    find({ query, documentId, extensions }) {
      const sha256 = extensions ? hashIn(extensions) : undefined
      if (query === '') {
        if (documentId !== undefined) return named(documentId)
        if (sha256 !== undefined) return named(sha256)
      }
      const { texts, textsByKey } = trusted()
      if (trustedDocumentsOnly && !texts.has(query)) throw notTrusted()
      // The build of a client may have given a trusted document any other id.
      const isTrusted = sha256 !== undefined && textsByKey.get(sha256) === query
      if (sha256 !== undefined && !isTrusted && hash('sha256', query) !== sha256) {
        throw badInput('`persistedQuery.sha256Hash` is not the hash of the document.', 'INVALID_REQUEST')
      }
      return query
    },

    keep({ query, extensions }) {
      const sha256 = extensions ? hashIn(extensions) : undefined
      if (trustedDocumentsOnly || sha256 === undefined || query === '') return
      kept.set(sha256, query, 2 * query.length + 200)
    },
  }
}

const noDocuments: ReadonlyMap<string, string> = new Map()

/** Trusted documents as requests name them. Throws if two texts have the same id. */
export const openTrusted = (documents: ReadonlyMap<string, string>) => ({
  documents,
  texts: new Set(documents.values()),
  textsByKey: byKey(documents),
})

/** The texts by the keys of their ids. Throws if two of them have the same. */
function byKey(trustedDocuments: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const [id, text] of trustedDocuments) {
    const key = documentKey(id)
    if ((texts.get(key) ?? text) !== text) throw new Error(`The id '${id}' in trustedDocuments has two texts.`)
    texts.set(key, text)
  }
  return texts
}

/** The key in an id such as `my-app~1.0.0~sha256:…`, which names the app too, as those of Hive do. */
const keyInApp = (id: string): string => documentKey(id.slice(id.lastIndexOf('~') + 1))

/** The hash in the extensions, in the form of Apollo's automatic persisted queries. */
function hashIn({ persistedQuery }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof persistedQuery !== 'object' || persistedQuery === null) return undefined
  const { version, sha256Hash } = persistedQuery as Readonly<Record<string, unknown>>
  if (version !== 1) throw badInput('`persistedQuery.version` must be 1.', 'INVALID_REQUEST')
  if (typeof sha256Hash !== 'string') throw badInput('`persistedQuery.sha256Hash` must be a string.', 'INVALID_REQUEST')
  return documentKey(sha256Hash)
}

/** Clients of automatic persisted queries expect this message or code, with status 200. */
const notFound = (): GraphQLError => refusal('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND', { status: 200 })

const notTrusted = (): GraphQLError =>
  refusal('Only trusted documents are run here.', 'DOCUMENT_NOT_TRUSTED', {
    status: 400,
    spec: true,
  })

const refusal = (message: string, code: ErrorCode, http: { status: number; spec?: boolean }) =>
  new GraphQLError(message, { extensions: { code, http } })

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
  documentId !== undefined || (typeof extensions === 'object' && extensions !== null && 'persistedQuery' in extensions)
