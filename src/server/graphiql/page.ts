import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { endpoint } from '../execution/yoga.ts'
import { type ExecuteFn, findTabs, type Tab } from './exampleTabs.ts'

interface Page {
  readonly html: Buffer
  readonly zipped: Buffer
  readonly headers: Readonly<Record<string, string>>
}

/** True when a browser has come to the graph to look around, not to ask it something. */
export const wantsPage = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html')

/** GraphiQL, made when it is first asked for. */
export interface Graphiql {
  send(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** Opens GraphiQL: one page that loads nothing from elsewhere, with tabs about this network. */
export function createGraphiql(ask: ExecuteFn): Graphiql {
  let page: Promise<Page> | undefined

  // A network that is down has nothing to show yet, so that what was made then is not kept.
  const makePage = async (): Promise<Page> => {
    const tabs = await findTabs(ask).catch(() => [])
    if (tabs.length <= 1) page = undefined
    return buildPage(tabs)
  }

  return {
    async send(request, response) {
      page ??= makePage()
      sendPage(await page, request, response)
    },
  }
}

function sendPage(
  { html, zipped, headers }: Page,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.headers['if-none-match'] === headers.etag) {
    response.writeHead(304, headers).end()
    return
  }
  const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  const body = isZipped ? zipped : html
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
    ...(isZipped && { 'content-encoding': 'gzip' }),
  })
  response.end(body)
}

/** The page as HTML, all in one. */
export async function renderPage(tabs: readonly Tab[]): Promise<string> {
  // Nine megabytes of script, so they are read when somebody comes to see them.
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
  // The names of records are other people's words, and the renderer would let them end its script.
  const json = JSON.stringify(options)
  return renderGraphiQL(options).replace(json, () => json.replaceAll('<', '\\u003c'))
}

async function buildPage(tabs: readonly Tab[]): Promise<Page> {
  const text = await renderPage(tabs)
  const html = Buffer.from(text.replace('</head>', () => `${tabStyle}</head>`))
  return {
    html,
    zipped: await promisify(gzip)(html),
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

// GraphiQL slides a tab that gains focus by an offset it measured while the page was still being laid
// out, so that a click on one of several preset tabs ends beside it. Tabs that stand still are clicked.
const tabStyle = '<style>.graphiql-tab { transform: none !important; }</style>'

/** Lets the page run its own script and no other, and talk to this server alone. */
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
