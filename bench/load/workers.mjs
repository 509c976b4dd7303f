// npm run bench -- --workers: the mixed load on one process and on two workers, in turns.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { printTable } from '../report.mjs'
import { load } from './measure.mjs'
import { median } from './table.mjs'
import { workloadsOf } from './workloads.mjs'

const main = import.meta.resolve('../../dist/main.js').slice('file://'.length)

/**
 * Requests to each worker before anything is measured, and those that are. Each process has a compiler and
 * caches of its own to warm up.
 */
const requestsOfOne = 10_000

/** Ticks a second of the times that the kernel gives. */
const ticks = 100

/** Microseconds of CPU that a process and its children have used so far, by the kernel's count. */
function cpuMicrosOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  const own = ((Number(fields[11]) + Number(fields[12])) / ticks) * 1e6
  return children
    .split(' ')
    .filter(Boolean)
    .map(cpuMicrosOf)
    .reduce((a, b) => a + b, own)
}

/** Starts the program as its users do. It may use all cores. */
async function start(workers, upstreamUrl) {
  const env = {
    ...{ INDEXERS: `bench-1=${upstreamUrl}`, ROUTER_URL: upstreamUrl, VM_KINDS: 'bench-1=wasm' },
    ...{ GRAPHIQL: 'false', SIGNING_KEYS: 'a key of this benchmark of at least 32 bytes' },
  }
  const flags = ['--max-semi-space-size=32', main, '--port', '0', '--workers', String(workers)]
  const child = spawn(process.execPath, flags, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  for await (const line of createInterface(child.stderr)) {
    const { msg, url } = JSON.parse(line)
    if (msg !== 'listening') continue
    child.stderr.resume()
    return { child, url }
  }
  throw new Error('The gateway does not start.')
}

async function round(workers, upstream, { connections, seed }) {
  const { child, url } = await start(workers, upstream.url)
  const [workload] = workloadsOf('mixed')
  const requests = requestsOfOne * workers
  const options = { nextBody: workload.bodies({}, upstream, seed), connections }
  await load(url, { ...options, amount: requests })
  const before = cpuMicrosOf(child.pid)
  const startedAt = performance.now()
  const result = await load(url, { ...options, amount: requests })
  const cpuMicros = cpuMicrosOf(child.pid) - before
  const takenMs = performance.now() - startedAt
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exited
  return {
    rate: requests / (takenMs / 1000),
    p99: result.latency.p99,
    cpuMicros: cpuMicros / requests,
    /** How many cores it had, on average. */
    cores: cpuMicros / 1000 / takenMs,
    failed: result.errors + result.non2xx + result.mismatches,
  }
}

/**
 * Compares one process with two workers. The load and the stand-in take turns with them on the same cores, so
 * besides the requests a second the table has what a request costs, and how many cores the gateway had.
 */
export async function compareWorkers(upstream, { rounds, connections }) {
  const counts = [1, 2]
  const results = new Map(counts.map((count) => [count, []]))
  const stopBlocks = upstream.addBlocks(1_000)
  for (let seed = 0; seed < rounds; seed += 1) {
    for (const count of counts) {
      results.get(count).push(await round(count, upstream, { connections, seed }))
    }
  }
  stopBlocks()
  const of = (count, key) => median(results.get(count).map((each) => each[key]))
  const row = (count) => [
    String(count),
    of(count, 'rate').toFixed(0),
    of(count, 'p99').toFixed(0),
    of(count, 'cpuMicros').toFixed(0),
    of(count, 'cores').toFixed(2),
    String(results.get(count).reduce((sum, { failed }) => sum + failed, 0)),
  ]
  const titles = ['workers', 'requests/s', 'p99 ms', 'CPU µs', 'cores', 'failed']
  printTable('mixed, workers', titles, counts.map(row))
  const rate = of(2, 'rate') / of(1, 'rate')
  const bound = (2 * of(1, 'cpuMicros')) / of(2, 'cpuMicros')
  process.stdout.write(
    `\ntwo workers: ${rate.toFixed(2)} times the requests of one process here, and ${bound.toFixed(2)} times by CPU time on two cores of their own\n`,
  )
}
