import { existsSync } from 'node:fs'
import { type GraphQLSchema, printSchema } from 'graphql'
import type { McpEndpoint } from '#mcp/endpoint'
import { openMcp, withoutDescriptions } from '#mcp/openMcp'
import type { NftMetadataOptions } from '../../engine/nftMetadata/openNftMetadata.ts'
import type { CacheStore } from '../../kit/cache/cache.ts'
import { packageVersion } from '../../kit/version.ts'
import { readGuides } from './guides.ts'
import { type Pages, readPages, readSite, type Site } from './site.ts'

/** Which sites are served, and whether they may be. */
export interface SiteOptions {
  /** Serve the explorer at `/`, if it has been built. Default: true. */
  readonly explorer?: boolean
  /** Serve the documentation at `/docs/`, if it has been built. Default: true. */
  readonly docs?: boolean
  readonly trustedDocumentsOnly?: boolean | undefined
}

/** The pages and tools that a gateway serves beside the graph, and who may use them. */
export interface PageOptions extends SiteOptions, Pick<NftMetadataOptions, 'nftPictureUrl'> {
  /** Serve GraphiQL to browsers. Default: true. */
  readonly graphiql?: boolean
  /** Serve tools for agents over MCP at `/mcp`. With `query`, they may also send GraphQL queries of their own. Default: false. */
  readonly mcp?: boolean | 'query'
  /** Host names without ports that clients of `/mcp` may use, besides the names of this machine. Default: none. */
  readonly mcpHosts?: readonly string[]
  /** Origins whose web pages may use the graph. Default: all. */
  readonly allowedOrigins?: '*' | readonly string[]
  /** The network is simulated. Clients read it from `service.isSandbox` and a header. Default: false. */
  readonly isSandbox?: boolean
  /** Where the services of the sandbox are broken and mended. Ignored for a network that is not simulated. */
  readonly sandboxControlUrl?: string | undefined
}

/** The pages and tools that a server has beside the graph. */
export interface ServedSites {
  readonly graphiql: boolean
  /** Pages and files at paths of their own. */
  readonly site?: Site | undefined
  /** Pages that are files of their own, such as the documentation. */
  readonly pages?: Pages | undefined
  /** Tools for agents. Left out, there are none. */
  readonly mcp?: McpEndpoint | undefined
  /** Where the services of a sandbox are broken and mended. Left out, there is no route to it. */
  readonly sandboxControlUrl?: string | undefined
}

/** What the sites of a gateway are made of. */
interface SiteParts {
  readonly schema: GraphQLSchema
  readonly cache: CacheStore
}

/** Opens the pages and tools that a gateway serves beside the graph. The tools end with the stack. */
export async function openSites(
  options: PageOptions,
  { schema, cache }: SiteParts,
  stack: AsyncDisposableStack,
): Promise<ServedSites> {
  const mcp = options.mcp
    ? await openMcp({
        version: packageVersion(),
        sdl: options.mcp === 'query' ? withoutDescriptions(printSchema(schema)) : undefined,
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

/** The sites as they were built, from the sources and from what is compiled alike. */
const folders = {
  explorer: new URL('../../../dist/explorer/', import.meta.url),
  docs: new URL('../../../dist/docs/', import.meta.url),
} as const

const guides = new URL('../../../docs/', import.meta.url)

/** A site that is built apart from the gateway. */
type SiteName = keyof typeof folders

/** Whether a site is turned on. The queries of the explorer are not among the trusted documents. */
const isOn = (name: SiteName, options: SiteOptions): boolean =>
  (options[name] ?? true) && !(name === 'explorer' && options.trustedDocumentsOnly)

/** The files of the explorer. Undefined if it is turned off or has not been built. */
const readExplorer = async (options: PageOptions): Promise<Site | undefined> =>
  isOn('explorer', options)
    ? readSite(folders.explorer, options.nftPictureUrl ? [new URL(options.nftPictureUrl).origin] : [])
    : undefined

/** The pages of the documentation, or its sources if it has not been built. Undefined if it is turned off. */
const readDocs = async (options: SiteOptions, cache: CacheStore): Promise<Pages | undefined> =>
  isOn('docs', options) ? ((await readPages(folders.docs, cache)) ?? readGuides(guides)) : undefined

/** Whether a site is `served`, `unbuilt`, or `off` by a setting. */
export function siteState(name: SiteName, options: SiteOptions): 'served' | 'unbuilt' | 'off' {
  if (!isOn(name, options)) return 'off'
  return existsSync(new URL('site.json', folders[name])) ? 'served' : 'unbuilt'
}
