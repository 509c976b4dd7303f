import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import { expect, test } from 'vitest'
import { exchange, headerOf, type UpstreamResponse } from '../../../src/engine/upstream/exchange.ts'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
/** undici 8 cannot be loaded by Node 20. */
const isNewNode = major > 22 || (major === 22 && minor >= 19)

const versions: readonly (readonly [string, () => Promise<Dispatcher>])[] = [
  ['7', async () => new Agent()],
  ...(isNewNode ? ([['8', openNext]] as const) : []),
]

/** The types of both versions differ in what is not used. */
async function openNext(): Promise<Dispatcher> {
  const { Agent } = await import('undici-next')
  return new Agent() as unknown as Dispatcher
}

/** What an exchange ended with. */
type Ending = UpstreamResponse | { readonly error: Error; readonly hasStatus: boolean }

async function ask(open: () => Promise<Dispatcher>, listener: RequestListener): Promise<Ending> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const dispatcher = await open()
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ending = await new Promise<Ending>((resolve) => {
    exchange(
      dispatcher,
      { origin, path: '/', method: 'GET' },
      { onResponse: resolve, onFault: (error, hasStatus) => resolve({ error, hasStatus }) },
    )
  })
  await dispatcher.destroy()
  await new Promise((resolve) => server.close(resolve))
  return ending
}

test.each(versions)(
  'undici %s: a response after an informational one, with its headers and its pieces',
  async (_, open) => {
    const response = await ask(open, (_request, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' })
      response.writeHead(202, { 'Content-Type': 'text/plain', 'X-Two': ['a', 'b'] })
      response.write('one ')
      response.end('two')
    })
    expect(response).toMatchObject({ status: 202, text: 'one two', bytes: 7 })
    const name = (header: string) => ('headers' in response ? headerOf(response, header) : 'no response')
    expect(name('content-type')).toBe('text/plain')
    expect(name('x-two')).toBeUndefined()
    expect(name('x-none')).toBeUndefined()
  },
)

test.each(versions)('undici %s: a connection that breaks before a response, and in its body', async (_, open) => {
  const before = await ask(open, ({ socket }) => socket.destroy())
  expect(before).toMatchObject({ error: { code: 'UND_ERR_SOCKET' }, hasStatus: false })
  const within = await ask(open, ({ socket }, response) => {
    response.writeHead(200, { 'content-length': 9 })
    response.write('one', () => socket.destroy())
  })
  expect(within).toMatchObject({ error: { code: 'UND_ERR_SOCKET' }, hasStatus: true })
})

test.each(versions)('undici %s: an abort closes the connection, and nothing is called after it', async (_, open) => {
  const ends: string[] = []
  let abort = () => {}
  const server = createServer(() => abort()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'))
  const dispatcher = await open()
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const call = exchange(
    dispatcher,
    { origin, path: '/', method: 'GET' },
    { onResponse: () => ends.push('response'), onFault: () => ends.push('fault') },
  )
  abort = () => call.abort(new Error('left'))
  await closed
  await dispatcher.destroy()
  await new Promise((resolve) => server.close(resolve))
  expect(ends).toEqual([])
  expect(call.hasStatus()).toBe(false)
})
