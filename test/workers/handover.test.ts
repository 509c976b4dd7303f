import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { saveConnections } from '../../src/workers/handover.ts'

/** The release of Node whose messages between a cluster and its workers `handover.ts` reads. */
const checked = '20.20.2'

const changed = `src/workers/handover.ts reads private messages of node:cluster and was checked with Node ${checked}. Node ${process.versions.node} has changed them: read lib/internal/cluster of it and adapt handover.ts.`

const folder = mkdtempSync(join(tmpdir(), 'portolan-handover-'))
const file = join(folder, 'worker.cjs')
writeFileSync(
  file,
  `require('node:http').createServer((_, r) => r.end(String(process.pid))).listen(0, '127.0.0.1')`,
)
afterAll(() => rmSync(folder, { recursive: true }))

const workers: Worker[] = []

/** Starts a worker that answers each request with its pid. Its port is that of the other workers. */
async function fork(prepare: (worker: Worker) => void): Promise<{ worker: Worker; port: number }> {
  cluster.setupPrimary({ exec: file, args: [], execArgv: [], serialization: 'advanced' })
  const worker = cluster.fork()
  workers.push(worker)
  worker.on('error', () => {})
  prepare(worker)
  const [{ port }] = await once(worker, 'listening')
  return { worker, port }
}

/** The body of the answer on a connection of its own. */
const askAt = (port: number) =>
  new Promise<string>((resolve) => {
    const request = get({ host: '127.0.0.1', port, agent: false }, async (response) => {
      resolve(String((await response.toArray()).join('')))
    })
    request.on('error', ({ message }) => resolve(message))
  })

afterEach(async () => {
  for (const { process: child } of workers.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
})

test('node:cluster sends a connection, and gets the answer, in the messages that were checked', async () => {
  const sent: unknown[][] = []
  const answered: Record<string, unknown>[] = []
  const { worker, port } = await fork(({ process: child }) => {
    const send = child.send.bind(child)
    child.send = (...values: unknown[]) => {
      sent.push(values)
      return Reflect.apply(send, child, values)
    }
    child.on('internalMessage', (message) => answered.push(Object(message)))
  })
  expect(await askAt(port)).toBe(String(worker.process.pid))
  const connections = sent.filter(([message]) => Object(message).act === 'newconn')
  expect(connections, changed).toHaveLength(1)
  const [message, handle] = connections[0] ?? []
  expect(message, changed).toMatchObject({ cmd: 'NODE_CLUSTER', seq: expect.any(Number) })
  expect(Object(handle).close, changed).toBeTypeOf('function')
  const { seq } = Object(message)
  // The client can have its answer before the primary has that of the worker.
  const answers = () => answered.filter(({ ack }) => ack === seq)
  await expect.poll(answers, { timeout: 20_000, message: changed }).toHaveLength(1)
  expect(answers(), changed).toMatchObject([{ cmd: 'NODE_CLUSTER', accepted: true }])
})

test('a connection on its way to a worker that is killed is answered by another one', async () => {
  const save = (worker: Worker) => saveConnections(worker, () => true)
  const first = await fork(save)
  const second = await fork(save)
  const { process: stopped } = first.worker
  stopped.kill('SIGSTOP')
  // Each of the two workers gets one: the primary waits for the answer of the first before it sends another.
  const answers: string[] = []
  const asked = [1, 2].map(async () => answers.push(await askAt(first.port)))
  await expect.poll(() => answers.length, { timeout: 20_000 }).toBe(1)
  stopped.kill('SIGKILL')
  await expect.poll(() => answers.length, { timeout: 20_000, message: changed }).toBe(2)
  await Promise.all(asked)
  const other = String(second.worker.process.pid)
  expect(answers, changed).toEqual([other, other])
})
