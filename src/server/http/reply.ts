import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { findRequestId, requestIdHeader } from '../../engine/telemetry/requestId.ts'

/** The response to a request, before it begins. */
export interface Reply {
  readonly response: ServerResponse
  readonly requestId: string
  /**
   * The headers of the response besides its own: names and values in turn, the names in lower case. Node takes
   * three times as long for headers that are set one by one, or are an object.
   */
  readonly headers: string[]
}

export type Handler = (request: IncomingMessage, reply: Reply) => Promise<void> | void

/** Opens the reply to a request. By default browsers guess no type for it, and no cache keeps it. */
export function openReply(request: IncomingMessage, response: ServerResponse): Reply {
  const requestId = findRequestId(request)
  const headers = [requestIdHeader, requestId, ...safeHeaders]
  return { response, requestId, headers }
}

const safeHeaders = ['x-content-type-options', 'nosniff', 'cache-control', 'no-store']

/** Adds headers that the reply does not have yet. */
export function addHeaders({ headers }: Reply, added: Readonly<Record<string, string>>): void {
  for (const name in added) headers.push(name, added[name] ?? '')
}

/** The header `Vary` of a reply so far. */
export const varyOf = ({ headers }: Reply): string | undefined => {
  const at = headers.indexOf('vary')
  return at < 0 ? undefined : headers[at + 1]
}

/** The headers of a reply with these in place of its own. It leaves out those that are undefined. */
export function replaceHeaders({ headers }: Reply, own: Readonly<Record<string, string | undefined>>): string[] {
  const kept = headers.filter((_, i) => !((headers[i - (i % 2)] ?? '') in own))
  return [...kept, ...Object.entries(own).flatMap(([name, value]) => (value === undefined ? [] : [name, value]))]
}

/** Writes the head of a response. Its own headers replace those of the reply. */
export function writeHead({ response, headers }: Reply, status: number, own: OutgoingHttpHeaders): ServerResponse {
  const all: OutgoingHttpHeaders = {}
  for (let i = 0; i < headers.length; i += 2) all[headers[i] ?? ''] = headers[i + 1]
  return response.writeHead(status, { ...all, ...own })
}

/** Sends a response of JSON. */
export function sendJson(reply: Reply, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const contentType = 'application/json; charset=utf-8'
  writeHead(reply, status, { 'content-type': contentType, ...headers }).end(JSON.stringify(body))
}
