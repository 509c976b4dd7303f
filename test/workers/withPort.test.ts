import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { withPort } from '../../src/workers/withPort.ts'

const host = '127.0.0.1'
const inUse = new Error('bind EADDRINUSE 127.0.0.1')

/** Fails so many times as if somebody had taken the port. */
function failing(times: number) {
  const ports: number[] = []
  return {
    ports,
    async run(port: number) {
      ports.push(port)
      if (ports.length <= times) throw inUse
      return port
    },
  }
}

test('a free port that somebody takes meanwhile is replaced by another one', async () => {
  const { ports, run } = failing(2)
  const port = await withPort(0, host, run)
  expect(ports).toHaveLength(3)
  expect(ports.at(-1)).toBe(port)
  expect(ports.every((each) => each > 0)).toBe(true)
})

test('it is not tried for ever', async () => {
  const { ports, run } = failing(100)
  await expect(withPort(0, host, run)).rejects.toBe(inUse)
  expect(ports.length).toBeLessThan(10)
})

test('a given port is tried once, and not at all if it is in use', async () => {
  const { ports, run } = failing(1)
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await expect(withPort(port, host, run)).rejects.toThrow('EADDRINUSE')
  expect(ports).toEqual([])
  server.close()
  await once(server, 'close')
  await expect(withPort(port, host, run)).rejects.toBe(inUse)
  expect(ports).toEqual([port])
})
