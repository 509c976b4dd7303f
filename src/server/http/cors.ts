/** The origins whose pages may read the graph: all, or those listed. */
export type AllowedOrigins = '*' | readonly string[]

/** True for clients that are no web page, and for pages of an allowed origin. */
export const isAllowedOrigin = (allowed: AllowedOrigins, origin: string | undefined): boolean =>
  allowed === '*' || origin === undefined || allowed.includes(origin)

/** What lets a page read an answer. Never with credentials: the graph knows none. */
export function corsHeaders(
  allowed: AllowedOrigins,
  origin: string | undefined,
): Record<string, string> {
  if (allowed === '*') return { 'access-control-allow-origin': '*' }
  const isListed = origin !== undefined && allowed.includes(origin)
  return { vary: 'Origin', ...(isListed && { 'access-control-allow-origin': origin }) }
}

/** What a preflight adds to that. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
}
