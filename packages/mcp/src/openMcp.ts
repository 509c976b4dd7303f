import { parse, print, visit } from 'graphql'
import type { McpEndpoint, McpEndpointOptions } from './endpoint.ts'

/** Opens MCP over HTTP. Its library is loaded here, so that it costs nothing where MCP is off. */
export async function openMcp(options: McpEndpointOptions): Promise<McpEndpoint> {
  const { createMcpEndpoint } = await import('./endpoint.ts')
  return createMcpEndpoint(options)
}

/**
 * A schema in SDL without descriptions, which would take up three quarters of it. Agents can ask for those by `__type`.
 * It is a text because a program may have another copy of `graphql` than this package.
 */
export const withoutDescriptions = (sdl: string): string =>
  print(
    visit(parse(sdl), {
      enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
    }),
  )
