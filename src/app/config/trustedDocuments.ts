import { z } from 'zod'
import { messageOf } from '#kit/errors'
import type { Settings } from './settings/settings.ts'

/** Files and URLs. */
export interface TrustedDocumentsIo {
  /** The text of a file or URL. Rejects if it cannot be read. */
  readText(source: string): Promise<string>
  /** Gets a sentence for each fault. */
  readonly problems: string[]
}

/** `persisted-documents.json` of GraphQL codegen, and the map of persisted queries of Relay. */
const byId = z.record(z.string(), z.string())

const manifest = z
  .object({ operations: z.array(z.object({ id: z.string(), body: z.string() })) })
  .transform(({ operations }) => Object.fromEntries(operations.map(({ id, body }): [string, string] => [id, body])))

const documents = z.union([manifest, byId])

/** The texts of the trusted documents by id. Undefined if none are set. */
export async function readTrustedDocuments(
  { trustedDocuments, trustedDocumentsOnly }: Pick<Settings, 'trustedDocuments' | 'trustedDocumentsOnly'>,
  { readText, problems }: TrustedDocumentsIo,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (trustedDocuments === undefined) {
    if (trustedDocumentsOnly) problems.push('TRUSTED_DOCUMENTS_ONLY needs TRUSTED_DOCUMENTS.')
    return undefined
  }
  const texts = new Map<string, string>()
  for (const source of trustedDocuments.split(',').map((text) => text.trim())) {
    try {
      const parsed = documents.safeParse(JSON.parse(await readText(source)))
      if (!parsed.success) problems.push(`TRUSTED_DOCUMENTS: ${source} is not a list of documents.`)
      for (const [id, text] of Object.entries(parsed.data ?? {})) texts.set(id, text)
    } catch (error) {
      const reason = error instanceof SyntaxError ? 'it is not JSON' : messageOf(error)
      problems.push(`TRUSTED_DOCUMENTS: ${source} could not be read: ${reason}.`)
    }
  }
  return texts
}
