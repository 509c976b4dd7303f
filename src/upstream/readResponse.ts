import type { Clock } from '../kit/clock/clock.ts'
import { parseJson } from '../wire/exactJson.ts'
import { GatewayError } from './error.ts'
import { headerOf, type UpstreamResponse } from './exchange.ts'
import type { Redact } from './redact.ts'
import type { UpstreamRequest } from './request.ts'
import { retryAfterOf, serviceLabel, UpstreamHttpError } from './upstreamError.ts'

/** Whose response is read, and what hides the secrets in its errors. */
export interface ResponseReader {
  readonly service: string
  readonly redact: Redact
  /** Parses as `parseJson` does. */
  readonly parse: (text: string) => unknown
  readonly clock: Pick<Clock, 'date'>
}

/** Reads the value of a response. Throws the coded error that the response stands for. */
export function readResponse<T>(
  reader: ResponseReader,
  request: UpstreamRequest<T>,
  response: UpstreamResponse,
): T {
  const { service, redact, clock } = reader
  const { status, text } = response
  if (status < 200 || status > 299) {
    const retryAfterMs = retryAfterOf(headerOf(response, 'retry-after'), clock.date())
    throw new UpstreamHttpError(service, status, text, retryAfterMs, redact)
  }
  return readBody(reader, request, text)
}

/** Reads the body of a successful response that another process has received. */
export const readText = <T>(
  service: string,
  request: UpstreamRequest<T>,
  text: string,
  parse = parseJson,
): T =>
  // Which secrets that process has sent is not known here, so nothing of the text may be quoted.
  readBody({ service, redact: () => 'The shape is not the expected one.', parse }, request, text)

function readBody<T>(
  { service, redact, parse }: Omit<ResponseReader, 'clock'>,
  request: UpstreamRequest<T>,
  text: string,
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
  error instanceof Error && !(error instanceof SyntaxError)
    ? error.message
    : 'The syntax is invalid.'
