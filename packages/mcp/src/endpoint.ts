import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import type { Graph } from './graph.ts'
import { createMcpServer, type McpServerOptions } from './mcpServer.ts'

/** MCP over HTTP, in both the revision 2026-07-28 and the ones before it. It keeps no sessions. */
export interface McpEndpoint {
  /** The response to a request whose Origin or Host is foreign. Undefined if both may be. */
  refuse(request: Request): Response | undefined
  /** Answers a request whose body has been read, with the graph as its client may read it. */
  respond(request: Request, body: unknown, graph: Graph): Promise<Response>
  close(): Promise<void>
}

/** The web pages that may use an endpoint, and its host names. */
export interface McpEndpointOptions extends McpServerOptions {
  /** Host names without ports that requests may name in `Host`. Those of this machine always may. */
  readonly hosts?: readonly string[]
  /** Host names of the origins of web pages that may call it. Those of this machine always may. */
  readonly originHosts?: readonly string[]
}

/** Opens MCP over HTTP. The library answers foreign origins and hosts by default, so they are refused here. */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const hosts = [...localhostAllowedHostnames(), ...(options.hosts ?? [])]
  const origins = [...localhostAllowedOrigins(), ...(options.originHosts ?? [])]
  const handler = createMcpHandler(
    ({ authInfo }) => createMcpServer(graphOf(authInfo?.extra?.graph), options),
    // Nothing ever changes that a client could listen to.
    { maxSubscriptions: 0 },
  )
  return {
    refuse: (request) => hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins),
    respond: (request, parsedBody, graph) =>
      // The only thing that the library hands to each server it makes. The keys were checked before.
      handler.fetch(request, {
        parsedBody,
        authInfo: { token: '', clientId: '', scopes: [], extra: { graph } },
      }),
    close: handler.close,
  }
}

function graphOf(value: unknown): Graph {
  if (typeof value === 'object' && value !== null && 'foreignQuery' in value) return value as Graph
  throw new Error('a request without a graph')
}
