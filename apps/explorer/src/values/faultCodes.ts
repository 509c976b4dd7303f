/** Codes of faults that stay until something else is asked for, or until an operator has changed something. */
const final = new Set([
  ...['BAD_USER_INPUT', 'UPSTREAM_REJECTED', 'NOT_FOUND', 'NOT_CONFIGURED', 'QUERY_TOO_COMPLEX'],
  ...['UNAUTHENTICATED', 'DOCUMENT_NOT_TRUSTED'],
  ...['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED'],
])

/** Whether the same request fails again, so that nobody is asked to repeat it. */
export const isFinal = (code: string): boolean => final.has(code)
