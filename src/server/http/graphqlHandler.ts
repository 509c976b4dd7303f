import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { endpoint, type Pipeline } from '../execution/yoga.ts'
import type { ExecuteFn } from '../graphiql/exampleTabs.ts'
import { createGraphiql, wantsPage } from '../graphiql/page.ts'
import { type ConnectionQuota, clientIp } from './connectionQuota.ts'
import { type AllowedOrigins, corsHeaders, preflightHeaders } from './cors.ts'
import { readBody, sendError, validateGraphqlRequest } from './requestGuards.ts'

/** How the graph is served over HTTP. */
export interface GraphqlHandlerOptions {
  readonly yoga: Pipeline['yoga']
  readonly maxRequestBytes: number
  readonly allowedOrigins: AllowedOrigins
  readonly graphiql: boolean
  /** Event streams that a client may have, counted with its sockets. */
  readonly quota: ConnectionQuota
}

/** The graph over HTTP and server-sent events. */
export interface GraphqlHandler {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Cuts all event streams; their readers see that they have not come to an end. */
  terminateStreams(): void
}

/** Serves the graph: origins, body and method are seen to here, all else by the pipeline. */
export function createGraphqlHandler(options: GraphqlHandlerOptions): GraphqlHandler {
  const { yoga, maxRequestBytes, allowedOrigins, graphiql, quota } = options
  const streams = new Set<ServerResponse>()
  const page = createGraphiql(askOf(yoga))

  const stream = async (response: ServerResponse, body: AsyncIterable<Uint8Array>) => {
    streams.add(response)
    try {
      await pipeline(Readable.from(body), response)
    } finally {
      streams.delete(response)
    }
  }

  return {
    async handle(request, response) {
      const cors = corsHeaders(allowedOrigins, request.headers.origin)
      for (const [name, value] of Object.entries(cors)) response.setHeader(name, value)
      if (request.method === 'OPTIONS') {
        response.writeHead(204, preflightHeaders).end()
        return
      }
      if (graphiql && wantsPage(request)) return page.send(request, response)

      const refusal = validateGraphqlRequest(request)
      if (refusal) return sendError(response, refusal)
      const body = request.method === 'POST' ? await readBody(request, maxRequestBytes) : null
      if (body === undefined) {
        return sendError(response, {
          status: 413,
          message: `A request body has at most ${maxRequestBytes} bytes.`,
          headers: { connection: 'close' },
        })
      }

      const client = new AbortController()
      response.once('close', () => client.abort())
      const answer = await yoga.fetch(
        `http://localhost${endpoint}${queryOf(request)}`,
        {
          method: request.method ?? 'GET',
          headers: headersOf(request),
          ...(body && { body: body.toString() }),
        },
        { client: client.signal },
      )
      const headers = Object.fromEntries(answer.headers)
      const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
      if (!answer.body || !isStream) {
        response.writeHead(answer.status, headers).end(await answer.text())
        return
      }
      const leave = quota.acquire(clientIp(request))
      if (!leave) {
        // It is opened already: it ends with its client, and is read out so that nothing of it stays.
        client.abort()
        await answer.text()
        return sendError(response, {
          status: 429,
          code: 'RATE_LIMITED',
          message: 'This client has as many streams open as it may.',
        })
      }
      try {
        response.writeHead(answer.status, headers)
        await stream(response, answer.body)
      } finally {
        leave()
      }
    },

    terminateStreams() {
      for (const response of streams) response.destroy()
    },
  }
}

/** Answers documents of the gateway's own. */
const askOf =
  (yoga: Pipeline['yoga']): ExecuteFn =>
  async (query, variables) => {
    const answer = await yoga.fetch(
      `http://localhost${endpoint}`,
      {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      },
      { client: AbortSignal.timeout(5_000) },
    )
    return z.object({ data: z.unknown() }).parse(await answer.json()).data
  }

const queryOf = ({ url = '' }: IncomingMessage): string =>
  url.includes('?') ? url.slice(url.indexOf('?')) : ''

// Nothing behind reads any other header, so none can travel further.
const headersOf = ({ headers }: IncomingMessage): Record<string, string> => ({
  accept: headers.accept ?? '*/*',
  'content-type': 'application/json',
})
