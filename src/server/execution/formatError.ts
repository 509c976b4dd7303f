import { GraphQLError } from 'graphql'
import { type ErrorCode, GatewayError } from '../../upstream/error.ts'
import { UpstreamHttpError } from '../../upstream/upstreamError.ts'
import type { Log } from '../observability/log.ts'

/** Turns whatever was thrown into what a client may read, and logs it once. */
export type FormatError = (error: unknown) => GraphQLError

/**
 * An error formatter: the code is always there, words of strangers never are. The same error, or one
 * it formatted, gives the same answer, and is logged no second time.
 */
export function createErrorFormatter(log: Log): FormatError {
  const known = new WeakMap<object, GraphQLError>()
  return (error) => {
    const key = Object(error)
    const before = known.get(key)
    if (before) return before
    const formatted = format(error)
    known.set(key, formatted).set(formatted, formatted)
    report(log, formatted, rootOf(error))
    return formatted
  }
}

function format(error: unknown): GraphQLError {
  const root = rootOf(error)
  if (error instanceof GraphQLError && typeof error.extensions.code === 'string') {
    return coded(error)
  }
  if (root instanceof GatewayError) {
    const { code, service, reason } = root
    return located(error, root.message, {
      code,
      ...(service !== undefined && { service }),
      ...(reason !== undefined && { reason }),
    })
  }
  if (root instanceof DOMException && ['TimeoutError', 'AbortError'].includes(root.name)) {
    return located(error, 'The operation ran out of time.', { code: 'UPSTREAM_TIMEOUT' })
  }
  // graphql-js finds a null among the variables of a nullable type only when it runs the field.
  if (root instanceof GraphQLError && root.message.startsWith('Argument "')) {
    return located(error, root.message, { code: 'BAD_USER_INPUT' })
  }
  return located(error, 'Unexpected error.', { code: 'INTERNAL_SERVER_ERROR' })
}

/** The error that others were wrapped around. */
function rootOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? rootOf(error.originalError) : error
}

function coded(error: GraphQLError): GraphQLError {
  const { code, http } = error.extensions
  // Yoga has two codes of its own; to a client both say that what it sent could not have worked.
  if (code === 'OPERATION_RESOLUTION_FAILURE') {
    return located(error, error.message, { code: 'BAD_USER_INPUT' })
  }
  // Yoga adds to these what could not be parsed, and answers some with 200.
  if (code !== 'BAD_REQUEST') return error
  return located(error, error.message, { code: 'BAD_USER_INPUT', http: { ...http, spec: false } })
}

function located(
  error: unknown,
  message: string,
  extensions: GraphQLError['extensions'],
): GraphQLError {
  const { nodes, source, positions, path } = error instanceof GraphQLError ? error : {}
  const isRequestError = path === undefined && extensions.http === undefined
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    extensions: { ...extensions, ...(isRequestError && { http: httpOf(extensions.code) }) },
  })
}

/** Without data the media type of GraphQL answers wants a status of its own; plain JSON says 200. */
const httpOf = (code: unknown) =>
  code === 'INTERNAL_SERVER_ERROR' ? { status: 500 } : { status: 400, spec: true }

const upstreamCodes: ErrorCode[] = [
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_REJECTED',
  'UPSTREAM_INVALID_RESPONSE',
]

// No messages of client faults: they quote the values of variables.
function report(log: Log, { extensions, path }: GraphQLError, root: unknown): void {
  const { code, service, reason } = extensions
  const at = path?.join('.')
  if (code === 'INTERNAL_SERVER_ERROR') log.error({ err: root, path: at }, 'unexpected error')
  else if (upstreamCodes.some((one) => one === code)) {
    const said = root instanceof UpstreamHttpError ? root.bodyExcerpt : undefined
    log.warn({ code, service, reason, said, cause: causeOf(root), path: at }, 'upstream fault')
  } else log.debug({ code, path: at }, 'client fault')
}

const causeOf = (error: unknown): string | undefined =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined

/** The error as it goes over a socket, where nothing else takes out what is meant for HTTP. */
export function withoutHttp(error: GraphQLError) {
  const { extensions, ...rest } = error.toJSON()
  const { http: _http, ...kept } = extensions ?? {}
  return { ...rest, extensions: kept }
}

/** A refusal with a code and HTTP status of its own, before there is an operation. */
export const requestError = (
  message: string,
  code: 'BAD_USER_INPUT' | 'RATE_LIMITED',
): GraphQLError => new GraphQLError(message, { extensions: { code, http: { status: 400 } } })
