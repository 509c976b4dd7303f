import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { makeCertificate } from './support/certificate.ts'
import { type Json, serve, type TestServer } from './support/testServer.ts'

// The configurations in ops/proxies, in front of a server. Skipped where the proxy is not installed.

interface Ports {
  readonly proxy: number
  readonly server: number
}

/** How to run a proxy with the file that operators get, of which only addresses and paths are replaced. */
interface Proxy {
  readonly file: string
  readonly args: (folder: string) => string[]
  readonly config: (text: string, folder: string, ports: Ports) => string
  readonly isReady: RegExp
}

const proxies: Record<string, Proxy> = {
  nginx: {
    file: 'nginx.conf',
    args: (folder) => ['-p', folder, '-c', join(folder, 'config'), '-e', 'stderr'],
    config: (text, folder, { proxy, server }) => `
      user root; daemon off; pid ${folder}/pid; error_log stderr notice; events {}
      http {
        access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
        fastcgi_temp_path ${folder}/a; uwsgi_temp_path ${folder}/b; scgi_temp_path ${folder}/c;
        ${text
          .replace('127.0.0.1:4000', `127.0.0.1:${server}`)
          .replace('listen 443 ssl', `listen 127.0.0.1:${proxy} ssl`)
          .replaceAll('/etc/nginx/graph.example', `${folder}/tls`)}
      }`,
    isReady: /start worker process /,
  },
  caddy: {
    file: 'Caddyfile',
    args: (folder) => ['run', '--adapter', 'caddyfile', '--config', join(folder, 'config')],
    config: (text, folder, { proxy, server }) => `
      {
        admin off
        auto_https disable_redirects
      }
      ${text
        .replace('127.0.0.1:4000', `127.0.0.1:${server}`)
        .replace(
          /^graph\.example \{/m,
          `https://127.0.0.1:${proxy} {\n\ttls ${folder}/tls.pem ${folder}/tls.key`,
        )}`,
    isReady: /serving initial configuration/,
  },
}

const isInstalled = (name: string) =>
  spawnSync(name, ['version'], { stdio: 'ignore' }).error == null

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe.each(Object.entries(proxies))('behind %s', (name, { file, args, config, isReady }) => {
  const { cert, key } = makeCertificate({ address: [127, 0, 0, 1], years: [2020, 2999] })
  const folder = mkdtempSync(join(tmpdir(), 'portolan-'))
  let server: TestServer
  let proxy: ChildProcess | undefined
  let port: number

  beforeAll(async () => {
    if (!isInstalled(name)) return
    server = await serve({
      // Caddy asks.
      readiness: async () => ({ isReady: true, services: [] }),
      clients: { trustedProxies: ['127.0.0.1'], rateLimit: { pointsPerSecond: 1, burst: 1_000 } },
    })
    port = await freePort()
    const text = readFileSync(join(import.meta.dirname, '..', 'ops', 'proxies', file), 'utf8')
    const ports = { proxy: port, server: Number(new URL(server.url).port) }
    writeFileSync(join(folder, 'tls.pem'), cert)
    writeFileSync(join(folder, 'tls.key'), key)
    writeFileSync(join(folder, 'config'), config(text, folder, ports))
    const started = spawn(name, args(folder), {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    })
    proxy = started
    let said = ''
    await new Promise<void>((resolve, reject) => {
      started.stderr.on('data', (chunk) => {
        said += chunk
        if (isReady.test(said)) resolve()
      })
      started.once('exit', () => reject(new Error(said)))
    })
  })

  afterAll(async () => {
    if (proxy?.exitCode === null) {
      const exited = once(proxy, 'exit')
      proxy.kill('SIGTERM')
      await exited
    }
    await server?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Sends a request from one of the addresses of this machine. */
  async function send(
    path: string,
    options: { from?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<IncomingMessage> {
    const { from = '127.0.0.2', headers = {}, body } = options
    const sent = request({
      ...{ host: '127.0.0.1', port, path, ca: cert, localAddress: from, agent: false },
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

  const it = test.skipIf(!isInstalled(name))

  it('a query is answered, and its client counted by the address that the proxy sees', async () => {
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

  it('a WebSocket is passed on', async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', {
      ca: cert,
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

  it('each event of a stream is passed on at once, and its end when the client leaves', async () => {
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

  it('bodies are passed on up to the limit of the gateway, and no larger ones', async () => {
    const body = (length: number) => '{"query":"{ hello }"}'.padEnd(length)
    const statusOf = async (length: number) =>
      (await send('/graphql', { body: body(length) })).resume().statusCode
    expect(await statusOf(256 * 1024)).toBe(200)
    // Caddy may be still sending when the gateway has refused and closed: it then answers 502.
    expect(await statusOf(256 * 1024 + 1)).toBeOneOf(name === 'caddy' ? [413, 502] : [413])
  })

  it('the root leads to the graph, and probes and metrics are not public', async () => {
    const root = await send('/')
    const { pathname } = new URL(root.headers.location ?? '', `https://127.0.0.1:${port}`)
    expect([root.statusCode, pathname]).toEqual([302, '/graphql'])
    for (const path of ['/metrics', '/health', '/ready', '/nope']) {
      expect([path, (await send(path)).resume().statusCode]).toEqual([path, 404])
    }
  })
})
