import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request that is turned away before it reaches the graph. */
export interface HttpError {
  readonly status: number
  readonly message: string
  /** `BAD_USER_INPUT` unless given. */
  readonly code?: 'RATE_LIMITED'
  readonly headers?: Record<string, string>
}

/** What is wrong with a request whatever it is for; undefined for most. */
export function validateRequest({ url, headers }: IncomingMessage): HttpError | undefined {
  if (!url?.startsWith('/')) {
    return { status: 400, message: 'The request target has to be a path.' }
  }
  if (headers.host !== undefined && !isHost(headers.host)) {
    return { status: 400, message: 'The Host header is not a host.' }
  }
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    return { status: 415, message: 'Compressed request bodies are not read.' }
  }
  return undefined
}

const isHost = (host: string): boolean =>
  /^(\[[\da-fA-F:.]+\]|[^\s/?#@[\]:\\]+)?(:\d{1,5})?$/.test(host)

/** What is wrong with a request for the graph; undefined for most. */
export function validateGraphqlRequest({
  method,
  headers,
}: IncomingMessage): HttpError | undefined {
  if (method !== 'GET' && method !== 'POST') {
    return {
      status: 405,
      message: 'The graph is asked by GET or POST.',
      headers: { allow: 'GET, POST, OPTIONS' },
    }
  }
  if (method === 'POST' && !isJson(headers['content-type'] ?? '')) {
    // Also keeps out what a web page can send to any origin without being asked for leave.
    return { status: 415, message: 'A request body has to be application/json, in UTF-8.' }
  }
  return undefined
}

function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.split(';').map((one) => one.trim().toLowerCase())
  const charset = parameters.find((one) => one.startsWith('charset='))
  return type === 'application/json' && (!charset || /^charset="?utf-?8"?$/.test(charset))
}

/** Answers a refusal in the shape of a GraphQL error, as clients of the graph look for one. */
export function sendError(response: ServerResponse, refusal: HttpError): void {
  const { status, message, code = 'BAD_USER_INPUT', headers } = refusal
  const errors = [{ message, extensions: { code } }]
  sendJson(response, status, { errors }, headers)
}

/** Answers a JSON body. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}

/** The bytes of a body; undefined as soon as there are more than the limit. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
