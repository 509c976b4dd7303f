// The first pages of a fresh process: 100 flat pages at 50 connections, with and without a warm-up, in interleaved rounds.
// Other built checkouts take part as they are by default.
//
//   node bench/firstPages.mjs [rounds] [checkout ...]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { readCursors } from './load/contestants/portolan.mjs'
import { scenarios } from './load/scenarios.mjs'
import { startStandIn } from './load/standIn.mjs'
import { median } from './load/table.mjs'

const [, , rounds = 5, ...checkouts] = process.argv
const [pages, connections, port] = [100, 50, 4_290]
const upstream = await startStandIn()
const cursors = await readCursors(upstream.url)
const env = {
  ...process.env,
  INDEXERS: `bench-1=${upstream.url}`,
  VM_KINDS: 'bench-1=wasm',
  ROUTER_URL: upstream.url,
  SIGNING_KEYS: 'a key of this benchmark with at least 32 bytes',
  PORT: String(port),
}

/** Posts a body, and gives the milliseconds until its answer is there. */
const post = (body, agent) =>
  new Promise((resolve, reject) => {
    const begin = performance.now()
    const headers = { 'content-type': 'application/json' }
    const sent = request({ port, path: '/graphql', method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(performance.now() - begin))
    })
    sent.on('error', reject)
    sent.end(body)
  })

/** Milliseconds of the first pages of a process, and from its start until it listens. */
async function measure({ folder, env: own }) {
  const begin = performance.now()
  const child = spawn(process.execPath, ['--max-semi-space-size=64', 'dist/main.js'], {
    cwd: folder,
    env: { ...env, ...own },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  for await (const line of createInterface({ input: child.stderr })) if (line.includes('listening')) break
  const listens = performance.now() - begin
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times = []
  let next = 0
  const work = async () => {
    while (next < pages) {
      next += 1
      const { query, variables } = scenarios.flat
      times.push(await post(JSON.stringify({ query, variables: variables(next, cursors) }), agent))
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  agent.destroy()
  child.kill()
  await once(child, 'exit')
  times.sort((a, b) => a - b)
  return { listens, p50: times[pages / 2], p99: times[pages - 2] }
}

const contestants = [
  { name: 'no warm-up', folder: '.', env: { WARM_UP_MS: '0' } },
  { name: 'the usual warm-up', folder: '.' },
  ...checkouts.map((folder) => ({ name: folder, folder })),
].map((contestant) => ({ ...contestant, results: [] }))
for (let round = 0; round < Number(rounds); round += 1) {
  for (const contestant of contestants) contestant.results.push(await measure(contestant))
}
for (const { name, results } of contestants) {
  const of = (figure) => median(results.map((each) => each[figure])).toFixed(0)
  const figures = `listens after ${of('listens')} ms, p50 ${of('p50')} ms, p99 ${of('p99')} ms`
  process.stdout.write(`${name}, median of ${rounds}: ${figures}\n`)
}
upstream.close()
