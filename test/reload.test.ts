import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Sandbox, startSandbox } from '../packages/sandbox/src/sandbox.ts'
import { post } from './support/http.ts'
import { compileProgram, killPrograms, serveProgram } from './support/program.ts'
import { greetedSocket } from './support/socketClient.ts'

// These tests run the compiled program as a process of its own, and change its files.
beforeAll(compileProgram, 240_000)
afterEach(killPrograms)

/** A gateway with a configuration file over the first chain of a sandbox. */
async function serveFile(settings: Record<string, unknown> = {}) {
  const sandbox = await startSandbox()
  const folder = mkdtempSync(join(tmpdir(), 'portolan-'))
  onTestFinished(async () => {
    rmSync(folder, { recursive: true })
    await sandbox[Symbol.asyncDispose]()
  })
  const file = join(folder, 'portolan.json')
  const write = (next: Record<string, unknown>) => writeFileSync(file, JSON.stringify(next))
  write({ upstreams: upstreamsOf(sandbox, 1), ...settings })
  const gateway = await serveProgram(['--config', file])
  /** Sends the signal, and resolves when the log says how it ended. */
  const hangUp = async () => {
    const lines = () => [...gateway.logged(read), ...gateway.logged(refused)]
    const { length } = lines()
    gateway.child.kill('SIGHUP')
    await expect.poll(() => lines().length, { timeout: 20_000 }).toBe(length + 1)
  }
  const ask = async (query: string, headers: Record<string, string> = {}, more: Record<string, unknown> = {}) => {
    const { status, body } = await post(gateway.url, { query, ...more }, headers)
    return { status, ...body }
  }
  return { sandbox, folder, file, write, gateway, hangUp, ask }
}

const read = 'the settings were read again'
const refused = 'the settings cannot be used, and stay as they are'

const upstreamsOf = ({ indexers }: Sandbox, count: number) =>
  Object.fromEntries(indexers.slice(0, count).map(({ chainId, url }) => [chainId, { url }]))

const ids = '{ chains { chainId } }'

const [oldKey, newKey, otherKey] = ['old-key-of-a-client', 'new-key-of-a-client', 'another-key-of-one']

test('SIGHUP reads the configuration file again: a new chain is served, and is the default', async () => {
  const { sandbox, write, gateway, hangUp, ask } = await serveFile()
  expect((await ask(ids)).data.chains).toHaveLength(1)
  write({ upstreams: upstreamsOf(sandbox, 2), defaultChain: sandbox.indexers[1]?.chainId })
  await hangUp()
  expect((await ask(ids)).data.chains).toHaveLength(2)
  expect((await ask('{ chain { chainId } }')).data.chain.chainId).toBe(sandbox.indexers[1]?.chainId)
  expect(gateway.logged(read).at(-1)?.changed).toEqual(['INDEXERS', 'DEFAULT_CHAIN'])
})

test('SIGHUP connects a router, and the log has no value of a secret', async () => {
  const { sandbox, write, gateway, hangUp, ask } = await serveFile()
  const query = '{ service { hasRouter } asset(chainId: "harbor-1", denom: "uinit") { symbol } }'
  expect((await ask(query)).data.service).toEqual({ hasRouter: false })
  const headers = { 'x-api-key': 'a secret of the router' }
  write({ upstreams: { ...upstreamsOf(sandbox, 1), router: { url: sandbox.routerUrl, headers } } })
  await hangUp()
  const { data } = await ask(query)
  expect(data.service).toEqual({ hasRouter: true })
  expect(data.asset).toEqual({ symbol: 'INIT' })
  expect(gateway.logged(read).at(-1)?.changed).toEqual(['ROUTER_URL', 'UPSTREAM_HEADERS'])
  expect(gateway.errors()).not.toContain('a secret of the router')
})

test('a removed key is refused, and a new one is accepted', async () => {
  const { sandbox, write, hangUp, ask } = await serveFile({ apiKeys: { app: oldKey }, requireApiKey: true })
  expect((await ask(ids, { 'x-api-key': oldKey })).status).toBe(200)
  write({ upstreams: upstreamsOf(sandbox, 1), apiKeys: { app: newKey }, requireApiKey: true })
  await hangUp()
  expect((await ask(ids, { 'x-api-key': oldKey })).status).toBe(401)
  expect((await ask(ids, { 'x-api-key': newKey })).status).toBe(200)
  write({ upstreams: upstreamsOf(sandbox, 1) })
  await hangUp()
  expect((await ask(ids)).status).toBe(200)
})

test('a rate limit is that of the file from then on, and what a client has spent stays spent', async () => {
  const upstreams = (sandbox: Sandbox) => ({ upstreams: upstreamsOf(sandbox, 1) })
  const { sandbox, write, hangUp, ask } = await serveFile({ rateLimit: '100:100' })
  const left = async () => {
    const { extensions } = await ask(ids, { 'graphql-cost-debug': '1' })
    return extensions.cost.pointsLeft
  }
  expect(await left()).toBeLessThan(100)
  write({ ...upstreams(sandbox), rateLimit: '1000:5000' })
  await hangUp()
  expect(await left()).toBeLessThan(5_000)
  write(upstreams(sandbox))
  await hangUp()
  expect(await left()).toBeUndefined()
})

