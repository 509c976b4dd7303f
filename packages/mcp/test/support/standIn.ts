import { once } from 'node:events'
import { createServer } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { buildSchema, graphqlSync } from 'graphql'
import { createMcpEndpoint } from '../../src/endpoint.ts'
import type { Graph, GraphAnswer, GraphRequest } from '../../src/graph.ts'

/** A graph that answers each request with what a function returns, and keeps the requests. */
export function standInGraph(answer: (request: GraphRequest) => GraphAnswer) {
  const requests: GraphRequest[] = []
  const query = async (request: GraphRequest) => {
    requests.push(request)
    return answer(request)
  }
  const graph: Graph = { query, foreignQuery: query, watch: query }
  return { graph, requests }
}

/** A client of MCP over HTTP that reads this graph, without a socket. */
export async function connect(graph: Graph, sdl?: string): Promise<Client> {
  const endpoint = createMcpEndpoint({ version: '1.0.0', sdl })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
      async fetch(url, init) {
        const request = new Request(url, init)
        request.headers.set('host', new URL(request.url).host)
        const body = request.method === 'POST' ? await request.clone().json() : undefined
        return endpoint.refuse(request) ?? endpoint.respond(request, body, graph)
      },
    }),
  )
  return client
}

/** A graph behind HTTP, with the state of a transfer in its events. `keys` has the keys that were sent. */
export async function startGraph() {
  const schema = buildSchema('type Query { "How many." count: Int } type Subscription { state: Int }')
  const keys: (string | undefined)[] = []
  const server = createServer(async (request, response) => {
    keys.push(request.headers.authorization)
    let text = ''
    for await (const chunk of request) text += chunk
    const { query } = JSON.parse(text)
    if (request.headers.accept !== 'text/event-stream') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(graphqlSync({ schema, source: query, rootValue: { count: 7 } })))
      return
    }
    response.setHeader('content-type', 'text/event-stream')
    const next = (state: number) => `event: next\ndata: {"data":{"state":${state}}}\n\n`
    // An event may come in two parts.
    response.write(`:\n\n${next(1)}${next(2).slice(0, 12)}`)
    response.end(`${next(2).slice(12)}${next(3)}event: complete\ndata:\n\n`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    keys,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
