import { type GraphQLSchema, parse, print, printSchema, visit } from 'graphql'
import { loadPeers } from '../peers/loadPeers.ts'
import type { McpEndpoint, McpEndpointOptions } from './endpoint.ts'

/** The graph that MCP serves, and its clients. */
export interface McpOptions extends Pick<McpEndpointOptions, 'version' | 'hosts' | 'originHosts'> {
  readonly schema: GraphQLSchema
  /** Whether agents may also send queries of their own. */
  readonly hasQuery: boolean
}

/** Opens MCP over HTTP. Rejects with a sentence for operators if its library is not installed. */
export async function openMcp({ schema, hasQuery, ...options }: McpOptions): Promise<McpEndpoint> {
  const { createMcpEndpoint } = await load(() => import('./endpoint.ts'))
  return createMcpEndpoint({ ...options, sdl: hasQuery ? sdlOf(schema) : undefined })
}

/** The schema without descriptions, which would take up three quarters of it. Agents can ask for those by `__type`. */
export const sdlOf = (schema: GraphQLSchema): string =>
  print(
    visit(parse(printSchema(schema)), {
      enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
    }),
  )

/** Loads a module that needs the library of MCP. */
export const load = <T>(module: () => Promise<T>): Promise<T> =>
  loadPeers({ name: 'MCP', packages: ['@modelcontextprotocol/server@2'] }, module)
