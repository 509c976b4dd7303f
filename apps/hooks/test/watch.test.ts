import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from '@portolan/client'
import { PortolanError } from '@portolan/client/errors'
import { expect, test } from 'vitest'
import { askGateway, watchGateway } from '../src/gateway/watch.ts'
import { createIo } from './support/clock.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A client whose subscription has the statuses that a test gives it. */
function startWatch(query: () => Promise<unknown> = async () => ({})) {
  const own = createIo()
  let listener: (status: string) => void = () => {}
  const live = {
    status: 'connecting',
    onStatus(given: typeof listener) {
      listener = given
      return () => {}
    },
  }
  const client = { query, subscribe: () => live } as unknown as Pick<Client, 'query' | 'subscribe'>
  const ask = async () => 'cannot be reached (ECONNREFUSED)'
  const watched = watchGateway(client, { url: 'https://graph.example/graphql?key=1', io: own.io, ask })
  const pass = async (ms: number) => {
    own.advance(ms)
    await turn()
  }
  return { ...own, watched, pass, become: (status: string) => listener(status) }
}
const line = 'The gateway at graph.example cannot be reached (ECONNREFUSED).'

test('a subscription that does not open is told within ten seconds, and every ten seconds from then on', async () => {
  const { watched, pass, lines, become } = startWatch()
  watched.subscribe('subscription { chainHeads { height } }')
  await pass(4_999)
  expect(lines).toEqual([])
  await pass(1)
  expect(lines).toEqual([line])
  await pass(10_000)
  await pass(10_000)
  expect(lines).toEqual([line, line, line])
  become('live')
  await pass(60_000)
  expect(lines).toHaveLength(3)
  become('offline')
  await pass(5_000)
  expect(lines).toHaveLength(4)
  become('ended')
  await pass(60_000)
  expect(lines).toHaveLength(4)
})

test('a query that got lost is told until another one succeeds, and one that was refused is not', async () => {
  const faults = [new PortolanError('BAD_USER_INPUT', 'no'), new PortolanError('NETWORK', 'lost')]
  const { watched, pass, lines } = startWatch(async () => {
    const fault = faults.shift()
    if (fault) throw fault
  })
  await watched.query('{ a }').catch(() => {})
  await pass(30_000)
  expect(lines).toEqual([])
  await watched.query('{ a }').catch(() => {})
  await pass(5_000)
  expect(lines).toEqual([line])
  await watched.query('{ a }')
  await pass(30_000)
  expect(lines).toHaveLength(1)
})

test('once it is disposed of, nothing is told', async () => {
  const { watched, pass, lines } = startWatch()
  watched.subscribe('subscription { chainHeads { height } }')
  watched[Symbol.dispose]()
  await pass(30_000)
  expect(lines).toEqual([])
})

test('the cause has the code of the system or the status of the answer, and no part of the URL', async () => {
  expect(await askGateway('http://no-such-host.invalid/graphql')).toMatch(
    /^cannot be reached \((ENOTFOUND|EAI_AGAIN)\)$/,
  )
  let status = 503
  const server = createServer((_request, response) => response.writeHead(status).end('{}'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
  expect(await askGateway(url)).toBe('answers with status 503')
  status = 200
  expect(await askGateway(url)).toBeUndefined()
  server.close()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const closed = url.replace(/:\d+/, `:${(other.address() as AddressInfo).port}`)
  other.close()
  await once(other, 'close')
  expect(await askGateway(`${closed}?key=secret`)).toBe('cannot be reached (ECONNREFUSED)')
})
