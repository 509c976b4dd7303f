import type { Clock } from '../../kit/clock/clock.ts'
import { parseJson } from '../wire/exactJson.ts'
import { isJsonObject, type JsonObject } from '../wire/lenient.ts'
import { GatewayError } from './error.ts'
import { headerOf, type UpstreamResponse } from './exchange.ts'
import type { Redact } from './redact.ts'
import type { UpstreamRequest } from './request.ts'
import { serviceLabel } from './services.ts'
import { parseRetryAfter, UpstreamHttpError } from './upstreamError.ts'

/** Whose response is read, and what hides the secrets in its errors. */
export interface ResponseReader {
  readonly service: string
  /** Whether the service has sent a response that could be read. */
  hasAnswered: boolean
  readonly redact: Redact
  readonly clock: Pick<Clock, 'date'>
}

/**
 * Reads the value of a response, whose JSON may have been read already. Throws the coded error that the response stands
 * for.
 */
export function readResponse<T>(
  reader: ResponseReader,
  request: UpstreamRequest<T>,
  response: UpstreamResponse,
  parse = parseJson,
): T {
  const { service, redact, clock } = reader
  const { status, text } = response
  if (status < 200 || status > 299) {
    const retryAfterMs = parseRetryAfter(headerOf(response, 'retry-after'), clock.date())
    throw new UpstreamHttpError(service, status, text, retryAfterMs, redact)
  }
  const value = readBody(reader, request, text, parse)
  reader.hasAnswered ||= request.isText !== true
  return value
}

/** Reads the body of a successful response that another process has received. */
export const readText = <T>(service: string, request: UpstreamRequest<T>, text: string): T => {
  // Which secrets that process has sent is not known here, so nothing of the text may be quoted.
  const redact = () => 'The shape is not the expected one.'
  return readBody({ service, redact }, request, text, parseJson)
}

function readBody<T>(
  { service, redact }: Pick<ResponseReader, 'service' | 'redact'>,
  request: UpstreamRequest<T>,
  text: string,
  parse: (text: string) => unknown,
): T {
  try {
    if (request.isText) return request.read(null, text)
    // The body of some responses is empty. Whether that is valid is up to `read`.
    return request.read(text === '' ? null : parse(text), text)
  } catch (cause) {
    throw new GatewayError(
      'UPSTREAM_INVALID_RESPONSE',
      `${serviceLabel(service)} sent a response of an unexpected shape.`,
      { service, cause: new Error(redact(mismatchOf(cause))) },
    )
  }
}

/** The fault of a response. Syntax errors quote a part of it, which could be half a secret. */
const mismatchOf = (error: unknown): string =>
  error instanceof Error && !(error instanceof SyntaxError) ? error.message : 'The syntax is invalid.'

// A 404 means that there is no such record only if the service itself says so. A proxy in front of it, or another
// server at its address, answers 404 to everything: without this check, that would look like an empty chain. The contract
// names no words for it, but says that responses are JSON. So the words of known services are taken at once, and any other JSON
// from a service that has answered before.

/** The texts of indexers for a record that they lack, and for the EVM where it is off. */
const noRecord =
  /^(?:\[NOT_FOUND\] .+|(?:block|tx|transaction|(?:nft )?(?:collection|token)) not found|evm routes are not available on this chain)$/i

/** The text of indexers for a path that they do not serve. */
const noRoute = /^Cannot GET \/\S*$/

/** Whether an indexer can lack a route: by its version or its VM, or for an NFT whose token id has a `/`. */
export const isOptionalRoute = (route: string): boolean =>
  /\/evm-(?:internal-)?txs\b|\/nft\/v1\/txs\/|\/richlist\//.test(route)

/** In characters. A longer body says something else. */
const maxLength = 4 * 1024

/** Whether a 404 says that there is no such record, or no such route where one can be missing. */
function saysAbsence(response: UpstreamResponse, route: string, hasAnswered: boolean): boolean {
  const { text } = response
  const type = headerOf(response, 'content-type') ?? ''
  if (text.length > maxLength || /^text\/html\b/i.test(type)) return false
  const said = text.trim()
  if (noRoute.test(said)) return isOptionalRoute(route)
  if (noRecord.test(said)) return true
  const body = jsonObjectIn(said)
  return body !== undefined && (hasAnswered || isNotFoundStatus(body))
}

/** Whether a body is the gRPC status `NOT_FOUND`. */
const isNotFoundStatus = ({ code }: JsonObject): boolean => code === 5

function jsonObjectIn(text: string): JsonObject | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const body: unknown = JSON.parse(text)
    return isJsonObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

/** The error for a 404 that does not come from the service. Undefined if it says that something does not exist. */
export function foreignNotFound(
  { service, hasAnswered }: Pick<ResponseReader, 'service' | 'hasAnswered'>,
  response: UpstreamResponse,
  route: string,
): GatewayError | undefined {
  if (saysAbsence(response, route, hasAnswered)) return undefined
  const claim = 'sent a 404 that another server or a proxy has made. Its URL may be wrong.'
  return new GatewayError('UPSTREAM_INVALID_RESPONSE', `${serviceLabel(service)} ${claim}`, {
    service,
  })
}
