import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { loadRedis } from '../../../src/engine/redis/loadRedis.ts'

/** The release of ioredis whose private method `loadRedis.ts` replaces. */
const checked = '6.0.0'

const changed = `src/engine/redis/loadRedis.ts replaces DataHandler.prototype.dispatch, a private method of ioredis ${checked}. This release has changed it: read built/DataHandler.js and adapt loadRedis.ts.`

test('ioredis has the version whose private method was checked', () => {
  const require = createRequire(import.meta.url)
  const { version } = JSON.parse(readFileSync(require.resolve('ioredis/package.json'), 'utf8'))
  expect(
    version,
    `loadRedis.ts was checked with ioredis ${checked}. Check that built/DataHandler.js of this release still gives all replies to "dispatch", and write its version here.`,
  ).toBe(checked)
  const source = readFileSync(require.resolve('ioredis/built/DataHandler.js'), 'utf8')
  expect(source, changed).toMatch(/^ {4}dispatch\(fn\) \{$/m)
  for (const reply of ['returnReply', 'returnError', 'returnPush']) {
    expect(source, changed).toMatch(new RegExp(`this\\.dispatch\\(\\(\\) => this\\.${reply}\\(`))
  }
})

test.each([
  ['null', '$-1\r\n'],
  ['a push of nothing', '>1\r\n_\r\n'],
])('%s as a reply to no command ends the connection, not the process', async (_name, reply) => {
  const server = createServer((socket) => void socket.on('error', () => {}).write(reply))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const uncaught: unknown[] = []
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', (error) => void uncaught.push(error))
  const Redis = await loadRedis()
  // With this protocol, and without this check, the client sends no command.
  const options = { protocol: 2, enableReadyCheck: false, disableClientInfo: true } as const
  const client = new Redis(port, '127.0.0.1', { ...options, retryStrategy: () => null })
  const errors: string[] = []
  client.on('error', ({ message }) => errors.push(message))
  try {
    // What is thrown where nobody catches it comes instead of the end.
    const isOver = () => client.status === 'end' || uncaught.length > 0
    await expect.poll(isOver, { timeout: 20_000 }).toBe(true)
    expect(uncaught, changed).toEqual([])
    expect(errors).toEqual(['The reply is no reply to a command.'])
  } finally {
    client.disconnect()
    server.close()
    process.removeAllListeners('uncaughtException')
    for (const listener of others) process.on('uncaughtException', listener)
  }
})
