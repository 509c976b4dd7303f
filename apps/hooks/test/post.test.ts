import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { isIPv4 } from 'node:net'
import { expect, test } from 'vitest'
import { checkReceiver, createPost, resolveHost } from '../src/post/post.ts'
import { startReceiver } from './support/receiver.ts'

const strict = { allowsPrivate: false, ports: [8443] }
const open = { allowsPrivate: true, ports: [] }

test.each([
  ['http://hooks.example/', 'needs https. With `allowPrivate: true`'],
  ['https://me:word@hooks.example/', 'no credentials'],
  ['https://hooks.example:22/', 'port 22 is not allowed. Name it in `ports`'],
  ['file:///etc/passwd', 'needs https'],
  ['hooks.example', 'whole one'],
])('no message is sent to %s', (url, reason) => {
  expect(() => checkReceiver(url, strict)).toThrow(reason)
})

test('https, and the ports that are named, are allowed', () => {
  expect(checkReceiver('https://hooks.example/a', strict).host).toBe('hooks.example')
  expect(checkReceiver('https://hooks.example:8443/a', strict).port).toBe('8443')
  expect(checkReceiver('http://hooks.internal:3000/a', open).port).toBe('3000')
})

const message = (url: string, signal = new AbortController().signal) => ({ url, headers: {}, body: '{}', signal })

const isPrivate = 'is in a private network, which needs `allowPrivate: true`'
const isNever = 'has an address that no message may be sent to'

test.each([
  [['127.0.0.1'], isPrivate],
  [['8.8.8.8', '10.0.0.1'], isPrivate],
  [['8.8.8.8', '169.254.169.254'], isNever],
  [['::ffff:127.0.0.1'], isNever],
  [[], 'its host was not found'],
])('a host with the addresses %j is refused with the reason, before anything is sent', async (addresses, reason) => {
  await using receiver = await startReceiver()
  const url = receiver.url.replace('http://127.0.0.1', 'https://hooks.example').replace(/:\d+/, ':8443')
  await expect(createPost(strict, async () => addresses)(message(url))).rejects.toThrow(reason)
  expect(receiver.received).toEqual([])
})

test.each([
  ['https://127.0.0.1/', isPrivate],
  ['https://[::1]/', isPrivate],
  ['https://0x7f.1/', isPrivate],
  ['https://localhost/', isPrivate],
  ['https://169.254.169.254/', isNever],
  ['https://[::ffff:7f00:1]/', isNever],
  ['https://no-such-host.invalid/', /not found|could not be looked up/],
])('%s is refused with the reason', async (url, reason) => {
  await expect(createPost(strict)(message(url))).rejects.toThrow(reason)
})

test('with the switch, addresses where clouds answer their machines stay closed, also beside others', async () => {
  for (const addresses of [['169.254.169.254'], ['10.0.0.1', '169.254.169.254'], ['fd00:ec2::254']]) {
    await expect(createPost(open, async () => addresses)(message('http://hooks.internal/'))).rejects.toThrow(isNever)
  }
})

test('with the switch, a receiver at localhost is reached', async () => {
  await using receiver = await startReceiver()
  const { status } = await createPost(open)(message(receiver.url.replace('127.0.0.1', 'localhost')))
  expect(status).toBe(204)
})

test('names of the file of hosts are found', async () => {
  const lines = readFileSync('/etc/hosts', 'utf8').replace(/#.*/g, '').split('\n')
  for (const line of lines) {
    const [address = '', ...names] = line.split(/\s+/).filter(Boolean)
    // What this machine cannot reach is left out by its resolver.
    for (const name of isIPv4(address) ? names : []) expect(await resolveHost(name)).toContain(address)
  }
})

test('a name server that does not answer is left when the signal aborts', async () => {
  const abort = new AbortController()
  const post = createPost(open, () => {
    abort.abort()
    return new Promise(() => {})
  })
  await expect(post(message('http://hooks.internal/', abort.signal))).rejects.toThrow('aborted')
})

test('the connection goes to the address that was checked, whatever is answered later', async () => {
  await using receiver = await startReceiver()
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  const post = createPost(open, async () => answers.shift() ?? [])
  const url = receiver.url.replace('127.0.0.1', 'hooks.example')
  expect(await post(message(url))).toEqual({ status: 204, retryAfter: undefined })
  expect(receiver.received[0]?.headers.host).toContain('hooks.example')
  expect(answers).toHaveLength(1)
})

test('a redirect is an answer, and is not followed', async () => {
  await using other = await startReceiver()
  await using receiver = await startReceiver((_message, response) =>
    response.writeHead(307, { location: other.url, 'retry-after': '9' }).end(),
  )
  expect(await createPost(open)(message(receiver.url))).toEqual({ status: 307, retryAfter: '9' })
  expect(other.received).toEqual([])
})

test('the body of an answer is not read, however long it is', async () => {
  let closed = () => {}
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve
  })
  await using receiver = await startReceiver((_message, response) => {
    response.on('close', closed)
    const more = () => {
      while (response.write('x'.repeat(65_536)));
      response.once('drain', more)
    }
    more()
  })
  expect((await createPost(open)(message(receiver.url))).status).toBe(200)
  await isClosed
})

test('a receiver that hangs is left when the signal aborts', async () => {
  const abort = new AbortController()
  await using receiver = await startReceiver(() => abort.abort())
  await expect(createPost(open)(message(receiver.url, abort.signal))).rejects.toThrow()
})

test('each message has a connection of its own', async () => {
  const sockets = new Set<unknown>()
  const server = createServer((request, response) => {
    sockets.add(request.socket)
    request.resume()
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address?.port}/`
  const post = createPost(open)
  for (let count = 0; count < 3; count += 1) await post(message(url))
  server.close()
  expect(sockets.size).toBe(3)
})
