import type { IncomingMessage } from 'node:http'
import { requestIdHeader } from '../../engine/telemetry/requestId.ts'
import type { Client } from '../clients/client.ts'
import type { Identify } from '../clients/identify.ts'
import { type HttpError, sendError, toHttpError } from './httpError.ts'
import { addHeaders, writeHead } from './reply.ts'
import type { ClientExchange, Exchange, RequestStep } from './way.ts'

/** The path that a request asks for, without its query. */
export const pathOf = ({ url = '' }: Pick<IncomingMessage, 'url'>): string => {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/** A path whose slashes are single. */
export const singleSlashes = (path: string): string => path.replace(/\/{2,}/g, '/')

/** A path without a slash too many: people type such paths, and programs join them. */
export const plainPath = (path: string): string => singleSlashes(path).replace(/(?<=.)\/$/, '')

/** Refuses requests that are faulty, whatever their path, so that a web page can read why. */
export const refuseFaulty =
  (allowed: AllowedOrigins): RequestStep<Exchange> =>
  (exchange, next) => {
    const error = validateRequest(exchange.request)
    if (!error) return next(exchange)
    return allowOrigins(allowed)(exchange, ({ reply }) => sendError(reply, error))
  }

/** Finds out which client sends the request. Refuses a client without the key that it needs. */
export const identifyClient =
  (identify: Identify): RequestStep<Exchange, ClientExchange> =>
  ({ request, reply }, next) => {
    const client = identify.ofRequest(request)
    return 'status' in client ? sendError(reply, client) : next({ request, reply, client })
  }

/** The error in a request to any path, or undefined. */
export function validateRequest(request: IncomingMessage): HttpError | undefined {
  const { url, headers } = request
  if (!url?.startsWith('/')) {
    return { status: 400, message: 'The request target must be a path.' }
  }
  if (headers.host !== undefined && !isHost(headers.host)) {
    return { status: 400, message: 'Invalid Host header.' }
  }
  if (hasTwoHosts(request)) {
    const message = 'A request must have one Host header.'
    return { status: 400, message, headers: { connection: 'close' } }
  }
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    return { status: 415, message: 'Compressed request bodies are not supported.' }
  }
  return undefined
}

/** Whether a proxy in front may have read another host than Node, which takes the first one. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1
}

const isHost = (host: string): boolean => /^(\[[\da-fA-F:.]+\]|[^\s/?#@[\]:\\]+)?(:\d{1,5})?$/.test(host)

/** Refuses requests that no handler of GraphQL reads. */
export const onlyGraphql: RequestStep<Exchange> = (exchange, next) => {
  const { method, headers } = exchange.request
  if (method !== 'GET' && method !== 'POST') return sendError(exchange.reply, wrongMethod)
  // This also refuses the media types that a web page may send to any origin without a preflight.
  if (method === 'POST' && !isJson(headers['content-type'] ?? '')) return sendError(exchange.reply, notJson)
  return next(exchange)
}

const wrongMethod: HttpError = {
  status: 405,
  message: 'Use GET or POST.',
  headers: { allow: 'GET, POST, OPTIONS' },
}
const notJson: HttpError = { status: 415, message: 'The request body must be application/json in UTF-8.' }

/** Refuses all methods but GET and HEAD. */
export const onlyReads: RequestStep<Exchange> = (exchange, next) => {
  const { method } = exchange.request
  if (method === 'GET' || method === 'HEAD') return next(exchange)
  return sendError(exchange.reply, { status: 405, message: 'Use GET.', headers: { allow: 'GET, HEAD' } })
}

function isJson(contentType: string): boolean {
  if (contentType === 'application/json') return true
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  return type === 'application/json' && (!charset || /^charset="?utf-?8"?$/.test(charset))
}

/** The origins whose web pages may use the graph: all, or those listed. */
export type AllowedOrigins = '*' | readonly string[]

/** True for clients that are not web pages, and for pages of an allowed origin. */
export const isAllowedOrigin = (allowed: AllowedOrigins, origin: string | undefined): boolean =>
  allowed === '*' || origin === undefined || allowed.includes(origin)

const exposed = { 'access-control-expose-headers': `${requestIdHeader}, retry-after` }
const anyOrigin = { 'access-control-allow-origin': '*', ...exposed }

/** The headers that let a page read a response. Never with credentials: the graph uses none. */
function corsHeaders(allowed: AllowedOrigins, origin: string | undefined): Record<string, string> {
  if (allowed === '*') return anyOrigin
  const isListed = origin !== undefined && allowed.includes(origin)
  return { vary: 'Origin', ...(isListed && { 'access-control-allow-origin': origin, ...exposed }) }
}

/** Lets pages of these origins read the answer. */
export const allowOrigins =
  (allowed: AllowedOrigins): RequestStep<Exchange> =>
  (exchange, next) => {
    addHeaders(exchange.reply, corsHeaders(allowed, exchange.request.headers.origin))
    return next(exchange)
  }

/** Answers what browsers ask before they send a request from another origin. */
export const answerPreflight: RequestStep<Exchange> = (exchange, next) => {
  if (exchange.request.method !== 'OPTIONS') return next(exchange)
  writeHead(exchange.reply, 204, preflightHeaders).end()
}

/** The further headers of a response to a preflight request. */
const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST',
  // Browsers do not count `Authorization` among all headers (Fetch standard, 4.10).
  'access-control-allow-headers': '*, Authorization',
  'access-control-max-age': '86400',
}

/** A file costs one point for this many bytes, as an answer does. */
const bytesOfPoint = 16 * 1024

/** Charges a client for a file of this many bytes. Returns the error for a client that may not spend as much. */
export function chargeFile(client: Client, bytes: number): HttpError | undefined {
  return chargePoints(client, Math.ceil((bytes + 1) / bytesOfPoint))
}

/** Charges a client this many points. Returns the error for a client that may not spend as much. */
export function chargePoints(client: Client, points: number): HttpError | undefined {
  const refusal = client.take(points)
  return refusal && toHttpError(refusal, 429)
}