test('a trusted document that its file has no longer is refused, though its answer was kept', async () => {
  const { folder, sandbox, write, gateway, hangUp, ask } = await serveFile()
  const list = join(folder, 'documents.json')
  writeFileSync(list, JSON.stringify({ first: ids }))
  const settings = { upstreams: upstreamsOf(sandbox, 1), trustedDocuments: list }
  write(settings)
  await hangUp()
  expect((await ask('', {}, { documentId: 'first' })).data.chains).toHaveLength(1)
  writeFileSync(list, JSON.stringify({ second: ids }))
  await hangUp()
  expect(gateway.logged(read).at(-1)?.changed).toEqual(['TRUSTED_DOCUMENTS'])
  expect((await ask('', {}, { documentId: 'first' })).errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND')
  expect((await ask('', {}, { documentId: 'second' })).data.chains).toHaveLength(1)
})

test.each([
  ['that is not JSON', '{', 'is not JSON'],
  ['with a faulty key', { apiKeys: { app: newKey }, maxPageSize: 0 }, 'maxPageSize must be a whole number'],
  ['with an unknown setting', { apiKeys: { app: newKey }, apiKey: 'a' }, 'has the unknown key apiKey'],
  ['without a chain', { apiKeys: { app: newKey } }, 'No chain is configured'],
])('a file %s is refused whole, with its faults', async (_what, content, fault) => {
  const { sandbox, file, gateway, hangUp, ask } = await serveFile({ apiKeys: { app: oldKey } })
  const isWithoutChain = fault.startsWith('No chain')
  const upstreams = isWithoutChain ? {} : { upstreams: upstreamsOf(sandbox, 2) }
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify({ ...upstreams, ...content }))
  await hangUp()
  expect(JSON.stringify(gateway.logged(refused).at(-1)?.problems)).toContain(fault)
  expect((await ask(ids, { 'x-api-key': oldKey })).data.chains).toHaveLength(1)
  expect((await ask(ids, { 'x-api-key': newKey })).status).toBe(401)
})

test('settings that need a restart are named until they are as at the start, and the others take effect', async () => {
  const { sandbox, write, gateway, hangUp, ask } = await serveFile()
  const late = 'settings were changed, but need a restart'
  const settings = {
    upstreams: upstreamsOf(sandbox, 2),
    port: 1,
    maxPageSize: 7,
    redisUrl: 'redis://:secret@127.0.0.1:1',
  }
  write(settings)
  await hangUp()
  expect((await ask(`${ids.slice(0, -1)} service { limits { maxPageSize } } }`)).data).toMatchObject({
    chains: [{}, {}],
    service: { limits: { maxPageSize: 100 } },
  })
  expect(gateway.logged(late).map(({ settings }) => settings)).toEqual([['REDIS_URL', 'MAX_PAGE_SIZE']])
  expect(gateway.errors()).not.toContain(':secret@')
  write({ upstreams: settings.upstreams })
  await hangUp()
  expect(gateway.logged(late)).toHaveLength(1)
})

/** Passes requests on to an indexer, each once it is released. */
async function startGate(target: string) {
  let held: Promise<void> | undefined
  let release = () => {}
  let waiting = 0
  const server = createServer(async (request, response) => {
    waiting += 1
    await held
    const answer = await fetch(target + request.url)
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(await answer.text())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold() {
      waiting = 0
      held = new Promise((resolve) => {
        release = resolve
      })
    },
    release: () => release(),
    waiting: () => waiting,
  }
}

test('a query under way is answered, from the indexer that it was sent to', async () => {
  const { sandbox, write, hangUp, ask } = await serveFile()
  const [chain] = sandbox.indexers
  if (!chain) throw new Error('no chain')
  const gate = await startGate(chain.url)
  write({ upstreams: { [chain.chainId]: { url: gate.url } } })
  await hangUp()
  gate.hold()
  const answer = ask('{ chain { block(height: 7) { height } } }')
  await expect.poll(gate.waiting, { timeout: 20_000 }).toBeGreaterThan(0)
  write({ upstreams: upstreamsOf(sandbox, 2), apiKeys: { app: newKey }, requireApiKey: true })
  await hangUp()
  gate.release()
  expect((await answer).data).toEqual({ chain: { block: { height: 7 } } })
})

test('a subscription lives on, and a removed key begins nothing more on its socket', async () => {
  const { sandbox, write, gateway, hangUp } = await serveFile({ apiKeys: { app: oldKey }, requireApiKey: true })
  const socket = await greetedSocket(gateway.url, { 'x-api-key': oldKey })
  const chainId = sandbox.indexers[0]?.chainId
  const live = { query: `subscription { blocks(chainId: "${chainId}") { node { height } } }` }
  socket.send({ id: 'live', type: 'subscribe', payload: live })
  const heights: number[] = []
  const readBlock = async () => {
    const message = await socket.next()
    expect(message).toMatchObject({ id: 'live', type: 'next' })
    heights.push(message.payload.data.blocks.node.height)
  }
  await readBlock()
  write({ upstreams: upstreamsOf(sandbox, 2), apiKeys: { other: otherKey }, requireApiKey: true })
  await hangUp()
  const { unread } = socket
  for (let count = 0; count <= unread; count += 1) await readBlock()
  expect(heights).toEqual([...heights.keys()].map((index) => (heights[0] ?? 0) + index))
  socket.send({ id: 'late', type: 'subscribe', payload: { query: ids } })
  let message = await socket.next()
  while (message.id === 'live') message = await socket.next()
  expect(message).toMatchObject({ id: 'late', type: 'error', payload: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
  await socket.close()
})
