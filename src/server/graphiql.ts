import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { tabs } from './documents.ts'
import { endpoint } from './pipeline.ts'

interface Page {
  readonly html: Buffer
  readonly zipped: Buffer
  readonly headers: Readonly<Record<string, string>>
}

let page: Promise<Page> | undefined

/** True when a browser has come to the graph to look around, not to ask it something. */
export const wantsPage = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html')

/** Answers GraphiQL: one page that loads nothing from elsewhere. */
export async function sendGraphiql(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Nine megabytes of script, so they are read when somebody comes to see them.
  page ??= buildPage()
  const { html, zipped, headers } = await page
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

async function buildPage(): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const text = renderGraphiQL({
    title: 'Portolan',
    endpoint,
    subscriptionsProtocol: 'WS',
    defaultTabs: tabs.map(({ title, query, variables }) => ({
      query: `# ${title}\n${query}\n`,
      variables: variables ? JSON.stringify(variables, null, 2) : null,
    })),
  })
  const html = Buffer.from(text)
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
