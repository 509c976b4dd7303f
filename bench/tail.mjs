// How long the slowest answers take, by the kind of page: the mixed load of an explorer before an upstream that takes its time.
//
//   node bench/tail.mjs [--connections 500] [--latency 20] [--rounds 3] [--seconds 8]
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { pinThisProcess, startContestant } from './load/processes.mjs'
import { startStandIn } from './load/standIn.mjs'
import { workloadsOf } from './load/workloads.mjs'
import { printTable, quantile } from './report.mjs'

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '500' },
    latency: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
  },
})
const [connections, latency, rounds, seconds] = ['connections', 'latency', 'rounds', 'seconds'].map((name) =>
  Number(values[name]),
)
const warmUpSeconds = 8

const kinds = [
  ['home', '{ chain { status'],
  ['block', 'block(height'],
  ['transaction', 'transaction(hash'],
  ['account', 'account('],
  ['transfer', ''],
]
const kindOf = (body) => kinds.find(([, mark]) => body.includes(mark))[0]

/** Milliseconds of each answer, by kind, of as many clients as there are connections, each of which asks again at once. */
async function measure(url, nextBody) {
  const pool = new Pool(new URL(url).origin, { connections })
  const headers = { 'content-type': 'application/json' }
  const times = Object.fromEntries([...kinds.map(([kind]) => [kind, []]), ['all', []]])
  const begin = performance.now() + warmUpSeconds * 1_000
  const end = begin + seconds * 1_000
  const work = async () => {
    while (performance.now() < end) {
      const body = nextBody()
      const sent = performance.now()
      const response = await pool.request({ path: '/graphql', method: 'POST', headers, body })
      const text = await response.body.text()
      if (text.includes('"errors"')) throw new Error(text)
      const took = performance.now() - sent
      if (sent < begin) continue
      times.all.push(took)
      times[kindOf(body)].push(took)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  await pool.close()
  return times
}

pinThisProcess()
const upstream = await startStandIn()
await upstream.delay(latency)
const stopBlocks = upstream.addBlocks(1_000)
const [workload] = workloadsOf('mixed')
for (let round = 1; round <= rounds; round += 1) {
  const contestant = await startContestant('portolan', upstream.url)
  const times = await measure(contestant.url, workload.bodies({}, upstream, round))
  await contestant.stop()
  const row = ([kind, all]) => {
    const [p50, p99] = [0.5, 0.99].map((share) => quantile(all, share))
    return [kind, all.length, p50.toFixed(0), p99.toFixed(0), (p99 / p50).toFixed(1)]
  }
  const title = `Node ${process.versions.node}, round ${round}: ${connections} connections, upstream ${latency} ms`
  printTable(title, ['page', 'answers', 'p50 ms', 'p99 ms', 'p99 / p50'], Object.entries(times).map(row))
}
stopBlocks()
upstream.close()
