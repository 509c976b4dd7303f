import { type Node, parseTree } from 'jsonc-parser'
import { z } from 'zod'
import { messageOf } from '#kit/errors'
import { documentKey } from '../../server/operation/documents/documentTexts.ts'
import type { Settings } from './settings/settings.ts'

/** Files and URLs. */
export interface TrustedDocumentsIo {
  /** The text of a file or URL. Rejects if it cannot be read. */
  readText(source: string): Promise<string>
  /** Gets a sentence for each fault. */
  readonly problems: string[]
}

/** A document as a file lists it. */
interface ListedDocument {
  readonly id: string
  readonly body: unknown
}

/** The manifest of Apollo. */
const manifest = z.object({ operations: z.array(z.object({ id: z.string(), body: z.string() })) })

/** The texts of the trusted documents by id. Undefined if none are set. */
export async function readTrustedDocuments(
  { trustedDocuments, trustedDocumentsOnly }: Pick<Settings, 'trustedDocuments' | 'trustedDocumentsOnly'>,
  { readText, problems }: TrustedDocumentsIo,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (trustedDocuments === undefined) {
    if (trustedDocumentsOnly) problems.push('TRUSTED_DOCUMENTS_ONLY needs TRUSTED_DOCUMENTS.')
    return undefined
  }
  const texts = new Map<string, { readonly text: string; readonly source: string }>()
  for (const source of trustedDocuments.split(',').map((text) => text.trim())) {
    for (const { id, body } of await readList(source, readText, problems)) {
      const fault = faultOf(id, body, source, texts.get(documentKey(id)))
      if (fault === undefined) {
        texts.set(documentKey(id), { text: String(body), source })
        continue
      }
      // A file of another kind has the same fault in each row.
      problems.push(`TRUSTED_DOCUMENTS: ${fault}`)
      break
    }
  }
  return new Map([...texts].map(([key, { text }]) => [key, text]))
}

/** Why a document cannot be served. `known` has the same id. Undefined if it can be. */
function faultOf(
  id: string,
  body: unknown,
  source: string,
  known: { readonly text: string; readonly source: string } | undefined,
): string | undefined {
  if (id === '') return `${source} has a document without an id.`
  // Such a file has names of operations and their ids, for clients.
  if (typeof body !== 'string' || !body.includes('{')) return `${source} has no document for the id '${id}'.`
  if (known === undefined || known.text === body) return undefined
  const places = known.source === source ? `in ${source}` : `one in ${known.source}, the other in ${source}`
  return `the id '${id}' has two texts, ${places}.`
}

/** The documents of a file. None, with a problem, if it cannot be read or is no list of documents. */
async function readList(
  source: string,
  readText: TrustedDocumentsIo['readText'],
  problems: string[],
): Promise<readonly ListedDocument[]> {
  try {
    const text = (await readText(source)).replace(/^\ufeff/, '')
    const json: unknown = JSON.parse(text)
    const { data } = manifest.safeParse(json)
    if (data) return data.operations
    if (isMap(json)) return pairsIn(parseTree(text))
    problems.push(`TRUSTED_DOCUMENTS: ${source} is not a list of documents.`)
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : messageOf(error)
    problems.push(`TRUSTED_DOCUMENTS: ${source} could not be read: ${reason}.`)
  }
  return []
}

/** Whether it is a map of documents by id, as GraphQL codegen, gql.tada and Relay write it. */
const isMap = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && !('operations' in json)

/** The pairs of a map, also those of a key that it has twice, of which `JSON.parse` keeps the last. */
const pairsIn = (map: Node | undefined): ListedDocument[] =>
  (map?.children ?? []).map(({ children = [] }) => ({ id: String(children[0]?.value), body: children[1]?.value }))
