import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { startSandbox } from '../../../packages/sandbox/src/sandbox.ts'
import { metricValue, readMetrics } from '../../support/metricText.ts'
import {
  ask,
  compileProgram,
  getAlone,
  killPrograms,
  loadUntilClosed,
  type RunningProgram,
  runProgram,
  serveProgram,
} from '../../support/program.ts'
import { freePort } from '../../support/redisServer.ts'
import { createRegistryFile } from '../../support/registryFile.ts'

// These tests run the compiled program with two workers, each a process of its own.
beforeAll(compileProgram, 240_000)
afterEach(killPrograms)

const debug = { LOG_LEVEL: 'debug' }

/** For what takes a machine under load some seconds, such as the start of a process. */
const soon = { timeout: 40_000 }

/** The process that has answered a request, as its log says. */
async function workerOf({ logged }: RunningProgram, { requestId }: { requestId: string }) {
  const find = () => logged('request').find((line) => line.requestId === requestId)?.pid
  await expect.poll(find, soon).toBeDefined()
  return Number(find())
}

/** Sends a query on new connections until this worker has answered one. */
async function askWorker(
  gateway: RunningProgram & { readonly url: string },
  pid: (pid: number) => boolean,
  query: string,
  variables: object = {},
) {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const answer = await ask(gateway.url, query, variables)
    const worker = await workerOf(gateway, answer)
    if (pid(worker)) return { ...answer, worker }
  }
  throw new Error('no such worker answers')
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The pids of both workers. */
async function pidsOf(gateway: RunningProgram & { readonly url: string }) {
  const first = await askWorker(gateway, () => true, '{ __typename }')
  const second = await askWorker(gateway, (pid) => pid !== first.worker, '{ __typename }')
  return [first.worker, second.worker] as const
}

test('SIGTERM to a process group of two workers fails no query', async () => {
  const gateway = await serveProgram(['--sandbox', '--workers', '2'], debug, true)
  expect(gateway.logged('listening')).toMatchObject([{ workers: 2, url: gateway.url }])
  const page = `query ($after: String) { chain(chainId: "galley-1") {
    status { height }
    blocks(first: 3, after: $after) { nodes { hash } pageInfo { endCursor } } } }`
  const first = await askWorker(gateway, () => true, page)
  const { endCursor } = first.data.chain.blocks.pageInfo
  const here = await askWorker(gateway, (pid) => pid === first.worker, page, { after: endCursor })
  const there = await askWorker(gateway, (pid) => pid !== first.worker, page, { after: endCursor })
  expect(there.errors).toBeUndefined()
  expect(there.data.chain.blocks).toEqual(here.data.chain.blocks)
  const heights = [here, there].map(({ data }) => data.chain.status.height)
  expect(Math.abs(heights[0] - heights[1])).toBeLessThan(60)
  expect(new Set([gateway.child.pid, first.worker, there.worker]).size).toBe(3)

  const loads = Promise.all(Array.from({ length: 16 }, () => loadUntilClosed(gateway.url)))
  await ask(gateway.url, '{ chains { chainId } }')
  process.kill(-(gateway.child.pid ?? 0), 'SIGINT')
  const outcomes = (await loads).flat()
  expect(await gateway.exited).toBe(0)
  expect(outcomes.length).toBeGreaterThan(16)
  expect(new Set(outcomes)).toEqual(new Set([200]))
}, 120_000)

test('chains and metrics are those of all workers, also of a replacement', async () => {
  await using sandbox = await startSandbox()
  using registry = createRegistryFile(sandbox)
  const flags = ['--workers', '2', '--metrics-port', '0']
  const gateway = await serveProgram(flags, { ...debug, CHAIN_REGISTRY: registry.path })
  const [killed, kept] = await pidsOf(gateway)

  await Promise.all(Array.from({ length: 8 }, () => ask(gateway.url, 'query Eight { __typename }')))
  const { metricsUrl } = gateway.logged('listening')[0]
  const metric = async (series: string) => metricValue((await readMetrics(metricsUrl)).text, series)
  const eight = 'portolan_operations_total{name="Eight",type="query",outcome="ok"}'
  expect(await metric(eight)).toBe(8)
  const { text, families } = await readMetrics(metricsUrl)
  expect(families.get('portolan_operation_duration_seconds')).toBe('histogram')
  const durations = 'portolan_operation_duration_seconds_count{type="query",outcome="ok"}'
  expect(metricValue(text, durations)).toBeGreaterThanOrEqual(10)
  expect(text.match(/^portolan_build_info.* 1$/gm)).toHaveLength(1)
  expect((await fetch(new URL('/metrics', gateway.url))).status).toBe(404)

  const count = async (isWorker: (pid: number) => boolean) =>
    (await askWorker(gateway, isWorker, '{ chains { chainId } }')).data.chains.length
  expect(await count(() => true)).toBe(1)
  registry.list(2)
  gateway.child.kill('SIGHUP')
  await expect.poll(() => count((pid) => pid === killed), soon).toBe(2)
  await expect.poll(() => count((pid) => pid === kept), soon).toBe(2)

  process.kill(killed, 'SIGKILL')
  await expect.poll(() => gateway.logged('a worker has taken the place of another'), soon).toHaveLength(1)
  expect(gateway.logged('a worker ended and is replaced')).toMatchObject([{ pid: killed, cause: 'SIGKILL' }])
  expect(await count((pid) => pid !== killed && pid !== kept)).toBe(2)
  expect(await metric(eight)).toBe(8)
  expect(await metric('portolan_workers')).toBe(2)
  expect(await metric('portolan_worker_exits_total{cause="SIGKILL"}')).toBe(1)
}, 180_000)

