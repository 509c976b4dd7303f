import { complexityFromQuery } from '@pothos/plugin-complexity'
import { type DocumentNode, type GraphQLSchema, Kind } from 'graphql'
import { GatewayError } from '../upstream/error.ts'

/** The limits clients meet, each an error when passed, none a silent cap. */
export interface Limits {
  /** The largest `first` or `last`. */
  readonly maxPageSize: number
  /** The page size where neither is given. */
  readonly defaultPageSize: number
  /** Nested selections of one operation. */
  readonly maxDepth: number
  /** Points one operation may cost, variables counted. */
  readonly maxCost: number
  /** Lexical tokens of one document. */
  readonly maxTokens: number
  /** Bytes of one HTTP body or WebSocket message. */
  readonly maxRequestBytes: number
  /** Ids in one `nodes`. */
  readonly maxNodes: number
  /** Milliseconds one query or mutation may take. */
  readonly timeout: number
  /** Subscriptions under way on one socket. */
  readonly maxSubscriptions: number
  /** Sockets and event streams of one client address. */
  readonly maxStreamsPerClient: number
}

/** The limits of a gateway whose owner sets none. */
export const defaultLimits: Limits = {
  maxPageSize: 100,
  defaultPageSize: 20,
  maxDepth: 16,
  maxCost: 20_000,
  maxTokens: 2_000,
  maxRequestBytes: 256 * 1024,
  maxNodes: 100,
  timeout: 15_000,
  maxSubscriptions: 100,
  maxStreamsPerClient: 250,
}

/** Throws `QUERY_TOO_COMPLEX` when the operation, with its variables, passes a limit. */
export function checkCost(
  limits: Limits,
  operation: {
    document: DocumentNode
    operationName: string | null | undefined
    schema: GraphQLSchema
    /** As the client sent them: they are coerced here. */
    variables: Record<string, unknown>
    context: object
  },
): void {
  const { schema, variables, context } = operation
  const document = onlyOperation(operation.document, operation.operationName)
  const { complexity, depth } = complexityFromQuery(document, { schema, variables, ctx: context })
  if (depth > limits.maxDepth) {
    throw new GatewayError(
      'QUERY_TOO_COMPLEX',
      `The operation nests ${depth} levels deep; ${limits.maxDepth} are allowed.`,
    )
  }
  if (complexity > limits.maxCost) {
    throw new GatewayError(
      'QUERY_TOO_COMPLEX',
      `The operation costs ${complexity} points; ${limits.maxCost} are allowed. Ask for smaller pages.`,
    )
  }
}

// The plugin weighs the first operation of a document, which need not be the one that runs.
function onlyOperation(document: DocumentNode, name: string | null | undefined): DocumentNode {
  if (!name) return document
  const definitions = document.definitions.filter(
    (one) => one.kind !== Kind.OPERATION_DEFINITION || one.name?.value === name,
  )
  return { ...document, definitions }
}
