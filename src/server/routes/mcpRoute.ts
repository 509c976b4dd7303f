import type { IncomingMessage } from 'node:http'
import type { McpEndpoint } from '#mcp/endpoint'
import type { Graph, GraphAnswer, GraphRequest } from '#mcp/graph'
import { lastEvent } from '#mcp/watch'
import { callCost } from '../../engine/graphql/builder.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import { SignalSource } from '../../kit/clock/signal.ts'
import { type HttpError, sendBodyTooLarge, sendError } from '../http/httpError.ts'
import { maxRequestBytes, readBody, textOf } from '../http/readBody.ts'
import { addHeaders, type Handler, type Reply, writeHead } from '../http/reply.ts'
import { chargePoints } from '../http/requestGuards.ts'
import { createSender } from '../http/requestSender.ts'
import type { TransportServices } from '../http/transportServices.ts'
import { requestError } from '../operation/formatError.ts'
import type { OperationResult } from '../operation/operation.ts'
import { foreignServices } from '../operation/operationServices.ts'
import { Pipeline } from '../operation/pipeline.ts'
import type { Sender } from '../operation/sender.ts'

export const mcpPath = '/mcp'

/** Points of a request besides its operations: the library makes a server with all its tools for it. */
const requestPoints = 10 * callCost

/** Methods that the library answers. It cannot read others, such as TRACE. */
const methods = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']

const wrongMethod: HttpError = {
  status: 405,
  message: 'Use POST.',
  headers: { allow: 'POST, OPTIONS' },
}

/** Serves MCP. Its clients have the same keys and limits as clients of the graph, and pay as much. */
export function createMcpRoute(services: TransportServices, pipeline: Pipeline, endpoint: McpEndpoint): Handler {
  const { identify, quota, backpressure, clock } = services
  // For queries that agents write themselves.
  const foreignPipeline = new Pipeline(foreignServices(services))

  const respond = async (request: IncomingMessage, reply: Reply, web: Request, bytes: Buffer | undefined) => {
    const client = identify.ofRequest(request)
    if ('status' in client) return sendError(reply, client)
    const refusal = bytes && chargePoints(client, requestPoints)
    if (refusal) return sendError(reply, refusal)
    const sender = createSender(request, reply, { client, quota, arrivedAt: clock.now() })
    const answer = () => endpoint.respond(web, parsed(bytes), makeGraph(sender, clock, pipeline, foreignPipeline))
    // To make a server takes milliseconds, and a client can send hundreds of requests at once.
    const result = await client.beginWork().later(answer)
    backpressure.track(reply.response, client, await sendWhole(reply, result))
  }

  return async (request, reply) => {
    if (!methods.includes(request.method ?? '')) return sendError(reply, wrongMethod)
    const web = webRequest(request)
    const refused = endpoint.refuse(web)
    if (refused) return void (await sendWhole(reply, refused))
    addHeaders(reply, corsHeaders(request.headers.origin))
    if (request.method === 'OPTIONS') return void writeHead(reply, 204, preflight).end()
    if (request.method !== 'POST') return respond(request, reply, web, undefined)
    const bytes = await readBody(request, maxRequestBytes)
    if (bytes) return respond(request, reply, web, bytes)
    return sendBodyTooLarge(request, reply, maxRequestBytes, clock)
  }
}

const corsHeaders = (origin: string | undefined): Record<string, string> =>
  origin === undefined ? {} : { vary: 'Origin', 'access-control-allow-origin': origin }

const preflight = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept, X-API-Key, Mcp-Method, Mcp-Name, Mcp-Protocol-Version',
}

/** Sends a response of the library. Resolves to the bytes of its body. */
async function sendWhole(reply: Reply, result: Response): Promise<number> {
  const body = Buffer.from(await result.arrayBuffer())
  writeHead(reply, result.status, Object.fromEntries(result.headers)).end(body)
  return body.length
}

/** The request as the library reads it. Its body is given apart, as it has been read. */
function webRequest({ method = 'GET', headers }: IncomingMessage): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  const web = new Request(`http://localhost${mcpPath}`, { method, headers: pairs })
  return web
}

function parsed(bytes: Buffer | undefined): unknown {
  try {
    return bytes && JSON.parse(textOf(bytes))
  } catch {
    return undefined
  }
}

/** The graph of this process, as one client may read it. */
function makeGraph(sender: Sender, clock: Clock, pipeline: Pipeline, foreignPipeline: Pipeline): Graph {
  const readOnly: Sender = {
    ...sender,
    refuse: (type) => (type === 'query' ? undefined : requestError('Only queries are allowed.', 'BAD_USER_INPUT')),
  }
  return {
    query: async (request, signal) => single(await pipeline.run(request, endingWith(sender, signal))),
    foreignQuery: async (request, signal) => single(await foreignPipeline.run(request, endingWith(readOnly, signal))),
    async watch(request: GraphRequest, options) {
      const { refuse: _refuse, ...watching } = endingWith(sender, options.signal)
      const result = await pipeline.run(request, watching)
      return isStream(result) ? lastEvent(result, clock, options) : result
    },
  }
}

/** The sender of an operation that ends with its request, or with the call if that is cancelled. */
function endingWith(sender: Sender, call: AbortSignal | undefined): Sender {
  if (!call) return sender
  const either = new SignalSource()
  for (const signal of [sender.signal, call]) {
    const end = () => either.abort(signal.reason)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end)
  }
  return { ...sender, signal: either }
}

const isStream = (result: OperationResult): result is Exclude<OperationResult, GraphAnswer> =>
  Symbol.asyncIterator in result

const single = (result: OperationResult): GraphAnswer =>
  isStream(result) ? { errors: [{ message: 'Only queries are allowed.' }] } : result
