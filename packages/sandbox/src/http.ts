import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type Socket } from 'node:net'
import type { Faults } from './faults.ts'
import { jsonText } from './longNumber.ts'
import { unescapeTarget, withEscapedTargets } from './rawTarget.ts'

/** Requests kept in the log. A sandbox may run for days. */
const maxRequests = 20_000

/** A received request. `path` is the raw path without the query, never percent-decoded. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** The response of a handler: `json` is sent as application/json, `text` as text/plain. */
export interface Reply {
  readonly status: number
  readonly json?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Responds to one request. If it throws, the response is a plain 500. */
export type Handler = (request: Request) => Reply | Promise<Reply>

/** A service: its name in the request log, where to listen (port 0: a free port), and its handler. */
export interface ServiceOptions {
  readonly name: string
  readonly host: string
  readonly port: number
  readonly handler: Handler
  readonly requests: string[]
  readonly faults: Faults
}

/** A listening service. `close` destroys open connections and cancels pending delays. */
export interface Service {
  readonly url: string
  close(): Promise<void>
}

const maxHeaderSize = 16_384
const plainText = 'text/plain; charset=utf-8'

/** Starts an HTTP server that logs every request, applies its fault if there is one, and calls the handler. */
export function startService(options: ServiceOptions): Promise<Service> {
  const timers = new Set<NodeJS.Timeout>()
  const delay = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        resolve()
      }, ms)
      timers.add(timer)
    })

  const server = createServer({ maxHeaderSize }, (incoming, response) => {
    serve(options, delay, incoming, response).catch(() => response.destroy())
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) return
    const reason = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
    const text = reason.slice(4)
    socket.end(
      `HTTP/1.1 ${reason}\r\ncontent-type: ${plainText}\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`,
    )
  })

  const open = new Set<Socket>()
  const sockets = createSocketServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
    server.emit('connection', withEscapedTargets(socket))
  })
  const close = () =>
    new Promise<void>((resolve) => {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      sockets.close(() => resolve())
      for (const socket of open) socket.destroy()
    })

  return new Promise((resolve, reject) => {
    sockets.once('error', reject)
    sockets.listen(options.port, options.host, () => {
      sockets.off('error', reject)
      const address = sockets.address()
      const port = typeof address === 'object' && address ? address.port : options.port
      resolve({ url: `http://${options.host}:${port}`, close })
    })
  })
}

async function serve(
  { name, handler, requests, faults }: ServiceOptions,
  delay: (ms: number) => Promise<void>,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = unescapeTarget(incoming.url ?? '/')
  const method = incoming.method ?? 'GET'
  requests.push(`${name} ${method} ${target}`)
  if (requests.length > maxRequests) requests.splice(0, maxRequests / 2)
  const body = await readBody(incoming)

  const fault = faults.take(name, target)
  switch (fault?.kind) {
    case 'hang':
      return
    case 'reset':
      incoming.socket.destroy()
      return
    case 'status':
      return send(response, fault.status, fault.body ?? (fault.status === 404 ? 'tx not found' : ''), {
        'content-type': fault.contentType ?? plainText,
        ...fault.headers,
      })
    case 'garbage':
      return send(response, 200, fault.body, { 'content-type': 'application/json' })
    case 'answer':
      return reply(response, { status: 200, json: fault.json })
    case 'latency':
      await delay(fault.ms)
      break
  }

  const queryMark = target.indexOf('?')
  const path = queryMark < 0 ? target : target.slice(0, queryMark)
  const query = new URLSearchParams(queryMark < 0 ? '' : target.slice(queryMark + 1))
  const headers: Record<string, string | undefined> = {}
  for (const [key, value] of Object.entries(incoming.headers)) {
    headers[key] = Array.isArray(value) ? value.join(', ') : value
  }
  try {
    const answer = await handler({ method, path, query, body, headers })
    const isChanged = fault?.kind === 'change' && answer.json !== undefined
    reply(response, isChanged ? { ...answer, json: fault.change(answer.json) } : answer)
  } catch {
    reply(response, { status: 500, text: 'Internal Server Error' })
  }
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function reply(response: ServerResponse, { status, json, text, headers }: Reply): void {
  const [body, type] = json === undefined ? [text ?? '', plainText] : [jsonText(json), 'application/json']
  send(response, status, body, { 'content-type': type, ...headers })
}

function send(response: ServerResponse, status: number, body: string, headers: Readonly<Record<string, string>>): void {
  const length = Buffer.byteLength(body)
  response.writeHead(status, { ...headers, 'content-length': String(length) }).end(body)
}
