import { spawn } from 'node:child_process'
import { createClient as createSse } from 'graphql-sse'
import { Agent, fetch as fetchOver } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createClient } from '../packages/client/src/client.ts'
import { isInstalled } from './support/installed.ts'
import { plainCaddy, plainNginx, type RunningProxy, startProxy } from './support/proxy.ts'
import { serve, type TestServer } from './support/testServer.ts'

// Proxies that are told where the gateway is, and nothing about streams. They buffer and compress what they may.
const gzip = 'gzip on; gzip_proxied any; gzip_types *; gzip_min_length 1;'
const proxies = [
  ['nginx, HTTP/1.0', 'nginx', plainNginx('')],
  ['nginx, HTTP/1.0, gzip', 'nginx', plainNginx(gzip)],
  ['nginx, HTTP/1.1', 'nginx', plainNginx('proxy_http_version 1.1;')],
  ['nginx, HTTP/1.1, gzip', 'nginx', plainNginx(`proxy_http_version 1.1; ${gzip}`)],
  ['Caddy, HTTP/2, gzip', 'caddy', plainCaddy],
] as const
const isRun = { nginx: isInstalled('nginx'), caddy: isInstalled('caddy') }

const query = 'subscription { ticks }'

/** The numbers of a subscription, one for each event. */
type Ticks = AsyncIterator<unknown>

/** The numbers in the text of an event stream, each as soon as the text has it. */
async function* ticksIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  let text = ''
  for await (const chunk of chunks) {
    text += Buffer.from(chunk).toString()
    for (const [, tick] of text.matchAll(/"ticks":(\d+).*\n\n/g)) yield Number(tick)
    text = text.slice(text.lastIndexOf('\n\n') + 1)
  }
}

async function* mapped<From>(values: AsyncIterable<From>, change: (value: From) => unknown): AsyncGenerator<unknown> {
  for await (const value of values) yield change(value)
}

const tickOf = (data: unknown): unknown => Object(data).ticks

describe.each(proxies)('behind %s', (_, program, configuration) => {
  let server: TestServer
  let proxy: RunningProxy
  let agent: Agent
  let url: string

  beforeAll(async () => {
    if (!isRun[program]) return
    server = await serve()
    proxy = await startProxy(program, [Number(new URL(server.url).port)], configuration)
    url = `${program === 'caddy' ? 'https' : 'http'}://127.0.0.1:${proxy.port}/graphql`
    agent = new Agent({ allowH2: true, connect: { ca: proxy.ca } })
  })
  afterAll(async () => {
    await agent?.destroy()
    await proxy?.[Symbol.asyncDispose]()
    await server?.[Symbol.asyncDispose]()
  })

  /** A fetch that trusts the proxy. undici has types of its own for what is the same. */
  const send = ((input: string, init: object) =>
    fetchOver(input, { ...init, dispatcher: agent })) as unknown as typeof fetch

  /** The events by the client package, which reports no loss. */
  const byClient = (webSocketImpl: typeof globalThis.WebSocket | null) => {
    const client = createClient({ url, fetch: send, webSocketImpl, retryDelay: () => 0 })
    const live = client.subscribe(query, {}, { resume: {} })
    const tick = (event: { kind: string; data?: unknown }) => (event.kind === 'data' ? tickOf(event.data) : event)
    return { ticks: mapped(live, tick), leave: () => void live.return() }
  }

  const bySse = () => {
    const client = createSse({ url, fetchFn: send, retryAttempts: 0 })
    const events = client.iterate<Record<string, unknown>>({ query })
    return {
      ticks: mapped(events, ({ data }) => tickOf(data)),
      leave: () => void client.dispose(),
    }
  }

  const clients: Record<string, () => { ticks: Ticks; leave: () => void }> = {
    fetch() {
      const abort = new AbortController()
      const chunks = async function* () {
        const { body } = await send(`${url}?${new URLSearchParams({ query })}`, {
          headers: { accept: 'text/event-stream', 'accept-encoding': 'gzip' },
          signal: abort.signal,
        })
        if (body) yield* body
      }
      return { ticks: ticksIn(chunks()), leave: () => abort.abort() }
    },
    curl() {
      const flags = ['-NsGk', '--compressed', url, '-H', 'Accept: text/event-stream']
      const curl = spawn('curl', [...flags, '--data-urlencode', `query=${query}`])
      return { ticks: ticksIn(curl.stdout), leave: () => void curl.kill() }
    },
    'graphql-sse': bySse,
    '@portolan/client over event streams': () => byClient(null),
    '@portolan/client, whose WebSocket the proxy may block': () =>
      byClient(
        class extends WebSocket {
          constructor(address: string, protocols: string) {
            super(address, protocols, { ca: proxy.ca })
          }
        } as unknown as typeof globalThis.WebSocket,
      ),
  }

  test.skipIf(!isRun[program]).for(Object.entries(clients))(
    'each event reaches %s before the next one is sent',
    async ([, open]) => {
      const { ticks, leave } = open()
      const first = ticks.next()
      await server.stage.listening(1)
      server.stage.tick(1)
      expect((await first).value).toBe(1)
      for (const tick of [2, 3]) {
        const next = ticks.next()
        server.stage.tick(tick)
        expect((await next).value).toBe(tick)
      }
      leave()
      await server.stage.listening(0)
    },
  )

  test.skipIf(!isRun[program])('nothing compresses or keeps an event stream', async () => {
    const abort = new AbortController()
    const { headers } = await send(`${url}?${new URLSearchParams({ query })}`, {
      headers: { accept: 'text/event-stream', 'accept-encoding': 'gzip' },
      signal: abort.signal,
    })
    expect(headers.get('content-encoding')).not.toBe('gzip')
    expect(headers.get('cache-control')).toBe('no-store, no-transform')
    abort.abort()
    await server.stage.listening(0)
  })
})
