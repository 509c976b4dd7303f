import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The header with the id of a request: from the client, back to the client, and on to upstreams. */
export const requestIdHeader = 'x-request-id'

const validId = /^[\w.-]{1,128}$/

/**
 * The id of a request. An id from the client or a proxy is kept if headers and logs can repeat it safely. Otherwise
 * the request gets a new one.
 */
export function findRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[requestIdHeader]
  return typeof given === 'string' && validId.test(given) ? given : createRequestId()
}

/** A new id, for a request or for an operation on a WebSocket. */
export const createRequestId = (): string => randomUUID()
