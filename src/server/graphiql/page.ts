import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../kit/clock/clock.ts'
import { openDeadline } from '../../kit/clock/deadline.ts'
import type { Client } from '../clients/client.ts'
import { isAsyncIterable } from '../operation/mapEvents.ts'
import type { Pipeline } from '../operation/pipeline.ts'
import type { Services } from '../services.ts'
import { compress, contentPolicy, pageHeaders, type StaticFile, staticFile } from '../static/staticFile.ts'
import type { ExecuteFn } from './findVariables.ts'
import { type Library, loadLibrary, renderPage } from './html.ts'
import { findTabs, networkName, type Tab } from './tabs.ts'

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

/**
 * Serves GraphiQL with example tabs for the served network. Those fit a simulated network as they are, and the page says
 * that it is one. The client that sends the queries for them has no budget. The page loads nothing from other hosts.
 */
export function createGraphiql(
  pipeline: Pick<Pipeline, 'run'>,
  { clock, openClient, service: { isSandbox }, sites }: Pick<Services, 'clock' | 'openClient' | 'service' | 'sites'>,
): Graphiql {
  const execute = executeIn(pipeline, openClient('graphiql'), clock)
  let loaded: Promise<Library> | undefined
  let current: Promise<StaticFile> | undefined
  let plain: Promise<StaticFile> | undefined
  let built: { readonly tabs: string; readonly page: Promise<StaticFile> } | undefined

  const links = [
    ...(sites.site ? [{ href: '/', text: 'Explorer' }] : []),
    ...(sites.pages ? [{ href: '/docs/', text: 'Docs' }] : []),
  ]
  const library = (): Promise<Library> => {
    loaded ??= loadLibrary()
    return loaded
  }
  const buildPage = async (tabs: readonly Tab[], network: string): Promise<StaticFile> => {
    const html = renderPage(await library(), { tabs, network, isSandbox, links })
    return staticFile(await compress(Buffer.from(html)), 'asked', makeHeaders(html))
  }
  /** Builds a page, unless the last one has the same tabs and network. */
  const pageWith = (tabs: readonly Tab[], network: string): Promise<StaticFile> => {
    const text = JSON.stringify([network, tabs])
    if (built?.tabs !== text) built = { tabs: text, page: buildPage(tabs, network) }
    return built.page
  }

  const makePage = async (): Promise<StaticFile> => {
    const [tabs, network] = await Promise.all([
      findTabs(execute, isSandbox).catch(() => []),
      networkName(execute).catch(() => ''),
    ])
    if (tabs.length <= 1) {
      // A network that is down gives no example tabs, so the next search is soon.
      clock.after(retryMs, () => {
        current = undefined
      })
    }
    return pageWith(tabs, network)
  }

  return {
    page(hasAccess) {
      if (!hasAccess) {
        plain ??= buildPage([], '')
        return plain
      }
      current ??= makePage()
      return current
    },
    fileAt: async (path) => (await library()).files.get(path),
  }
}

/** Milliseconds to keep a page without example tabs. */
const retryMs = 10_000

/** Milliseconds that each query for the example tabs may take. */
const timeoutMs = 5_000

const executeIn =
  (pipeline: Pick<Pipeline, 'run'>, client: Client, clock: Clock): ExecuteFn =>
  async (query, variables) => {
    const { signal, close } = openDeadline(clock, { milliseconds: timeoutMs })
    try {
      const result = await pipeline.run({ query, variables }, { client, signal })
      return isAsyncIterable(result) ? undefined : result.data
    } finally {
      close()
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
