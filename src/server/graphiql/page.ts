import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Clock } from '../../clock/clock.ts'
import { openDeadline } from '../../clock/deadline.ts'
import { isAsyncIterable } from '../execution/mapEvents.ts'
import type { Pipeline } from '../execution/operation.ts'
import { type Reply, writeHead } from '../http/reply.ts'
import { type HttpError, sendError } from '../http/requestGuards.ts'
import { endpoint } from '../http/yoga.ts'
import { findTabs, type Tab } from './exampleTabs.ts'
import type { ExecuteFn } from './findVariables.ts'
import { keepTabsOf, networkName } from './keptTabs.ts'
import { withLinkedTab } from './linkedTab.ts'

interface Page {
  readonly html: Buffer
  readonly gzipped: Buffer
  readonly headers: Readonly<Record<string, string>>
}

/** Whether the request is a browser's for a page, not a query. */
export const wantsPage = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html')

/** GraphiQL. The page is built at the first request for it. */
export interface Graphiql {
  /**
   * Sends the page to a client. `charge` returns the error for one that may not spend the bytes of it. Without a key
   * where one is required, the page says nothing of the network, and nothing is requested for it.
   */
  send(request: IncomingMessage, reply: Reply, options: PageRequest): Promise<void>
}

/** Who asks for the page. */
export interface PageRequest {
  readonly hasAccess: boolean
  readonly charge: (bytes: number) => HttpError | undefined
}

/** Serves GraphiQL as one page that loads nothing else, with example tabs for the served network. */
export function createGraphiql(pipeline: Pick<Pipeline, 'run'>, clock: Clock): Graphiql {
  const execute = executeIn(pipeline, clock)
  let current: Promise<Page> | undefined
  let plain: Promise<Page> | undefined
  let built: { readonly tabs: string; readonly page: Promise<Page> } | undefined

  /** Builds a page, which takes a quarter of a second, unless the last one has the same tabs. */
  const pageWith = (tabs: readonly Tab[], network: string): Promise<Page> => {
    const text = JSON.stringify([network, tabs])
    if (built?.tabs !== text) built = { tabs: text, page: buildPage(tabs, network) }
    return built.page
  }

  const makePage = async (): Promise<Page> => {
    const [tabs, network] = await Promise.all([
      findTabs(execute).catch(() => []),
      networkName(execute).catch(() => ''),
    ])
    if (tabs.length <= 1) {
      // A network that is down gives no example tabs, so they are looked for again after a while.
      clock.after(retryMs, () => {
        current = undefined
      })
    }
    return pageWith(tabs, network)
  }

  return {
    async send(request, reply, { hasAccess, charge }) {
      if (hasAccess) current ??= makePage()
      else plain ??= buildPage([], '')
      const page = await (hasAccess ? current : plain)
      if (page) sendPage(page, request, reply, charge)
    },
  }
}

/** Milliseconds to keep a page without example tabs. */
const retryMs = 10_000

/** Milliseconds that each query for the example tabs may take. */
const timeoutMs = 5_000

const executeIn =
  (pipeline: Pick<Pipeline, 'run'>, clock: Clock): ExecuteFn =>
  async (query, variables) => {
    const { signal, close } = openDeadline(clock, { milliseconds: timeoutMs })
    try {
      const result = await pipeline.run({ query, variables }, { key: 'graphiql', signal })
      return isAsyncIterable(result) ? undefined : result.data
    } finally {
      close()
    }
  }

function sendPage(
  { html, gzipped, headers }: Page,
  request: IncomingMessage,
  reply: Reply,
  charge: PageRequest['charge'],
): void {
  const isKnown = request.headers['if-none-match'] === headers.etag
  const isGzipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  const body = isGzipped ? gzipped : html
  const refusal = charge(isKnown ? 0 : body.length)
  if (refusal) {
    sendError(reply, refusal)
    return
  }
  if (isKnown) {
    writeHead(reply, 304, headers).end()
    return
  }
  writeHead(reply, 200, {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
    ...(isGzipped && { 'content-encoding': 'gzip' }),
  }).end(body)
}

/** The page as one HTML document. Tabs are kept apart by the name of the network. */
export async function renderPage(tabs: readonly Tab[], network: string): Promise<string> {
  // Nine megabytes of script, so it is loaded only when the page is requested.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const options: Parameters<typeof renderGraphiQL>[0] = {
    title: 'Portolan',
    endpoint,
    subscriptionsProtocol: 'WS',
    defaultTabs: tabs.map(({ query, variables }) => ({
      query,
      variables: JSON.stringify(variables, null, 2),
    })),
  }
  // The names of records are not trusted, and the renderer does not escape `</script>` in them.
  const json = JSON.stringify(options)
  const html = renderGraphiQL(options).replace(json, () =>
    withLinkedTab(json.replaceAll('<', '\\u003c')),
  )
  const start = html.lastIndexOf('YogaGraphiQL.renderYogaGraphiQL(')
  return `${html.slice(0, start)}${keepTabsOf(network)}\n        ${html.slice(start)}`
}

async function buildPage(tabs: readonly Tab[], network: string): Promise<Page> {
  const text = await renderPage(tabs, network)
  const html = Buffer.from(text.replace('</head>', () => `${tabStyle}</head>`))
  return {
    html,
    gzipped: await promisify(gzip)(html),
    headers: {
      etag: `"${createHash('sha256').update(html).digest('base64url')}"`,
      vary: 'Accept, Accept-Encoding',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': policyFor(text),
    },
  }
}

// GraphiQL moves a tab that gains focus by an offset that it measured before the layout was complete,
// so a click on one of several preset tabs misses it. Without the transform, tabs do not move.
const tabStyle = '<style>.graphiql-tab { transform: none !important; }</style>'

/** Lets the page run its own script only, and connect to this server only. */
function policyFor(html: string): string {
  const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ''
  const hash = createHash('sha256').update(script).digest('base64')
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}' blob:`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    'font-src data:',
    "connect-src 'self' ws: wss:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
