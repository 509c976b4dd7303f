import type { GraphQLSchema } from 'graphql'
import { readDocs, readExplorer } from './builtSites.ts'
import type { GatewayOptions } from './gatewayOptions.ts'
import type { CacheStore } from './kit/cache/cache.ts'
import { openMcp } from './mcp/openMcp.ts'
import type { ServedSites } from './server/services.ts'
import { packageVersion } from './version.ts'

/** Opens the pages and tools that a gateway serves beside the graph. The tools end with the stack. */
export async function openSites(
  options: GatewayOptions,
  { schema, cache }: { readonly schema: GraphQLSchema; readonly cache: CacheStore },
  stack: AsyncDisposableStack,
): Promise<ServedSites> {
  const mcp = options.mcp
    ? await openMcp({
        version: packageVersion(),
        schema,
        hasQuery: options.mcpQuery ?? false,
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
const originHostsOf = ({ allowedOrigins = '*' }: GatewayOptions): readonly string[] =>
  allowedOrigins === '*' ? [] : allowedOrigins.map((origin) => new URL(origin).hostname)
