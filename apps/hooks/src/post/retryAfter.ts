/** As `Fri, 31 Dec 2027 23:59:59 GMT`. `Date.parse` alone reads many other texts too, such as a bare `-5`. */
const date = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

/**
 * Milliseconds to wait by a `Retry-After` header in seconds or as a date (RFC 9110, 10.2.3). `now` is in milliseconds
 * since 1970. Undefined for anything else, and for a date that has passed.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  const wait = /^\d+$/.test(text) ? 1_000 * Number(text) : date.test(text) ? Date.parse(text) - now : Number.NaN
  return wait > 0 ? wait : undefined
}
