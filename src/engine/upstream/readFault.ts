import { z } from 'zod'
import { type ErrorCode, GatewayError } from './error.ts'
import { UpstreamHttpError } from './upstreamError.ts'

const codes = [
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_REJECTED',
  'UPSTREAM_INVALID_RESPONSE',
] as const satisfies readonly ErrorCode[]

/** The form of a fault, for those who read it from elsewhere. */
export const readFault = z.object({
  code: z.enum(codes),
  message: z.string().max(1_000),
  service: z.string().optional(),
  reason: z.string().optional(),
  upstreamMessage: z.string().optional(),
  info: z.string().optional(),
  /** Set if there was a response. */
  http: z.object({ status: z.number().int(), excerpt: z.string(), retryAfterMs: z.number().optional() }).optional(),
})

/** An error of an upstream as plain JSON: its code and its texts, and never a stack or a cause. */
export type ReadFault = z.output<typeof readFault>

/** The fault that stands for an error. */
export function faultOf(service: string, error: unknown): ReadFault {
  const code = codes.find((each) => error instanceof GatewayError && error.code === each)
  if (!(error instanceof GatewayError) || !code) {
    return { code: 'UPSTREAM_UNAVAILABLE', message: 'The request failed.', service }
  }
  const { message, reason, upstreamMessage, info } = error
  const http = error instanceof UpstreamHttpError && {
    status: error.status,
    excerpt: error.bodyExcerpt,
    retryAfterMs: error.retryAfterMs,
  }
  return {
    code,
    message,
    service: error.service ?? service,
    reason,
    upstreamMessage,
    info,
    ...(http && { http }),
  }
}

/** The error that a fault stands for. */
export function errorOf(fault: ReadFault): GatewayError {
  const { code, message, service = '', http, reason, upstreamMessage, info } = fault
  const texts = { service, upstreamReason: reason, upstreamMessage, info }
  if (!http) return new GatewayError(code, message, texts)
  const details = reason === undefined ? undefined : [{ reason }]
  // What the router says of a failure is shown only if it was JSON.
  const isText = http.status >= 500 && upstreamMessage === undefined && reason === undefined
  const json = { message: upstreamMessage ?? http.excerpt, info, details }
  const body = isText ? http.excerpt : JSON.stringify(json)
  return new UpstreamHttpError(service, http.status, body, http.retryAfterMs)
}
