// What a record costs the gateway from its upstream, and from Redis as a second level of the record cache: CPU time
// of the gateway, and time until the record is decoded. The upstream and Redis are processes of their own.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { Redis } from 'ioredis'
import { CacheStore } from '../dist/kit/cache/cache.js'
import { systemClock } from '../dist/kit/clock/clock.js'
import { startSandbox } from '../dist/sandbox/sandbox.js'
import { transactionsPage } from '../dist/schema/indexer/transaction/wire.js'
import { createUpstream } from '../dist/upstream/client.js'
import { createDispatcher } from '../dist/upstream/httpAgent.js'
import { readText } from '../dist/upstream/readResponse.js'
import { get } from '../dist/upstream/request.js'
import { startChild } from './children.mjs'
import { printTable, quantile } from './report.mjs'

const records = 4_000
/** Records that are asked for at once. */
const width = 32
const latencies = [0, 5, 20]

/** The upstream: answers each request with one text after some milliseconds. */
async function serve({ text, latencyMs }) {
  const server = createServer((_request, response) => {
    const answer = () => response.setHeader('content-type', 'application/json').end(text)
    if (latencyMs === 0) answer()
    else setTimeout(answer, latencyMs)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.on('disconnect', () => process.exit())
  process.send({ id: 0, value: { url: `http://127.0.0.1:${server.address().port}` } })
}

/** Reads all records, so many at once. Gives the CPU time of one, and times in milliseconds. */
async function measure(read) {
  let next = 0
  const times = []
  const before = process.cpuUsage()
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < records) {
        const index = next++
        const startedAt = performance.now()
        await read(index)
        times.push(performance.now() - startedAt)
      }
    }),
  )
  const { user, system } = process.cpuUsage(before)
  return [
    ((user + system) / records).toFixed(0),
    quantile(times, 0.5).toFixed(1),
    quantile(times, 0.99).toFixed(1),
  ]
}

async function startRedis() {
  const path = `/tmp/portolan-bench-${process.pid}.sock`
  const port = String(20_000 + (process.pid % 10_000))
  const args = ['--port', port, '--bind', '127.0.0.1', '--unixsocket', path, '--save', '']
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    if (String(chunk).includes('Ready to accept connections')) break
  }
  server.stdout.resume()
  return { client: new Redis(Number(port), '127.0.0.1'), stop: () => server.kill('SIGKILL') }
}

async function run() {
  const sandbox = await startSandbox()
  const [{ url }] = sandbox.indexers
  const text = await (await fetch(`${url}/indexer/tx/v1/txs?pagination.limit=1`)).text()
  await sandbox.close()
  const requestOf = (index) => get(`/indexer/tx/v1/txs/${index}`, transactionsPage)
  const rows = []
  const redis = await startRedis()
  const upstreams = []
  for (const latencyMs of latencies) {
    const child = await startChild(import.meta.filename, { text, latencyMs })
    const upstream = createUpstream({
      service: `after ${latencyMs} ms`,
      url: child.start.url,
      dispatcher: createDispatcher({}),
      clock: systemClock,
      cache: new CacheStore(systemClock),
    })
    upstreams.push({ latencyMs, child, upstream })
  }
  const fromRedis = async (index) => {
    const body = await redis.client.get(`record:${index}`)
    return body === null ? undefined : readText('bench', requestOf(index), body)
  }
  // The first round compiles the code.
  for (const round of ['warm', 'measured']) {
    rows.length = 0
    await redis.client.flushall()
    for (const { latencyMs, upstream } of upstreams) {
      const ask = (index) => upstream.send(requestOf(index), new AbortController().signal)
      rows.push([`upstream that takes ${latencyMs} ms`, ...(await measure(ask))])
    }
    const [{ upstream }] = upstreams
    const miss = async (index) => {
      await fromRedis(index)
      await upstream.send(requestOf(index), new AbortController().signal)
      redis.client.set(`record:${index}`, text, 'PX', 3_600_000)
    }
    rows.push(['Redis has it not, upstream of 0 ms, and a write', ...(await measure(miss))])
    rows.push(['Redis has it', ...(await measure(fromRedis))])
    if (round === 'measured') {
      const title = `${records} records of ${text.length} bytes, ${width} at once`
      printTable(title, ['', 'CPU µs', 'p50 ms', 'p99 ms'], rows)
    }
  }
  redis.stop()
  process.exit()
}

if (process.send) await serve(JSON.parse(process.argv[2]))
else await run()
