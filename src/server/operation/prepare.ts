import { type DocumentNode, getOperationAST, type OperationDefinitionNode } from 'graphql'
import { badInput } from '../../upstream/error.ts'
import type { Client } from '../execution/client.ts'
import type { Documents } from '../execution/documents/documents.ts'
import type { DocumentTexts } from '../execution/documents/documentTexts.ts'
import type { OperationRequest } from './operation.ts'
import { checkServiceAccess } from './serviceAccess.ts'

/** A valid document, and the operation in it that runs. */
export interface PreparedDocument {
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
  /** Whether its result is for its client alone. */
  readonly isPrivate: boolean
}

/** The stores of documents, and whether clients may read the schema. */
export interface PreparationOptions {
  readonly texts: DocumentTexts
  readonly documents: Documents
  readonly introspection: boolean
}

/** Returns a function that finds, parses and validates the document of a request. It throws what refuses it. */
export function createPreparation({ texts, documents, introspection }: PreparationOptions) {
  return (request: OperationRequest, client: Client): PreparedDocument => {
    const parsed = documents.parse(texts.find(request))
    const { document } = parsed
    const definition = getOperationAST(document, request.operationName)
    if (!definition) throw badInput(noOperation, 'INVALID_REQUEST')
    const refusal = client.refuse?.(definition.operation)
    if (refusal) throw refusal
    documents.validate(parsed)
    const isPrivate = !introspection && checkServiceAccess(parsed, client)
    texts.keep(request)
    return { document, definition, isPrivate }
  }
}

const noOperation =
  'Cannot determine which operation to run. Set `operationName` to the name of an operation in the document.'
