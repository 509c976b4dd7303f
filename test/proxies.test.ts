import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Json } from './support/http.ts'
import { isInstalled } from './support/installed.ts'
import { type RunningProxy, startProxy } from './support/proxy.ts'
import { serve, type TestServer } from './support/testServer.ts'

// The configurations in ops/proxies, in front of a server.
const isRun = { nginx: isInstalled('nginx'), caddy: isInstalled('caddy') }

describe.each(['nginx', 'caddy'] as const)('the gateway behind %s', (name) => {
  let server: TestServer
  let proxy: RunningProxy

  beforeAll(async () => {
    if (!isRun[name]) return
    server = await serve({
      // Caddy asks.
      readiness: async () => ({ isReady: true, services: [] }),
      trustedProxies: ['127.0.0.1'],
      rateLimit: { pointsPerSecond: 1, burst: 1_000 },
    })
    proxy = await startProxy(name, [Number(new URL(server.url).port)])
  })

  afterAll(async () => {
    await proxy?.[Symbol.asyncDispose]()
    await server?.[Symbol.asyncDispose]()
  })

  /** Sends a request from one of the addresses of this machine. */
  async function send(
    path: string,
    options: { from?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<IncomingMessage> {
    const { from = '127.0.0.2', headers = {}, body } = options
    const sent = request({
      ...{ host: '127.0.0.1', port: proxy.port, path, ca: proxy.ca },
      ...{ localAddress: from, agent: false },
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    })
    sent.end(body)
    const [response] = await once(sent, 'response')
    return response
  }

  async function ask(from: string, headers: Record<string, string> = {}): Promise<Json> {
    const response = await send('/graphql', {
      from,
      headers: { ...headers, 'graphql-cost-debug': '1' },
      body: '{"query":"{ hello }"}',
    })
    return JSON.parse((await response.toArray()).join(''))
  }

  const it = test.skipIf(!isRun[name])

  it('answers a query, and sees the address of the client', async () => {
    const leftFor = async (from: string, forwarded?: string) => {
      const { data, extensions } = await ask(from, {
        ...(forwarded && { 'x-forwarded-for': forwarded }),
      })
      expect(data).toEqual({ hello: 'Hello, you!' })
      return extensions.cost.pointsLeft
    }
    const first = await leftFor('127.0.0.2')
    expect(await leftFor('127.0.0.2')).toBeLessThan(first)
    expect(await leftFor('127.0.0.3')).toBe(first)
    // A client cannot pass for another one.
    const spent = await leftFor('127.0.0.2', '198.51.100.7')
    expect(spent).toBeLessThan(first)
    expect(await leftFor('127.0.0.2', '198.51.100.8')).toBeLessThan(spent)
  })

  it('serves WebSockets', async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${proxy.port}/graphql`, 'graphql-transport-ws', {
      ca: proxy.ca,
    })
    const next = async () => JSON.parse(String((await once(socket, 'message'))[0]))
    await once(socket, 'open')
    socket.send('{"type":"connection_init"}')
    expect(await next()).toEqual({ type: 'connection_ack' })
    const query = 'subscription { ticks }'
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }))
    await server.stage.listening(1)
    const event = next()
    server.stage.tick(7)
    expect(await event).toEqual({ id: '1', type: 'next', payload: { data: { ticks: 7 } } })
    socket.close()
    await server.stage.listening(0)
  })

  it('sends each event of a stream at once, and ends when the client leaves', async () => {
    const path = `/graphql?query=${encodeURIComponent('subscription { ticks }')}`
    const response = await send(path, { headers: { accept: 'text/event-stream' } })
    expect(response.headers['content-type']).toMatch(/^text\/event-stream/)
    await server.stage.listening(1)
    const text = async (part: string) => {
      for await (const chunk of response.iterator({ destroyOnReturn: false })) {
        if (String(chunk).includes(part)) return
      }
    }
    for (const tick of [1, 2]) {
      const event = text(`{"ticks":${tick}}`)
      server.stage.tick(tick)
      await event
    }
    response.destroy()
    await server.stage.listening(0)
  })

  it('accepts bodies up to its limit, and no larger ones', async () => {
    const body = (length: number) => '{"query":"{ hello }"}'.padEnd(length)
    const statusOf = async (length: number) => (await send('/graphql', { body: body(length) })).resume().statusCode
    expect(await statusOf(256 * 1024)).toBe(200)
    for (let times = 0; times < 5; times += 1) expect(await statusOf(256 * 1024 + 1)).toBe(413)
    expect(await statusOf(1024 * 1024)).toBe(413)
  })

  it('serves GraphiQL and its files', async () => {
    const page = await send('/graphql', { headers: { accept: 'text/html' } })
    const html = (await page.toArray()).join('')
    const [, path = ''] = /<script src="([^"]+)"/.exec(html) ?? []
    const script = await send(path)
    script.resume()
    expect([script.statusCode, script.headers['cache-control']]).toEqual([200, expect.stringContaining('immutable')])
  })

  it('redirects the root, and does not publish probes and metrics', async () => {
    const root = await send('/')
    const { pathname } = new URL(root.headers.location ?? '', `https://127.0.0.1:${proxy.port}`)
    expect([root.statusCode, pathname]).toEqual([302, '/graphql'])
    for (const path of ['/metrics', '/health', '/ready', '/nope']) {
      expect([path, (await send(path)).resume().statusCode]).toEqual([path, 404])
    }
  })
})
