import { type GraphQLSchema, parse, print, printSchema, visit } from 'graphql'
import type { McpEndpoint, McpEndpointOptions } from './endpoint.ts'

/** The graph that MCP serves, and its clients. */
export interface McpOptions extends Pick<McpEndpointOptions, 'version' | 'hosts' | 'originHosts'> {
  readonly schema: GraphQLSchema
  /** Whether agents may also send queries of their own. */
  readonly hasQuery: boolean
}

/** Opens MCP over HTTP. Its library is loaded here, so that it costs nothing where MCP is off. */
export async function openMcp({ schema, hasQuery, ...options }: McpOptions): Promise<McpEndpoint> {
  const { createMcpEndpoint } = await import('./endpoint.ts')
  return createMcpEndpoint({ ...options, sdl: hasQuery ? sdlOf(schema) : undefined })
}

/** The schema without descriptions, which would take up three quarters of it. Agents can ask for those by `__type`. */
export const sdlOf = (schema: GraphQLSchema): string =>
  print(
    visit(parse(printSchema(schema)), {
      enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
    }),
  )
