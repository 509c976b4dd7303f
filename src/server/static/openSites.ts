import { type GraphQLSchema, printSchema } from 'graphql'
import { openMcp, withoutDescriptions } from '#mcp/open-mcp'
import type { CacheStore } from '../../kit/cache/cache.ts'
import { packageVersion } from '../../kit/version.ts'
import type { ServedSites } from '../services.ts'
import { readDocs, readExplorer, type SiteOptions } from './builtSites.ts'

/** The pages and tools that a gateway serves beside the graph, and who may use them. */
export interface PageOptions extends SiteOptions {
  /** Serve GraphiQL to browsers. Default: true. */
  readonly graphiql?: boolean
  /** Serve tools for agents over MCP at `/mcp`. Default: false. */
  readonly mcp?: boolean
  /** Let agents also send GraphQL queries of their own over MCP. Default: false. */
  readonly mcpQuery?: boolean
  /** Host names without ports that clients of `/mcp` may use, besides the names of this machine. Default: none. */
  readonly mcpHosts?: readonly string[]
  /** Origins whose web pages may use the graph. Default: all. */
  readonly allowedOrigins?: '*' | readonly string[]
  /** The network is simulated. Clients read it from `service.isSandbox` and a header. Default: false. */
  readonly isSandbox?: boolean
  /** Where the services of the sandbox are broken and mended. Ignored for a network that is not simulated. */
  readonly sandboxControlUrl?: string | undefined
}

/** Opens the pages and tools that a gateway serves beside the graph. The tools end with the stack. */
export async function openSites(
  options: PageOptions,
  { schema, cache }: { readonly schema: GraphQLSchema; readonly cache: CacheStore },
  stack: AsyncDisposableStack,
): Promise<ServedSites> {
  const mcp = options.mcp
    ? await openMcp({
        version: packageVersion(),
        sdl: options.mcpQuery ? withoutDescriptions(printSchema(schema)) : undefined,
        hosts: options.mcpHosts ?? [],
        originHosts: originHostsOf(options),
      })
    : undefined
  if (mcp) stack.defer(mcp.close)
  return {
    mcp,
    // Its queries are not among the trusted documents.
    graphiql: (options.graphiql ?? true) && !options.trustedDocumentsOnly,
    site: await readExplorer(options),
    pages: await readDocs(options, cache),
    sandboxControlUrl: options.isSandbox ? options.sandboxControlUrl : undefined,
  }
}

/** All origins is right for the graph, whose answers are public, but not for tools that act for somebody. */
const originHostsOf = ({ allowedOrigins = '*' }: PageOptions): readonly string[] =>
  allowedOrigins === '*' ? [] : allowedOrigins.map((origin) => new URL(origin).hostname)
