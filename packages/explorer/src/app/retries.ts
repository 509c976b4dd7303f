import type { ResponseError } from '@portolan/client/errors'

/** Codes of faults that pass. */
const passing = new Set([
  ...['UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'UPSTREAM_INVALID_RESPONSE'],
  ...['RATE_LIMITED', 'NETWORK', 'TIMEOUT'],
])

/** Whether a fault may be over when it is tried again. */
export const isPassing = (code: unknown): boolean => typeof code === 'string' && passing.has(code)

/** Codes of faults that stay until something else is asked for, or until an operator has changed something. */
const final = new Set([
  ...['BAD_USER_INPUT', 'UPSTREAM_REJECTED', 'NOT_FOUND', 'NOT_CONFIGURED', 'QUERY_TOO_COMPLEX'],
  ...['UNAUTHENTICATED', 'DOCUMENT_NOT_TRUSTED'],
  ...['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED'],
])

/** Whether the same request fails again, so that nobody is asked to repeat it. */
export const isFinal = (code: string): boolean => final.has(code)

const firstWait = 4_000
const maxWait = 60_000

/** How often a record that nobody knows is asked for again: for about eight minutes. */
export const maxAsks = 10

/** Milliseconds until what failed is tried again: more each time, and not before the gateway says so. */
export const waitOf = (attempt: number, retryAfter: unknown = 0): number =>
  Math.max(Math.min(maxWait, firstWait * 2 ** attempt), (Number(retryAfter) || 0) * 1000)

/** The first fault of an answer that may pass: an error, or a chain that a list lacks. */
export function passingFault(
  data: unknown,
  errors: readonly ResponseError[],
): { readonly retryAfter?: unknown } | undefined {
  const error = errors.find(({ extensions }) => isPassing(extensions?.code))
  if (error) return { retryAfter: error.extensions?.retryAfter }
  return lacksChain(data) ? {} : undefined
}

function lacksChain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(lacksChain)
  return Object.entries(value).some(([name, part]) =>
    name === 'unavailableChains' && Array.isArray(part) ? part.some(({ code }) => isPassing(code)) : lacksChain(part),
  )
}
