// What it costs to watch transfers to their end: as subscribers of the gateway, which shares one poll
// among all who watch a transfer, and as pollers of the router, as its own client is. The sandbox, the
// gateway and the watchers are processes of their own.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import { Agent, request } from 'undici'
import { WebSocket } from 'ws'
import { printTable, quantile, ratio } from './report.mjs'
import { startRole } from './roles.mjs'

const watchers = 2_000
const transfers = 200
const chainId = 'harbor-1'
const pollEvery = 1_000
/** Milliseconds after which a watcher that has seen no end is given up. */
const patience = 60_000

// The last two digits of a hash choose how the sandbox lets its transfer end: arrived in one to three
// hops, refunded, stranded, two in one, behind a rate limit, and behind a router that fails.
const endings = ['00', '01', '02', '00', '01', '02', 'e0', 'e1', 'e5', 'ec', 'ed']

/** The hash of a transfer; another salt gives other transfers. */
const hashOf = (index, salt) =>
  createHash('sha256').update(`${salt}/${index}`).digest('hex').slice(0, 62) + endings[index % endings.length]

const document = /* GraphQL */ `
  subscription Watch($chainId: ChainId!, $txHash: String!) {
    transfer(chainId: $chainId, hash: $txHash) {
      state
      outcome
      isTerminal
      hops { state }
    }
  }
`

/** Subscribes on a socket of its own; resolves with the milliseconds to the end, undefined when it never came. */
function subscribe(url, txHash) {
  const started = performance.now()
  const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 })
  let isOver = false
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(undefined), patience)
    const finish = (value) => {
      clearTimeout(timer)
      resolve(value)
      client.dispose()
    }
    client.subscribe(
      { query: document, variables: { chainId, txHash } },
      {
        next: ({ data }) => {
          isOver = data?.transfer.isTerminal ?? false
        },
        error: () => finish(undefined),
        complete: () => finish(isOver ? performance.now() - started : undefined),
      },
    )
  })
}

/** Tracks, then asks for the status each second; resolves like `subscribe`. */
async function poll(url, dispatcher, txHash) {
  const started = performance.now()
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ tx_hash: txHash, chain_id: chainId })
  const tracked = await request(`${url}/v2/tx/track`, { dispatcher, ...post, body })
  await tracked.body.dump()
  while (performance.now() - started < patience) {
    const target = `${url}/v2/tx/status?chain_id=${chainId}&tx_hash=${txHash}`
    const { statusCode, body: answer } = await request(target, { dispatcher })
    const text = await answer.text()
    if (statusCode === 200 && JSON.parse(text).status === 'STATE_COMPLETED') {
      return performance.now() - started
    }
    await sleep(pollEvery)
  }
}

/** Starts all watchers, spread over one second, and waits for the last of them. */
async function watchAll(watch, salt) {
  const before = await sandbox.ask()
  const started = performance.now()
  const ends = await Promise.all(
    Array.from({ length: watchers }, async (_, index) => {
      await sleep((index * 1_000) / watchers)
      return watch(hashOf(index % transfers, salt))
    }),
  )
  const seconds = (performance.now() - started) / 1_000
  const after = await sandbox.ask()
  const times = ends.filter((time) => time !== undefined)
  return {
    ended: times.length,
    status: after.status - before.status,
    perSecond: (after.status - before.status) / seconds,
    track: after.track - before.track,
    p50: quantile(times, 0.5) / 1_000,
    p99: quantile(times, 0.99) / 1_000,
  }
}

const sandbox = await startRole('sandbox')
const gateway = await startRole('gateway', sandbox.start)
const socketUrl = gateway.start.url.replace('http', 'ws')
const dispatcher = new Agent({ connections: 128 })

// Code that has run once is no longer to be compiled, and is not the subscribers' memory.
await Promise.all(Array.from({ length: 50 }, (_, index) => subscribe(socketUrl, hashOf(index, 'warm'))))

const idle = await gateway.ask()
const subscribed = watchAll((txHash) => subscribe(socketUrl, txHash), 'subscribed')
await sleep(4_000)
const busy = await gateway.ask()
const graph = await subscribed
const rest = await watchAll((txHash) => poll(sandbox.start.routerUrl, dispatcher, txHash), 'polled')

const row = (name, of, digits = 0) => {
  const [one, other] = [of(graph), of(rest)]
  return [name, one.toFixed(digits), other.toFixed(digits), ratio(other, one)]
}
printTable(
  `${watchers} watchers of ${transfers} transfers`,
  ['', 'gateway', 'REST', 'REST / gateway'],
  [
    row('watchers who saw the end', ({ ended }) => ended),
    row('status calls the router got', ({ status }) => status),
    row('status calls a second', ({ perSecond }) => perSecond),
    row('track calls the router got', ({ track }) => track),
    row('time to the end p50, s', ({ p50 }) => p50, 1),
    row('time to the end p99, s', ({ p99 }) => p99, 1),
  ],
)
const kilobytes = (name) => ((busy[name] - idle[name]) / watchers / 1024).toFixed(1)
printTable(
  'memory of the gateway',
  ['', 'resident', 'heap after collection'],
  [
    ['idle, MB', ...['rss', 'heap'].map((name) => (idle[name] / 1024 ** 2).toFixed(0))],
    ['with all subscribers, MB', ...['rss', 'heap'].map((name) => (busy[name] / 1024 ** 2).toFixed(0))],
    ['per subscriber, kB', kilobytes('rss'), kilobytes('heap')],
  ],
)

await dispatcher.destroy()
gateway.stop()
sandbox.stop()
process.exit(graph.ended === watchers ? 0 : 1)
