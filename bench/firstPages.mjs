// The first pages of a fresh process: 100 flat pages at 50 connections, with and without a warm-up, in interleaved rounds.
//
//   node bench/firstPages.mjs [rounds]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { startSandbox } from '../packages/sandbox/dist/sandbox.js'

const rounds = Number(process.argv[2] ?? 5)
const [pages, connections, port] = [100, 50, 4_290]
const sandbox = await startSandbox()
const indexers = sandbox.indexers.map(({ chainId, url }) => `${chainId}=${url}`).join(',')
// What the sandbox makes for the first time takes it long.
const at = (key) => `${sandbox.indexers[1].url}/indexer/block/v1/blocks?pagination.limit=20&pagination.key=${key}`
for (let page = 0; page < pages * 2; page += 1) {
  await fetch(at(encodeURIComponent(Buffer.from(`{"height":${1_000 + 20 * page}}`).toString('base64')))).then((r) =>
    r.text(),
  )
}

/** Milliseconds of each of the first pages of a process, and from its start until it listens. */
async function measure(warmUpMs) {
  const env = {
    ...process.env,
    INDEXERS: indexers,
    ROUTER_URL: sandbox.routerUrl,
    PORT: String(port),
    WARM_UP_MS: String(warmUpMs),
  }
  const begin = performance.now()
  const child = spawn(process.execPath, ['--max-semi-space-size=64', 'dist/main.js'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for await (const line of createInterface({ input: child.stderr })) if (line.includes('listening')) break
  const startMs = performance.now() - begin
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times = []
  let next = 0
  const ask = (height) =>
    new Promise((resolve, reject) => {
      const query = `{ chain(chainId: "${sandbox.indexers[1].chainId}") { blocks(first: 20, filter: { }) { nodes { height } } b: block(height: ${height}) { height hash timestamp transactionCount } } }`
      const body = JSON.stringify({ query: query.replace(', filter: { }', '') })
      const begun = performance.now()
      const sent = request(
        { port, path: '/graphql', method: 'POST', agent, headers: { 'content-type': 'application/json' } },
        (response) => {
          response.resume()
          response.on('end', () => resolve(performance.now() - begun))
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  const work = async () => {
    while (next < pages) {
      next += 1
      times.push(await ask(1_000 + next))
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  agent.destroy()
  child.kill()
  await once(child, 'exit')
  times.sort((a, b) => a - b)
  return { startMs, p50: times[pages / 2], p99: times[pages - 2], most: times.at(-1) }
}

for (let round = 0; round < rounds; round += 1) {
  for (const warmUpMs of [0, 2_000]) {
    const { startMs, p50, p99, most } = await measure(warmUpMs)
    process.stdout.write(
      `warm-up ${warmUpMs} ms: listens after ${startMs.toFixed(0)} ms, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, most ${most.toFixed(0)} ms\n`,
    )
  }
}
await sandbox.close()
