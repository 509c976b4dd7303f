// What a fleet costs: subscribers over two gateways that share Redis, beside one gateway alone. The sandbox, each
// gateway and Redis are processes of their own; the subscribers are in this one.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { printTable, quantile } from './report.mjs'
import { saveFigures } from './results.mjs'
import { startRole } from './roles.mjs'

const { values } = parseArgs({
  options: {
    watchers: { type: 'string', default: '1000' },
    transfers: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
    save: { type: 'boolean', default: false },
  },
})
const [watchers, transfers, seconds] = ['watchers', 'transfers', 'seconds'].map((name) =>
  Number(values[name]),
)
const chainId = 'harbor-1'
/** Milliseconds after which a watcher that has seen no end is given up. */
const patience = 60_000

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A Redis without a disk, and its counters. */
async function startRedis() {
  const port = String(await freePort())
  const args = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    if (String(chunk).includes('Ready to accept connections')) break
  }
  server.stdout.resume()
  const counters = () => {
    const text = spawnSync('redis-cli', ['-p', port, 'info', 'all'], { encoding: 'utf8' }).stdout
    const of = (name) => Number(new RegExp(`^${name}:(.+)$`, 'm').exec(text)?.[1])
    return {
      commands: of('total_commands_processed'),
      bytes: of('total_net_input_bytes') + of('total_net_output_bytes'),
      cpuMicros: (of('used_cpu_user') + of('used_cpu_sys')) * 1e6,
      memory: of('used_memory'),
    }
  }
  return { url: `redis://127.0.0.1:${port}`, counters, stop: () => server.kill('SIGKILL') }
}

/** Subscribes on a socket of its own. `onEvent` gets the data of each event. Gives what ends it. */
function subscribe(url, query, onEvent) {
  const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 })
  const ended = new Promise((resolve) => {
    client.subscribe(
      { query },
      { next: ({ data }) => onEvent(data), error: resolve, complete: () => resolve(undefined) },
    )
  })
  return { ended, leave: () => client.dispose() }
}

const hashOf = (index, salt) =>
  `${createHash('sha256').update(`${salt}/${index}`).digest('hex').slice(0, 62)}0${index % 3}`

/** Watches transfers to their ends, on each gateway in turn. */
async function watchAll(urls, salt) {
  let events = 0
  const times = await Promise.all(
    Array.from({ length: watchers }, async (_, index) => {
      await sleep((index * 2_000) / watchers)
      const started = performance.now()
      const hash = hashOf(index % transfers, salt)
      const query = `subscription { transfer(chainId: "${chainId}", hash: "${hash}") { state hops { state } isTerminal } }`
      let isOver = false
      const { ended, leave } = subscribe(urls[index % urls.length], query, ({ transfer }) => {
        events += 1
        isOver = transfer.isTerminal
      })
      await Promise.race([ended, sleep(patience, undefined, { ref: false })])
      leave()
      return isOver ? performance.now() - started : undefined
    }),
  )
  const whole = times.filter((time) => time !== undefined)
  return { events, ended: whole.length, p99Seconds: quantile(whole, 0.99) / 1_000 }
}

/** Follows the heads of one chain for some seconds. */
async function followAll(urls) {
  let events = 0
  const query = `subscription { chainHeads(chainIds: ["${chainId}"]) { height } }`
  const all = Array.from({ length: watchers }, (_, index) =>
    subscribe(urls[index % urls.length], query, () => {
      events += 1
    }),
  )
  await sleep(5_000)
  return {
    /** Calls `measure` before and after some seconds of events. */
    async during(measure) {
      const [before, eventsBefore] = [await measure(), events]
      await sleep(seconds * 1_000)
      const after = await measure()
      for (const { leave } of all) leave()
      return { before, after, events: events - eventsBefore }
    },
  }
}

const cpuOf = async (gateways) => {
  const answers = await Promise.all(gateways.map((gateway) => gateway.ask()))
  return answers.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0)
}

/** Runs both loads on so many gateways. Gives the figures of one event, one watch and one poll. */
async function run(count, redis) {
  const sandbox = await startRole('sandbox')
  const options = {
    ...sandbox.start,
    redis: redis && { url: redis.url },
    maxWatchedPerClient: 10_000,
  }
  const gateways = await Promise.all(
    Array.from({ length: count }, () => startRole('gateway', options)),
  )
  const urls = gateways.map(({ start }) => start.url.replace('http', 'ws'))
  const measure = async () => ({
    cpuMicros: await cpuOf(gateways),
    upstream: { ...(await sandbox.ask()) },
    redis: redis?.counters(),
  })
  // Code that has run is compiled.
  await watchAll(urls, 'warm')
  const before = await measure()
  const watch = await watchAll(urls, 'watched')
  const after = await measure()
  const feed = await followAll(urls)
  const heads = await feed.during(measure)
  for (const gateway of gateways) gateway.stop()
  sandbox.stop()
  const polls = after.upstream.status - before.upstream.status
  const headPolls = heads.after.upstream.blocks - heads.before.upstream.blocks
  const redisPer = (one, other, times) =>
    redis && {
      redisCommands: (other.redis.commands - one.redis.commands) / times,
      redisBytes: (other.redis.bytes - one.redis.bytes) / times,
      redisCpuMicros: (other.redis.cpuMicros - one.redis.cpuMicros) / times,
    }
  return {
    gateways: count,
    ...{ transfers, watchers, ended: watch.ended, p99Seconds: watch.p99Seconds },
    pollsPerTransfer: polls / transfers,
    eventsPerWatch: watch.events / watchers,
    cpuMicrosPerWatch: (after.cpuMicros - before.cpuMicros) / watchers,
    perPoll: redisPer(before, after, polls),
    headPollsPerSecond: headPolls / seconds,
    cpuMicrosPerHeadEvent: (heads.after.cpuMicros - heads.before.cpuMicros) / heads.events,
    perHeadPoll: redisPer(heads.before, heads.after, headPolls),
  }
}

const redis = await startRedis()
const alone = await run(1)
const fleet = await run(2, redis)
redis.stop()
const row = (name, of) => [name, ...[alone, fleet].map((one) => of(one)?.toFixed(1) ?? '-')]
printTable(
  `${watchers} watchers of ${transfers} transfers, then of one chain`,
  ['', 'one gateway', 'two and Redis'],
  [
    row('watchers who saw the end', ({ ended }) => ended),
    row('time to the end p99, s', ({ p99Seconds }) => p99Seconds),
    row('polls for each transfer', ({ pollsPerTransfer }) => pollsPerTransfer),
    row('events for each watcher', ({ eventsPerWatch }) => eventsPerWatch),
    row('CPU µs for each watcher', ({ cpuMicrosPerWatch }) => cpuMicrosPerWatch),
    row('Redis commands for each poll', ({ perPoll }) => perPoll?.redisCommands),
    row('Redis bytes for each poll', ({ perPoll }) => perPoll?.redisBytes),
    row('Redis CPU µs for each poll', ({ perPoll }) => perPoll?.redisCpuMicros),
    row('polls of the head a second', ({ headPollsPerSecond }) => headPollsPerSecond),
    row('CPU µs for each head event', ({ cpuMicrosPerHeadEvent }) => cpuMicrosPerHeadEvent),
    row('Redis bytes for each head poll', ({ perHeadPoll }) => perHeadPoll?.redisBytes),
  ],
)
if (values.save) saveFigures('fleet', { alone, fleet })
process.exit(alone.ended === watchers && fleet.ended === watchers ? 0 : 1)
