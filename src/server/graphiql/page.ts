import type { IncomingMessage } from 'node:http'
import type { SharedContext } from '../../engine/graphql/builder.ts'
import type { ServedSites } from '../static/openSites.ts'
import { compress, contentPolicy, pageHeaders, type StaticFile, staticFile } from '../static/staticFile.ts'
import { type Library, loadLibrary, renderPage } from './html.ts'
import { networkName, readTabs, type Tab } from './tabs.ts'

/** Whether the request is a browser's for a page, not a query. */
export const wantsPage = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html')

/** GraphiQL. It is loaded at the first request for it. */
export interface Graphiql {
  /**
   * The page. A client without a required key gets a static page, which does not name the network and sends no
   * requests.
   */
  page(hasAccess: boolean): Promise<StaticFile>
  /** A file that the page loads. Undefined if there is none at the path. */
  fileAt(path: string): Promise<StaticFile | undefined>
}

type GraphiqlParts = Pick<SharedContext, 'network' | 'service'> & {
  readonly sites: Pick<ServedSites, 'site' | 'pages'>
}

/**
 * Serves GraphiQL with example tabs. The page of a simulated network says that it is one. It loads nothing from other
 * hosts.
 */
export function createGraphiql({ network, service: { isSandbox }, sites }: GraphiqlParts): Graphiql {
  let loaded: Promise<Library> | undefined
  let built: { readonly network: string; readonly page: Promise<StaticFile> } | undefined
  let plain: Promise<StaticFile> | undefined

  const links = [
    ...(sites.site ? [{ href: '/', text: 'Explorer' }] : []),
    ...(sites.pages ? [{ href: '/docs/', text: 'Docs' }] : []),
  ]
  const library = (): Promise<Library> => {
    loaded ??= loadLibrary()
    return loaded
  }
  const buildPage = async (tabs: readonly Tab[], name: string): Promise<StaticFile> => {
    const html = renderPage(await library(), { tabs, network: name, isSandbox, links })
    return staticFile(await compress(Buffer.from(html)), 'asked', makeHeaders(html))
  }

  return {
    page(hasAccess) {
      if (!hasAccess) {
        plain ??= buildPage([], '')
        return plain
      }
      // The chains can change while the gateway runs.
      const name = networkName(network.chains.keys())
      if (built?.network !== name) {
        built = { network: name, page: readTabs(isSandbox).then((tabs) => buildPage(tabs, name)) }
      }
      return built.page
    },
    fileAt: async (path) => (await library()).files.get(path),
  }
}

/** Lets the page run the script of GraphiQL and its own, and connect to this server only. */
const makeHeaders = (html: string) => ({
  ...pageHeaders,
  vary: 'Accept, Accept-Encoding',
  'content-security-policy': contentPolicy(
    html,
    ["'self'", 'blob:'],
    ["'self'", "'unsafe-inline'"],
    ['worker-src blob:', 'font-src data:', "connect-src 'self' ws: wss:"],
  ),
})
