import { requestIdHeader } from '../../telemetry/requestId.ts'

/** The origins whose web pages may use the graph: all, or those listed. */
export type AllowedOrigins = '*' | readonly string[]

/** True for clients that are not web pages, and for pages of an allowed origin. */
export const isAllowedOrigin = (allowed: AllowedOrigins, origin: string | undefined): boolean =>
  allowed === '*' || origin === undefined || allowed.includes(origin)

const exposed = { 'access-control-expose-headers': `${requestIdHeader}, retry-after` }
const anyOrigin = { 'access-control-allow-origin': '*', ...exposed }

/** The headers that let a page read a response. Never with credentials: the graph uses none. */
export function corsHeaders(
  allowed: AllowedOrigins,
  origin: string | undefined,
): Record<string, string> {
  if (allowed === '*') return anyOrigin
  const isListed = origin !== undefined && allowed.includes(origin)
  return { vary: 'Origin', ...(isListed && { 'access-control-allow-origin': origin, ...exposed }) }
}

/** The further headers of a response to a preflight request. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  // Browsers do not count `Authorization` among all headers (Fetch standard, 4.10).
  'access-control-allow-headers': '*, Authorization',
  'access-control-max-age': '86400',
}
