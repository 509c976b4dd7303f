import { GraphQLError } from 'graphql'
import { type ErrorCode, GatewayError } from '../../upstream/error.ts'
import { UpstreamHttpError } from '../../upstream/upstreamError.ts'
import type { Log } from '../observability/log.ts'

/** Makes what a client may read of anything thrown, and logs it. To be called once for each error. */
export type FormatError = (error: unknown) => GraphQLError

/** An error formatter. It always sets a code, and never passes on the text of an upstream. */
export function createErrorFormatter(log: Log): FormatError {
  return (error) => {
    const formatted = format(error)
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
    return located(error, 'The operation timed out.', { code: 'UPSTREAM_TIMEOUT' })
  }
  // graphql-js checks a null variable of a nullable type only when it resolves the field.
  if (root instanceof GraphQLError && root.message.startsWith('Argument "')) {
    return located(error, root.message, { code: 'BAD_USER_INPUT' })
  }
  return located(error, 'Unexpected error.', { code: 'INTERNAL_SERVER_ERROR' })
}

/** The innermost error. */
function rootOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? rootOf(error.originalError) : error
}

function coded(error: GraphQLError): GraphQLError {
  const { code, http } = error.extensions
  // Yoga's own code. Its extensions can repeat what could not be parsed, and its status can be 200.
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

/** A result without data has status 400 as `application/graphql-response+json`, but 200 as plain JSON. */
const httpOf = (code: unknown) =>
  code === 'INTERNAL_SERVER_ERROR' ? { status: 500 } : { status: 400, spec: true }

const upstreamCodes: ErrorCode[] = [
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_REJECTED',
  'UPSTREAM_INVALID_RESPONSE',
]

// The message of a client error is not logged: it can quote the values of variables.
function report(log: Log, { extensions, path }: GraphQLError, root: unknown): void {
  const { code, service, reason } = extensions
  const at = path?.join('.')
  if (code === 'INTERNAL_SERVER_ERROR') log.error({ err: root, path: at }, 'unexpected error')
  else if (upstreamCodes.some((upstreamCode) => upstreamCode === code)) {
    const bodyExcerpt = root instanceof UpstreamHttpError ? root.bodyExcerpt : undefined
    const cause = causeOf(root)
    log.warn({ code, service, reason, bodyExcerpt, cause, path: at }, 'upstream error')
  } else log.debug({ code, path: at }, 'client error')
}

const causeOf = (error: unknown): string | undefined =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined

/** The error as JSON for a WebSocket, without the extension that is meant for HTTP. */
export function withoutHttp(error: GraphQLError) {
  const { extensions, ...rest } = error.toJSON()
  const { http: _http, ...others } = extensions ?? {}
  return { ...rest, extensions: others }
}

/** An error of the request itself, with an HTTP status of its own. */
export const requestError = (
  message: string,
  code: 'BAD_USER_INPUT' | 'RATE_LIMITED',
  http: { status: number; headers?: Record<string, string> } = { status: 400 },
): GraphQLError => new GraphQLError(message, { extensions: { code, http } })