test('a client is served although a worker is killed while it connects', async () => {
  const gateway = await serveProgram(['--sandbox', '--workers', '2'], debug)
  const replaced = () => gateway.logged('a worker has taken the place of another')
  const pids: number[] = [...(await pidsOf(gateway))]
  const health = new URL('/health', gateway.url)
  const outcomes: string[] = []
  let isOver = false
  const loads = Array.from({ length: 16 }, async () => {
    while (!isOver) outcomes.push(await getAlone(health, 15_000))
  })
  for (let kills = 1; kills <= 3; kills += 1) {
    process.kill(pids.shift() ?? 0, 'SIGKILL')
    await expect.poll(() => replaced().length, { ...soon, interval: 500 }).toBe(kills)
    pids.push(replaced().at(-1).pid)
  }
  isOver = true
  await Promise.all(loads)
  // A connection that the worker had taken, or that was on its way to it, is cut. No other one is lost.
  expect(new Set(outcomes)).not.toContain('no answer')
  const cut = outcomes.filter((outcome) => outcome !== '200')
  expect(cut.length).toBeLessThan(outcomes.length / 10)
}, 120_000)

test('a port is served again after all its workers have ended', async () => {
  const port = await freePort()
  const flags = ['--sandbox', '--workers', '2', '--port', String(port)]
  const gateway = await serveProgram(flags, debug)
  for (const pid of await pidsOf(gateway)) process.kill(pid, 'SIGKILL')
  const replaced = () => gateway.logged('a worker has taken the place of another')
  await expect.poll(() => replaced().length, soon).toBe(2)
  expect(await getAlone(new URL('/health', gateway.url), 15_000)).toBe('200')
}, 120_000)

test('all workers are unready while stopping, and a second signal ends them', async () => {
  const flags = ['--sandbox', '--workers', '2', '--shutdown-delay-ms', '60000']
  const gateway = await serveProgram(flags, debug)
  const pids = await pidsOf(gateway)
  const ready = async () => (await fetch(new URL('/ready', gateway.url))).status
  expect(await ready()).toBe(200)
  gateway.child.kill('SIGTERM')
  await expect.poll(ready, soon).toBe(503)
  const statuses = await Promise.all(Array.from({ length: 8 }, ready))
  expect(new Set(statuses)).toEqual(new Set([503]))
  expect((await ask(gateway.url, '{ chain { chainId } }')).errors).toBeUndefined()
  gateway.child.kill('SIGTERM')
  expect(await gateway.exited).toBe(1)
  await expect.poll(() => pids.filter(isAlive), soon).toEqual([])
}, 120_000)

test('workers end when the primary is killed', async () => {
  const gateway = await serveProgram(['--sandbox', '--workers', '2'], debug)
  const pids = await pidsOf(gateway)
  gateway.child.kill('SIGKILL')
  await expect.poll(() => pids.filter(isAlive), soon).toEqual([])
}, 120_000)

test('a busy port is one message, with exit code 1', async () => {
  const busy = createServer().listen(0, '127.0.0.1')
  await expect.poll(() => busy.listening).toBe(true)
  const { port } = busy.address() as AddressInfo
  const flags = ['--sandbox', '--workers', '2', '--port', String(port)]
  const { exited, errors } = runProgram(['dist/main.js', ...flags], { LOG_LEVEL: 'silent' })
  expect(await exited).toBe(1)
  expect(errors()).toBe(
    `Portolan could not start: port ${port} of 127.0.0.1 is in use. Set PORT or --port to another one, or to 0 for any that is free.\n`,
  )
  busy.close()
})
