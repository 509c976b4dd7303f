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
    'per-socket': { type: 'string', default: '1' },
    ramp: { type: 'string', default: '2' },
    outage: { type: 'string', default: '0' },
    save: { type: 'boolean', default: false },
  },
})
const names = ['watchers', 'transfers', 'seconds', 'per-socket', 'ramp', 'outage']
const [watchers, transfers, seconds, perSocket, ramp, outage] = names.map((name) => Number(values[name]))
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
  let server
  const start = async () => {
    server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
      if (String(chunk).includes('Ready to accept connections')) break
    }
    server.stdout.resume()
  }
  await start()
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
  const url = `redis://127.0.0.1:${port}`
  return { url, counters, start, stop: () => server.kill('SIGKILL') }
}

/** A client for each watcher, on the gateways in turn. So many of them share a socket. */
function openClients(urls) {
  const open = (url) => createClient({ url, webSocketImpl: WebSocket, retryAttempts: 20 })
  const clients = Array.from({ length: Math.ceil(watchers / perSocket) }, (_, index) => open(urls[index % urls.length]))
  return Array.from({ length: watchers }, (_, index) => clients[index % clients.length])
}

/** Closes clients. One that could not connect has nothing to close. */
const closeAll = (clients) => Promise.allSettled([...new Set(clients)].map(async (client) => client.dispose()))

/** Subscribes. `onEvent` gets the data of each event. Gives what ends it. */
function subscribe(client, query, onEvent) {
  let leave
  const ended = new Promise((resolve) => {
    leave = client.subscribe(
      { query },
      { next: ({ data }) => onEvent(data), error: resolve, complete: () => resolve(undefined) },
    )
  })
  return { ended, leave }
}

const hashOf = (index, salt) =>
  `${createHash('sha256').update(`${salt}/${index}`).digest('hex').slice(0, 62)}0${index % 3}`

/**
 * Watches transfers to their ends. The watchers come over so many seconds, those of one transfer one after the
 * other, at all gateways.
 */
async function watchAll(urls, salt, rampSeconds = ramp) {
  let events = 0
  const clients = openClients(urls)
  const times = await Promise.all(
    Array.from({ length: watchers }, async (_, index) => {
      await sleep((index * rampSeconds * 1_000) / watchers)
      const started = performance.now()
      const hash = hashOf(Math.floor((index * transfers) / watchers), salt)
      const query = `subscription { transfer(chainId: "${chainId}", hash: "${hash}") { state hops { state } isTerminal } }`
      let isOver = false
      const { ended, leave } = subscribe(clients[index], query, ({ transfer }) => {
        events += 1
        isOver = transfer.isTerminal
      })
      await Promise.race([ended, sleep(patience, undefined, { ref: false })])
      leave()
      return isOver ? performance.now() - started : undefined
    }),
  )
  await closeAll(clients)
  const whole = times.filter((time) => time !== undefined)
  return { events, ended: whole.length, p99Seconds: quantile(whole, 0.99) / 1_000 }
}

/** Follows the heads of one chain for some seconds. */
async function followAll(urls) {
  let events = 0
  const query = `subscription { chainHeads(chainIds: ["${chainId}"]) { height } }`
  const clients = openClients(urls)
  for (const client of clients) {
    subscribe(client, query, () => {
      events += 1
    })
  }
  await sleep(5_000)
  return {
    /** Calls `measure` before and after some seconds of events. */
    async during(measure) {
      const [before, eventsBefore] = [await measure(), events]
      await sleep(seconds * 1_000)
      const after = await measure()
      await closeAll(clients)
      return { before, after, events: events - eventsBefore }
    },
  }
}

const cpuOf = async (gateways) => {
  const answers = await Promise.all(gateways.map((gateway) => gateway.ask()))
  return answers.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0)
}

async function startGateways(count, redis) {
  const sandbox = await startRole('sandbox')
  const options = { ...sandbox.start, redis: redis && { url: redis.url } }
  const gateways = await Promise.all(Array.from({ length: count }, () => startRole('gateway', options)))
  return {
    ...{ sandbox, gateways },
    urls: gateways.map(({ start }) => start.url.replace('http', 'ws')),
    stop() {
      for (const gateway of gateways) gateway.stop()
      sandbox.stop()
    },
  }
}

/** Watches transfers at two gateways, while Redis is stopped for some seconds and started again. */
async function runOutage() {
  const redis = await startRedis()
  const { urls, gateways, stop } = await startGateways(2, redis)
  const watching = watchAll(urls, 'outage', outage + 15)
  await sleep(5_000)
  redis.stop()
  await sleep(outage * 1_000)
  await redis.start()
  const { ended, p99Seconds } = await watching
  const ups = await Promise.all(gateways.map(async ({ start }) => (await fetch(new URL('/ready', start.url))).json()))
  redis.stop()
  stop()
  const states = ups.map(({ fleet }) => fleet.status)
  const title = `${watchers} watchers of ${transfers} transfers, Redis stopped for ${outage} s`
  const rows = [
    ['watchers who saw the end', ended],
    ['time to the end p99, s', p99Seconds.toFixed(1)],
    ['Redis at the end', states.join(', ')],
  ]
  printTable(title, ['', ''], rows)
  return ended === watchers && states.every((state) => state === 'up')
}

/** Runs both loads on so many gateways. Gives the figures of one event, one watch and one poll. */
async function run(count, redis) {
  const { sandbox, gateways, urls, stop } = await startGateways(count, redis)
  const measure = async () => ({
    cpuMicros: await cpuOf(gateways),
    upstream: { ...(await sandbox.ask()) },
    redis: redis?.counters(),
  })
  // Code that has run is compiled. In a long run, its beginning does that.
  if (ramp <= 2) await watchAll(urls, 'warm')
  const before = await measure()
  const watch = await watchAll(urls, 'watched')
  const after = await measure()
  const feed = await followAll(urls)
  const heads = await feed.during(measure)
  stop()
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

if (outage > 0) process.exit((await runOutage()) ? 0 : 1)

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
const pollRatio = fleet.pollsPerTransfer / alone.pollsPerTransfer
const isSame = Math.abs(pollRatio - 1) <= 0.1
process.stdout.write(`\npolls of transfers: ${pollRatio.toFixed(2)} of one gateway's\n`)
process.exit(alone.ended === watchers && fleet.ended === watchers && isSame ? 0 : 1)
