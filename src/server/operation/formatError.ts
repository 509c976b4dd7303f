import { GraphQLError } from 'graphql'
import type { ErrorLog } from '../../engine/telemetry/errorLog.ts'
import { GatewayError, type InputReason, type RefusingLimit } from '../../engine/upstream/error.ts'

/**
 * Makes what a client may read of anything thrown, and logs it. To be called once for each error. The
 * error has the id of the request, if there is one.
 */
export type FormatError = (error: unknown, requestId?: string) => GraphQLError

/**
 * An error formatter. It always sets a code. Only the router's refusals carry the text of an upstream. `onRefusal` is
 * called once for each error that a limit caused, however many fields have it. Without introspection, messages do not
 * suggest names of the schema for unknown ones.
 */
export function createErrorFormatter(
  errorLog: ErrorLog,
  onRefusal?: (limit: RefusingLimit) => void,
  introspection = true,
): FormatError {
  const messageText = (message: string): string => {
    const text = introspection ? message : message.replace(suggestions, '')
    return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength - 1)}…` : text
  }
  const counted = new WeakSet<GatewayError>()
  const count = (root: unknown) => {
    if (!(root instanceof GatewayError) || root.limit === undefined || counted.has(root)) return
    counted.add(root)
    onRefusal?.(root.limit)
  }
  return (error, requestId) => {
    count(findRoot(error))
    const formatted = withCount(withText(withReason(format(error)), messageText), error)
    errorLog.report(formatted, findRoot(error), requestId)
    return requestId === undefined ? formatted : withRequestId(formatted, requestId)
  }
}

/** The longest message, in characters. graphql-js repeats names and values of any length. */
const maxMessageLength = 300

const suggestions = / ?Did you mean .*$/s

function withText(error: GraphQLError, messageText: (message: string) => string): GraphQLError {
  const message = messageText(error.message)
  return message === error.message ? error : copyError(error, message, error.extensions)
}

/** An error that stands for others says for how many, itself included. */
function withCount(formatted: GraphQLError, error: unknown): GraphQLError {
  if (!(error instanceof RepeatedError) || error.count === 1) return formatted
  return copyError(formatted, formatted.message, { ...formatted.extensions, count: error.count })
}

/** Invalid values that graphql-js finds have no reason of their own. */
function withReason(error: GraphQLError): GraphQLError {
  const { code, reason = 'INVALID_ARGUMENT' satisfies InputReason } = error.extensions
  if (code !== 'BAD_USER_INPUT') return error
  return copyError(error, error.message, { ...error.extensions, reason })
}

/** A copy of an error that has the id of its request. */
export function withRequestId(error: GraphQLError, requestId: string): GraphQLError {
  return copyError(error, error.message, { ...error.extensions, requestId })
}

function format(error: unknown): GraphQLError {
  const root = findRoot(error)
  if (error instanceof GraphQLError && typeof error.extensions.code === 'string') {
    return coded(error)
  }
  if (root instanceof GatewayError) {
    const { code, service, reason, upstreamMessage, info, retryAfter, transfer, unavailableChains } = root
    return located(error, root.message, {
      code,
      ...(service !== undefined && { service }),
      ...(reason !== undefined && { reason }),
      ...(upstreamMessage !== undefined && { upstreamMessage }),
      ...(info !== undefined && { info }),
      ...(retryAfter !== undefined && { retryAfter }),
      ...(transfer !== undefined && { transfer }),
      ...(unavailableChains !== undefined && { unavailableChains }),
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
function findRoot(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? findRoot(error.originalError) : error
}

function coded(error: GraphQLError): GraphQLError {
  const { code, http } = error.extensions
  // Yoga's own code. Its extensions can repeat what could not be parsed, and its status can be 200.
  if (code !== 'BAD_REQUEST') {
    return error.originalError ? copyError(error, error.message, error.extensions) : error
  }
  return located(error, error.message, {
    code: 'BAD_USER_INPUT',
    reason: 'INVALID_REQUEST' satisfies InputReason,
    http: { ...http, spec: false },
  })
}

function located(error: unknown, message: string, extensions: GraphQLError['extensions']): GraphQLError {
  const hasPath = error instanceof GraphQLError && error.path !== undefined
  const isRequestError = !hasPath && extensions.http === undefined
  return copyError(error, message, {
    ...extensions,
    ...(isRequestError && { http: toHttp(extensions.code) }),
  })
}

/** An error at the place of another one. */
function copyError(error: unknown, message: string, extensions: GraphQLError['extensions']): GraphQLError {
  const { nodes, source, positions, path } = error instanceof GraphQLError ? error : {}
  const options = {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    extensions,
  }
  return withoutStack(() => new GraphQLError(message, options))
}

/** A result without data has status 400 as `application/graphql-response+json`, but 200 as plain JSON. */
const toHttp = (code: unknown) => (code === 'INTERNAL_SERVER_ERROR' ? { status: 500 } : { status: 400, spec: true })

/** The error as JSON for a WebSocket, without the extension that is meant for HTTP. */
export function withoutHttp(error: GraphQLError) {
  const { extensions, ...rest } = error.toJSON()
  const { http: _http, ...others } = extensions ?? {}
  return { ...rest, extensions: others }
}

/** An error of the request itself, with an HTTP status of its own. */
export const requestError = (
  message: string,
  code: 'BAD_USER_INPUT' | 'RATE_LIMITED' | 'UNAUTHENTICATED',
  http: { status: number; headers?: Record<string, string> } = { status: 400 },
): GraphQLError =>
  new GraphQLError(message, {
    extensions: {
      code,
      ...(code === 'BAD_USER_INPUT' && { reason: 'INVALID_REQUEST' satisfies InputReason }),
      http,
    },
  })

/** The most errors of an answer. */
export const maxErrors = 100

/** An error that stands for others, which have the same cause. */
export class RepeatedError extends GraphQLError {
  /** Errors that it stands for, itself included. */
  readonly count: number

  /** At the place of the first one. */
  constructor(first: GraphQLError, count: number) {
    const { message, nodes, source, positions, path, originalError, extensions } = first
    super(message, {
      source,
      positions,
      originalError,
      extensions,
      nodes: nodes ?? null,
      path: path ?? null,
    })
    this.count = count
  }
}

/**
 * Makes an error without a stack, such as a copy of another error. To record the stack takes most of
 * the time that an error costs, and an answer can have errors by the thousands.
 */
export function withoutStack<T extends Error>(make: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return make()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
