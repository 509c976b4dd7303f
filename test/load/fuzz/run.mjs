// npm run fuzz: random documents over upstreams whose bodies are changed at random. What must hold: the event loop
// never stands still for long, every error has a known code, and an honest query is answered afterwards.
import { parseArgs } from 'node:util'
import { heapFlags, startChild } from '../../../bench/children.mjs'
import { schema } from '../../../dist/schema/schema.js'
import { startSandbox } from '../../../packages/sandbox/dist/sandbox.js'
import { randomFault } from './bodies.mjs'
import { createChance } from './chance.mjs'
import { createDocuments } from './documents.mjs'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    // A fixed number of rounds, and no bound of time: the same on a slow machine.
    rounds: { type: 'string' },
  },
})
const seed = Number(values.seed)
const rounds = values.rounds === undefined ? Number.POSITIVE_INFINITY : Number(values.rounds)
const end = performance.now() + Number(values.minutes) * 60_000
const stillMs = 250
const perRound = 12

const codes = new Set([
  ...['BAD_USER_INPUT', 'UPSTREAM_TIMEOUT', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_REJECTED'],
  ...['UPSTREAM_INVALID_RESPONSE', 'NOT_CONFIGURED', 'QUERY_TOO_COMPLEX', 'RATE_LIMITED'],
  ...['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED'],
])

const sandbox = await startSandbox({})
const gateway = await startChild(
  new URL('../gateway.mjs', import.meta.url),
  {
    chains: sandbox.indexers,
    router: { url: sandbox.routerUrl },
    limits: { timeoutMs: 3_000, cacheTtlMs: 200 },
    rateLimit: null,
  },
  { execArgv: ['--expose-gc', ...heapFlags] },
)
const { url } = gateway.start
const services = [...sandbox.indexers.map(({ chainId }) => chainId), 'router']
const chance = createChance(seed)
const randomDocument = createDocuments(schema, chance)
const found = new Map()

/** How often each code was answered, and how often none. */
const answered = new Map()
const tally = (code) => answered.set(code, (answered.get(code) ?? 0) + 1)

const report = (kind, detail) => {
  const key = `${kind}: ${detail.slice(0, 120)}`
  if (!found.has(key)) process.stdout.write(`${key}\n`)
  found.set(key, (found.get(key) ?? 0) + 1)
}

async function ask(query) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
    signal: AbortSignal.timeout(20_000),
  })
  return response.json()
}

async function check(query) {
  try {
    const { data, errors = [] } = await ask(query)
    for (const code of errors.length > 0 ? new Set(errors.map((error) => error.extensions?.code)) : ['ok']) tally(code)
    for (const { message, path = [], extensions } of errors) {
      if (!codes.has(extensions?.code)) report(`code ${extensions?.code}`, `${path.join('.')}: ${message} ${query}`)
    }
    if (data === undefined && errors.length === 0) report('no answer', query)
  } catch (error) {
    report('lost', `${error.message} ${query}`)
  }
}

let count = 0
let longest = 0
for (let round = 0; round < rounds && performance.now() < end; round += 1) {
  sandbox.faults.clear()
  for (const service of services) {
    const fault = randomFault(chance)
    if (fault) sandbox.faults.set(service, '/', fault)
  }
  const documents = Array.from({ length: perRound }, randomDocument)
  await gateway.ask('begin')
  await Promise.all(documents.map(check))
  count += documents.length
  const watched = await gateway.ask('end').catch(() => undefined)
  if (!watched) {
    report('the process ended', `round ${round}`)
    break
  }
  longest = Math.max(longest, watched.stillMs)
  if (watched.unhandled > 0) report('unhandled rejection', `round ${round}`)
  if (values.rounds === undefined && watched.stillMs > stillMs) {
    report('event loop', `${Math.round(watched.stillMs)} ms in round ${round}: ${documents.join(' | ')}`)
  }
}

sandbox.faults.clear()
// A service that failed is asked again after some seconds.
let isWell = false
for (let attempt = 0; attempt < 60 && !isWell && gateway.exitCode === undefined; attempt += 1) {
  const answer = await ask(
    '{ chains { chainId latestBlock { height } } routableChains(first: 1) { nodes { chainId } } }',
  )
  isWell = answer.errors === undefined
  if (!isWell) await new Promise((resolve) => setTimeout(resolve, 500))
}
if (!isWell) report('not well afterwards', 'an honest query has errors')
process.stdout.write(`${[...answered].map(([code, times]) => `${code} ${times}`).join(', ')}\n`)
process.stdout.write(
  `seed ${seed}: ${count} documents, loop still for ${Math.round(longest)} ms at most, ${found.size} kinds of fault\n`,
)
await gateway.stop()
await sandbox.close()
process.exit(found.size > 0 ? 1 : 0)
