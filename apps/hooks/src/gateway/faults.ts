import { PortolanError } from '@portolan/client/errors'

/** Codes of faults that lie in the document, its variables or the key: the same operation never succeeds. */
const finalCodes = /^(BAD_USER_INPUT|UNAUTHENTICATED|FORBIDDEN|DOCUMENT_NOT_TRUSTED|QUERY_TOO_COMPLEX|GRAPHQL_\w+)$/

/** Whether an operation that failed makes no sense again. A single record that is too large is none of its own faults. */
export const isFinal = (error: unknown): boolean =>
  error instanceof PortolanError && finalCodes.test(error.code) && error.reason !== 'RECORD_TOO_LARGE'

/** What the gateway says of a fault, on one line, with its code. Errors of anybody else have only their code. */
export function sentenceOf(error: unknown): string {
  const { code } = error as { code?: string }
  if (!(error instanceof PortolanError)) return `It failed (${code ?? 'unknown fault'}).`
  const text = error.message.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 500)
  return `${text} (${code})`
}
