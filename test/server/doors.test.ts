import { once } from 'node:events'
import { createServer, type RequestListener, request as send } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { readText } from '../../src/app/cli/readText.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'

// What a server does before, beside and after operations.

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

async function serve(handle: RequestListener): Promise<{ url: string; received: string[] }> {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(String(request.url))
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

async function startGateway(options: Partial<GatewayOptions> = {}) {
  const upstream = await serve((_, response) => response.writeHead(404).end())
  const gateway = await createGateway({
    chains: [{ chainId: 'test-1', url: upstream.url, bech32Prefix: 'init', vm: 'evm' }],
    ...options,
  })
  closers.push(() => gateway.close())
  return { ...gateway, received: upstream.received }
}

/** Opens a connection from an address of this machine. Resolves to whether it is still open after a request. */
async function dial(url: string, localAddress: string): Promise<{ socket: Socket; isOpen: boolean }> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  socket.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n')
  const isOpen = await Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])
  return { socket, isOpen }
}

test('one address cannot use up all connections', async () => {
  const { url } = await startGateway({ trustedProxies: [], limits: { maxConnections: 8 } })
  const greedy = []
  for (let i = 0; i < 8; i += 1) greedy.push(await dial(url, '127.0.0.2'))
  expect(greedy.map(({ isOpen }) => isOpen)).toEqual([...Array(6).fill(true), false, false])
  for (const address of ['127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6']) {
    expect((await dial(url, address)).isOpen).toBe(true)
  }
})

test('at maxConnections, the address with most of them loses an idle connection', async () => {
  const { url } = await startGateway({ trustedProxies: [], limits: { maxConnections: 4 } })
  const many = []
  for (let i = 0; i < 3; i += 1) many.push(await dial(url, '127.0.0.2'))
  await dial(url, '127.0.0.3')
  const closed = Promise.race(many.map(({ socket }) => once(socket, 'close')))
  expect((await dial(url, '127.0.0.4')).isOpen).toBe(true)
  await closed
  expect(many.filter(({ socket }) => !socket.destroyed)).toHaveLength(2)
})

test('at maxConnections, a connection with an incomplete request is closed too', async () => {
  const { url } = await startGateway({ trustedProxies: [], limits: { maxConnections: 4 } })
  const many: Awaited<ReturnType<typeof dial>>[] = []
  for (let i = 0; i < 3; i += 1) many.push(await dial(url, '127.0.0.2'))
  const head = 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
  for (const { socket } of many) {
    // Its answer says that the head has been read.
    socket.write(`${head}Content-Length: 9\r\nExpect: 100-continue\r\n\r\n{`)
    await once(socket, 'data')
  }
  await dial(url, '127.0.0.3')
  expect((await dial(url, '127.0.0.4')).isOpen).toBe(true)
  await expect.poll(() => many.filter(({ socket }) => !socket.destroyed).length).toBe(2)
})

test('a refused upgrade closes its connection, even if the client does not', async () => {
  const { url } = await startGateway()
  const { port } = new URL(url)
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.write('GET /nowhere HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  await new Promise((resolve) => socket.once('end', resolve))
  expect(answer).toMatch(/^HTTP\/1\.1 404 /)
  // A connection that the server still had would take all of these.
  const isTaken = () => new Promise((resolve) => socket.write('x', (error) => resolve(!error)))
  while (await isTaken());
})

const page = { accept: 'text/html', 'accept-encoding': 'gzip' }

test('GraphiQL without a required API key shows no chains and sends no requests', async () => {
  const { url, received } = await startGateway({
    requireApiKey: true,
    apiKeys: new Map([['friend', 'k'.repeat(32)]]),
  })
  const before = received.length
  const text = await (await fetch(url, { headers: page })).text()
  expect(text).toContain('<title>')
  expect(text).not.toContain('test-1')
  expect(received).toHaveLength(before)
})

test('static files cost points', async () => {
  const { url } = await startGateway({
    rateLimit: { pointsPerSecond: 1, burst: 400 },
    trustedProxies: [],
  })
  const html = await (await fetch(url, { headers: page })).text()
  const script = new URL(/<script src="([^"]+)"/.exec(html)?.[1] ?? '', url)
  const first = await fetch(script, { headers: page })
  await first.arrayBuffer()
  expect(first.status).toBe(200)
  const again = { ...page, 'if-none-match': String(first.headers.get('etag')) }
  expect((await fetch(script, { headers: again })).status).toBe(304)
  const statuses = new Set<number>()
  for (let i = 0; i < 4; i += 1) {
    const response = await fetch(script, { headers: page })
    statuses.add(response.status)
    await response.arrayBuffer()
  }
  expect(statuses).toContain(429)
})

test('/schema.graphql costs points by its size', async () => {
  const { url } = await startGateway({
    rateLimit: { pointsPerSecond: 1, burst: 20 },
    trustedProxies: [],
  })
  const statuses = []
  for (let i = 0; i < 4; i += 1) {
    const response = await fetch(new URL('/schema.graphql', url))
    statuses.push(response.status)
    await response.arrayBuffer()
  }
  expect(statuses[0]).toBe(200)
  expect(statuses.at(-1)).toBe(429)
})

test.each([
  ['a compressed body', '/graphql', { 'content-encoding': 'gzip' }, 415],
  ['an invalid Host', '/graphql', { host: 'a b' }, 400],
  ['an unknown path', '/nowhere', {}, 404],
])('the refusal of %s has CORS headers', async (_, path, headers, status) => {
  const { url } = await startGateway()
  const request = send(new URL(path, url), { method: 'POST', headers })
  request.end()
  const [response] = await once(request, 'response')
  expect(response.statusCode).toBe(status)
  expect(response.headers['access-control-allow-origin']).toBe('*')
  response.resume()
})

test('an EventSource that reconnects after completion gets status 204', async () => {
  const { url } = await startGateway()
  const query = encodeURIComponent('subscription { blocks(chainId: "nowhere-1") { cursor } }')
  const stream = `${url}?query=${query}`
  const headers = { accept: 'text/event-stream' }
  const text = await (await fetch(stream, { headers })).text()
  expect(text).toMatch(/event: complete\nid: complete\ndata:\n\n$/)
  const next = await fetch(stream, { headers: { ...headers, 'last-event-id': 'complete' } })
  expect(next.status).toBe(204)
})

test('readText refuses large registries and redirects', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 32)
  const large = await serve((_, response) => {
    for (let i = 0; i < 20; i += 1) response.write(chunk)
    response.end()
  })
  await expect(readText(large.url)).rejects.toThrow('larger than')
  const target = await serve((_, response) => response.end('[]'))
  const redirect = await serve((_, response) => response.writeHead(302, { location: target.url }).end())
  await expect(readText(redirect.url)).rejects.toThrow('redirect')
  expect(target.received).toEqual([])
  expect(await readText(target.url)).toBe('[]')
})
