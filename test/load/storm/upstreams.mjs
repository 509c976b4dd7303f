// The sandbox behind proxies that replace a share of the answers by faults.
import { Agent, createServer, request as httpRequest } from 'node:http'
import { childOptions, serveParent } from '../../../bench/children.mjs'
import { startSandbox } from '../../../packages/sandbox/dist/sandbox.js'
import { faults } from './faults.mjs'

const { share, seed } = childOptions()
const kinds = Object.entries(faults)
const counts = Object.fromEntries(kinds.map(([name]) => [name, 0]))
const agent = new Agent({ keepAlive: true })
let total = 0
let isCalm = false
/** What became of each look at a transfer, by its hash: when it came, and the fault if there was one. */
const looks = new Map()

let state = seed
/** A number from 0 up to 1, of a sequence that the seed determines. */
function random() {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

function forward(origin, request, response) {
  const { pathname, search } = new URL(request.url, origin)
  const upstream = httpRequest(
    new URL(pathname + search, origin),
    { method: request.method, headers: request.headers, agent },
    (answer) => {
      response.writeHead(answer.statusCode, answer.headers)
      answer.pipe(response)
    },
  )
  upstream.on('error', () => response.destroy())
  response.on('close', () => upstream.destroy())
  request.pipe(upstream)
}

/** A proxy on a free port. Gives its URL. */
async function startProxy(origin) {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    total += 1
    const isWhole = isCalm || random() >= share
    const [name, fault] = isWhole ? [''] : kinds[Math.floor(random() * kinds.length)]
    const hash = /tx_hash=(\w+)/.exec(request.url)?.[1].toLowerCase()
    if (hash) looks.set(hash, [...(looks.get(hash) ?? []).slice(-30), { at: Date.now(), name }])
    if (isWhole) return forward(origin, request, response)
    counts[name] += 1
    if (fault.pass) return setTimeout(() => forward(origin, request, response), fault.pass)
    request.resume()
    request.socket.on('error', () => {})
    fault(request.socket)
  })
  server.on('clientError', (_, socket) => socket.destroy())
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${server.address().port}`
}

const sandbox = await startSandbox()
// The log of requests is not read.
setInterval(() => {
  sandbox.requests.length = 0
}, 200)

/** When the router first said that a transfer has ended, in milliseconds since 1970, by its hash. */
const endedAt = {}
const isTerminal = ({ status, state }) =>
  /^STATE_(COMPLETED|FAILED)/.test(status ?? '') || /^STATE_COMPLETED/.test(state ?? '')

/** Asks the router itself for the end of each transfer, as long as it has none. */
async function lookForEnds(chainId, hashes) {
  for (const hash of hashes.filter((hash) => endedAt[hash] === undefined)) {
    const target = `/v2/tx/status?chain_id=${chainId}&tx_hash=${hash}`
    const response = await fetch(sandbox.routerUrl + target).catch(() => undefined)
    const body = await response?.json().catch(() => undefined)
    if (response?.status === 200 && body && isTerminal(body)) endedAt[hash] = Date.now()
  }
}

serveParent(
  {
    indexers: await Promise.all(
      sandbox.indexers.map(async (indexer) => ({
        ...indexer,
        url: await startProxy(indexer.url),
      })),
    ),
    routerUrl: await startProxy(sandbox.routerUrl),
  },
  {
    lookForEnds: ({ chainId, hashes }) => lookForEnds(chainId, hashes),
    /** No more faults. */
    calm() {
      isCalm = true
    },
    report: () => ({ total, counts, endedAt }),
    looksAt: (hash) => looks.get(hash) ?? [],
  },
)
