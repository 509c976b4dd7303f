// npm run bench -- --workers: the mixed load on one process and on two workers, in turns.
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { heapFlags } from '../children.mjs'
import { printTable } from '../report.mjs'
import { median } from './table.mjs'
import { workloadsOf } from './workloads.mjs'

const fileOf = (path) => import.meta.resolve(path).slice('file://'.length)
const main = fileOf('../../dist/main.js')
const script = fileOf('./wrk.lua')

/** Seconds of load for each worker before anything is measured: each has a compiler and caches to warm up. */
const warmUpSeconds = 6

/** Bodies that are written down for a round, more than any machine sends in one. */
const bodyCount = 150_000

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

/** Starts the program as its users do. One process has the first core, or all of them; two workers have all. */
async function start({ workers, isPinned }, upstreamUrl) {
  const env = {
    ...{ INDEXERS: `bench-1=${upstreamUrl}`, ROUTER_URL: upstreamUrl, VM_KINDS: 'bench-1=wasm' },
    ...{ GRAPHIQL: 'false', SIGNING_KEYS: 'a key of this benchmark of at least 32 bytes' },
    // With a Redis, the workers share polls and budgets as several gateways do.
    ...(process.env.REDIS_URL && { REDIS_URL: process.env.REDIS_URL }),
  }
  const flags = [...heapFlags, main, '--port', '0', '--workers', String(workers)]
  const command = [...(isPinned ? ['taskset', '--cpu-list', '0'] : []), process.execPath, ...flags]
  const child = spawn(command[0], command.slice(1), { env, stdio: ['ignore', 'ignore', 'pipe'] })
  for await (const line of createInterface(child.stderr)) {
    const { msg, url } = JSON.parse(line)
    if (msg !== 'listening') continue
    child.stderr.resume()
    return { child, url }
  }
  throw new Error('The gateway does not start.')
}

const run = promisify(execFile)

/** Loads `url` with wrk, which leaves more of the cores to the gateway than a load generator in JavaScript. */
async function load(url, { bodies, first, connections, seconds }) {
  const flags = ['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`]
  const env = { BODIES: bodies, FIRST: String(first) }
  const { stdout } = await run('wrk', [...flags, '--script', script, url], { env })
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n{')))
}

/** Operations of a gateway that failed, by its own count. wrk hangs up on those that are open at its end. */
async function failuresOf(url) {
  const text = await (await fetch(new URL('/metrics', url))).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith('portolan_operations_total') && !/"(ok|CANCELLED)"/.test(line))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

async function round(contestant, upstream, { connections, seconds, bodies }) {
  const { child, url } = await start(contestant, upstream.url)
  const options = { bodies, connections }
  const warmUp = await load(url, {
    ...options,
    first: 0,
    seconds: warmUpSeconds * contestant.workers,
  })
  const before = cpuMicrosOf(child.pid)
  const result = await load(url, { ...options, first: warmUp.requests, seconds })
  const cpuMicros = cpuMicrosOf(child.pid) - before
  const failed = result.lost + (await failuresOf(url))
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exited
  return {
    ...result,
    failed,
    rate: result.requests / result.seconds,
    cpuMicros: cpuMicros / result.requests,
    /** How many cores it had, on average. */
    cores: cpuMicros / 1e6 / result.seconds,
  }
}

/** Writes the bodies of a round into a file, a line each, for as long as `use` takes. */
async function withBodies(upstream, seed, use) {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-bench-'))
  try {
    const [workload] = workloadsOf('mixed')
    const next = workload.bodies({}, upstream, seed)
    const bodies = join(folder, 'bodies')
    writeFileSync(bodies, Array.from({ length: bodyCount }, next).join('\n'))
    return await use(bodies)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const contestants = [
  { title: 'one process on one core', workers: 1, isPinned: true },
  { title: 'one process', workers: 1 },
  { title: 'two workers', workers: 2 },
]

/**
 * Compares one process with two workers. The load and the stand-in take turns with them on the same cores, so
 * besides the requests a second the table has what a request costs, and how many cores the gateway had.
 */
export async function compareWorkers(upstream, { rounds, connections, seconds }) {
  const results = contestants.map(() => [])
  const stopBlocks = upstream.addBlocks(1_000)
  for (let seed = 0; seed < rounds; seed += 1) {
    await withBodies(upstream, seed, async (bodies) => {
      for (const [index, contestant] of contestants.entries()) {
        const options = { connections, seconds, bodies }
        results[index].push(await round(contestant, upstream, options))
      }
    })
  }
  stopBlocks()
  const of = (index, key) => median(results[index].map((each) => each[key]))
  const row = ({ title }, index) => [
    title,
    of(index, 'rate').toFixed(0),
    of(index, 'p99').toFixed(0),
    of(index, 'cpuMicros').toFixed(0),
    of(index, 'cores').toFixed(2),
    String(results[index].reduce((sum, { failed }) => sum + failed, 0)),
  ]
  const titles = ['', 'requests/s', 'p99 ms', 'CPU µs', 'cores', 'failed']
  printTable('mixed, workers', titles, contestants.map(row))
  const rates = [0, 1].map((index) => (of(2, 'rate') / of(index, 'rate')).toFixed(2))
  const bound = ((2 * of(1, 'cpuMicros')) / of(2, 'cpuMicros')).toFixed(2)
  process.stdout.write(
    `\ntwo workers: ${rates[0]} times the requests of one process on one core, ${rates[1]} times those of one process here, and ${bound} times by CPU time on two cores of their own\n`,
  )
}
