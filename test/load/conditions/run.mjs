// npm run conditions: a gateway whose date jumps, and one whose upstreams are at the end of a bad line.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { startChild } from '../../../bench/children.mjs'
import { printTable } from '../../../bench/report.mjs'
import { startSandbox } from '../../../packages/sandbox/dist/sandbox.js'
import { openLink } from './link.mjs'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '90' } } })
const seconds = Number(values.seconds)
const chainIds = ['harbor-1', 'galley-1', 'lantern-1']
/** The last two digits choose how the sandbox lets a transfer end. These all end by themselves within a minute. */
const endings = ['00', '01', '02', 'e0', 'e1', 'e4', 'e5', 'e8']
const transfers = 80
const hour = 3_600_000
/** Seconds that a gateway has to close what nobody uses any more. */
const restSeconds = 20

let state = 1
/** A number from 0 up to 1, of a sequence that is the same in each run. */
function random() {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

/** Opens a WebSocket with one subscription. Gives what it was told. */
function subscribe(url, query, variables) {
  const seen = { events: [], errors: [], isComplete: false, close: () => socket.close(1_000) }
  const socket = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws', { perMessageDeflate: false })
  const send = (message) => socket.send(JSON.stringify(message))
  const onMessage = {
    connection_ack: () => send({ id: '1', type: 'subscribe', payload: { query, variables } }),
    ping: () => send({ type: 'pong' }),
    next({ payload }) {
      if (payload.errors) seen.errors.push(payload.errors[0].message)
      if (payload.data) seen.events.push(payload.data)
    },
    error: ({ payload }) => seen.errors.push(payload[0].message),
    complete() {
      seen.isComplete = true
    },
  }
  socket.on('open', () => send({ type: 'connection_init' }))
  socket.on('message', (data) => {
    const message = JSON.parse(data)
    onMessage[message.type]?.(message)
  })
  socket.on('error', (error) => seen.errors.push(error.message))
  return seen
}

const followBlocks = (url, chainId) =>
  subscribe(
    url,
    `subscription ($chainId: ChainId!) {
      blocks(chainId: $chainId) {
        notice { kind message firstMissingHeight lastMissingHeight }
        node { height }
      }
    }`,
    { chainId },
  )

const followTransfer = (url, number) =>
  subscribe(url, 'subscription ($hash: String!) { transfer(chainId: "harbor-1", hash: $hash) { state isTerminal } }', {
    hash: createHash('sha256').update(`odd/${number}`).digest('hex').slice(0, 62) + endings[number % endings.length],
  })

/** The heights from the first to the last of a notice. None if it is of another kind than `MISSING`. */
function missingIn({ kind, firstMissingHeight, lastMissingHeight }) {
  if (kind !== 'MISSING') return []
  const first = Number(firstMissingHeight)
  return Array.from({ length: Number(lastMissingHeight) - first + 1 }, (_, i) => first + i)
}

/** Heights of which no event came between the first and the last, and those that came twice or too late. */
function faultsOf(heights) {
  const [first = 0] = heights
  const untold = heights.length === 0 ? 1 : heights.at(-1) - first + 1 - new Set(heights).size
  const unordered = heights.filter((height, i) => i > 0 && height <= heights[i - 1]).length
  return { untold, unordered }
}

/** How many heights were called missing that the indexer has. The sandbox lacks one in a thousand of `lantern-1`. */
async function countWronglyMissing({ url }, notices) {
  const requests = notices.flatMap(missingIn).map((height) => fetch(`${url}/indexer/block/v1/blocks/${height}`))
  return (await Promise.all(requests)).filter(({ status }) => status !== 404).length
}

/** Runs one world for some seconds. `trouble` makes it odd; what it gives ends that. Gives a row of the table. */
async function runWorld(title, { link, trouble }) {
  const sandbox = await startSandbox()
  const links = []
  const reach = async (target) => {
    if (!link) return target
    const opened = await openLink(Number(new URL(target).port), { ...link, random })
    links.push(opened)
    return `http://127.0.0.1:${opened.port}`
  }
  const chains = await Promise.all(sandbox.indexers.map(async (one) => ({ ...one, url: await reach(one.url) })))
  const options = { chains, router: { url: await reach(sandbox.routerUrl) }, graphiql: false }
  const gateway = await startChild(new URL('../gateway.mjs', import.meta.url).pathname, options, {
    execArgv: ['--expose-gc'],
  })
  const { url } = gateway.start
  await gateway.ask('begin')
  const forgetRequests = setInterval(() => {
    sandbox.requests.length = 0
  }, 500)
  const blocks = chainIds.map((chainId) => followBlocks(url, chainId))
  const watched = Array.from({ length: transfers }, (_, number) => followTransfer(url, number))
  const half = (seconds * 1_000) / 2
  const course = trouble?.(gateway)
  await sleep(half)
  const open = (await gateway.ask('memory')).sockets
  await Promise.all([course, sleep(half)])
  for (const subscription of [...blocks, ...watched]) subscription.close()
  await sleep(restSeconds * 1_000)
  const left = await gateway.ask('memory')
  const metrics = await (await fetch(new URL('/metrics', url))).text()
  const metric = (name) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1])
  const { unhandled, logged } = await gateway.ask('end')
  clearInterval(forgetRequests)
  await gateway.stop()
  for (const opened of links) opened.close()
  const feeds = blocks.map(({ events }) => {
    const notices = events.flatMap(({ blocks: { notice } }) => notice ?? [])
    const heights = events.flatMap(({ blocks: { node, notice } }) => (node ? Number(node.height) : missingIn(notice)))
    return { notices, ...faultsOf(heights), sent: events.length - notices.length }
  })
  const wronglyMissing = await Promise.all(
    feeds.map(({ notices }, i) => countWronglyMissing(sandbox.indexers[i], notices)),
  )
  await sandbox.close()

  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0)
  const ends = watched.map(({ events }) => events.filter((event) => event.transfer.isTerminal).length)
  const bounds = {
    'blocks that no event told of': sum(feeds.map(({ untold }) => untold)),
    'blocks called missing that the indexer has': sum(wronglyMissing),
    'blocks twice or late': sum(feeds.map(({ unordered }) => unordered)),
    'ends lost': ends.filter((count) => count === 0).length,
    'ends twice': ends.filter((count) => count > 1).length,
    'not completed': watched.filter(({ isComplete }) => !isComplete).length,
    errors: sum([...blocks, ...watched].map(({ errors }) => errors.length)),
    'polls and feeds left': metric('portolan_polls') + metric('portolan_feeds') + metric('portolan_subscriptions'),
    unhandled,
  }
  const figures = {
    blocks: sum(feeds.map(({ sent }) => sent)),
    notices: sum(feeds.map(({ notices }) => notices.length)),
    'sockets halfway and at the end': `${open}, ${left.sockets}`,
    'warnings logged': logged,
  }
  printTable(title, ['what', 'count'], Object.entries({ ...figures, ...bounds }))
  for (const { message } of feeds.flatMap(({ notices }) => notices)) process.stdout.write(`${message}\n`)
  for (const { errors } of [...blocks, ...watched]) for (const error of errors) process.stdout.write(`${error}\n`)
  return Object.values(bounds).every((count) => count === 0)
}

/** A laptop that sleeps and wakes, or whose date is set: forward by an hour, and back, and further back, and to where it was. */
async function jump(gateway) {
  for (const shift of [hour, 0, -hour, 0]) {
    await sleep((seconds * 1_000) / 5)
    await gateway.ask('shiftDate', shift)
  }
}

const badLine = { delayMs: 80, jitterMs: 120, lostShare: 0.05, resendMs: 400, resetShare: 0.01 }
const held = [
  await runWorld('a date that jumps by an hour', { trouble: jump }),
  await runWorld('a line that delays, loses and resets', { link: badLine }),
]
process.exit(held.every(Boolean) ? 0 : 1)
