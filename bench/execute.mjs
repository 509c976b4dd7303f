// node bench/execute.mjs: time from an operation to the JSON text of its result by graphql-js, graphql-jit and the compiled
// executor, in this process, with every upstream response in memory. Run it after `npx tsc -b`.
import { buildSchema, parse } from 'graphql'
import { compileQuery } from 'graphql-jit'
import { resolveLimits } from '../dist/engine/limits/limits.js'
import { createSigner } from '../dist/engine/signing/signer.js'
import { RequestScope } from '../dist/engine/upstream/requestScope.js'
import { Poller } from '../dist/engine/watch/poller.js'
import { jsonText } from '../dist/engine/wire/exactJson.js'
import { CacheStore } from '../dist/kit/cache/cache.js'
import { systemClock } from '../dist/kit/clock/clock.js'
import { createFairScheduler } from '../dist/kit/clock/fairScheduler.js'
import { schema } from '../dist/schema/schema.js'
import { createCompiledExecutor } from '../dist/server/operation/compiled/compiledExecutor.js'
import { createExecutor } from '../dist/server/operation/compiled/executor.js'
import { resultText } from '../dist/server/operation/result.js'
import { blockFields, scenarios } from './load/scenarios.mjs'
import { startUpstream } from './load/upstream.mjs'

const upstream = await startUpstream()
const responses = new Map()

/** Reads each response once. Later requests for it get the same record. */
const inMemory = (service) => ({
  service,
  async send({ method, target, body, read }) {
    const key = `${method} ${target} ${body}`
    if (!responses.has(key)) {
      const response = await fetch(upstream.url + target, { method, body })
      const text = await response.text()
      responses.set(key, response.ok ? read(JSON.parse(text), text) : null)
    }
    return responses.get(key)
  },
})

const chain = {
  chainId: 'bench-1',
  name: 'bench-1',
  prettyName: 'bench-1',
  vm: 'WASM',
  bech32Prefix: 'init',
  explorers: [],
  feeAssets: [],
  rpcUrls: [],
  restUrls: [],
  indexer: inMemory('bench-1'),
}
const cache = new CacheStore(systemClock)
const context = {
  network: {
    chains: new Map([['bench-1', chain]]),
    listed: new Map(),
    defaultChain: chain,
    router: inMemory('router'),
  },
  cache,
  poller: new Poller({ cache }),
  // Its mark: nothing here subscribes.
  feeds: undefined,
  limits: resolveLimits(),
  signer: createSigner(['a key of this benchmark, at least 32 bytes long']),
}
const graphqlJs = createExecutor(schema)
const compiled = createCompiledExecutor(schema)
const jit = new WeakMap()

/** The JSON text of the result of an operation, by each executor. None counts bytes, and none pauses. */
const executors = {
  'graphql-js': async (args) => jsonText(await graphqlJs.execute(args)),
  'graphql-jit': async ({ document, variables, context }) => {
    let query = jit.get(document)
    if (!query) {
      query = compileQuery(schema, document)
      jit.set(document, query)
    }
    return jsonText(await query.query(undefined, context, variables))
  },
  compiled: async (args) => resultText(await compiled.execute({ ...args, isText: true })),
}

const rounds = 7
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
const signal = new AbortController().signal

const prepare = (query, variables) => ({ document: parse(query), variables })
const runOn = (execute, { document, variables }) =>
  execute({
    ...{ document, operationName: undefined, variables },
    context: { ...context, scope: new RequestScope(signal, context) },
  })

async function microsOf(execute, operation, count) {
  const started = process.cpuUsage()
  for (let i = 0; i < count; i += 1) await runOn(execute, operation)
  const { user, system } = process.cpuUsage(started)
  return (user + system) / count
}

/** Median CPU time of each variant, in rounds that take turns. The first round warms up. */
async function compare(variants, count) {
  const micros = Object.fromEntries(Object.keys(variants).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { execute, operation }] of Object.entries(variants)) {
      const taken = await microsOf(execute, operation, count)
      if (round > 0) micros[name].push(taken)
    }
  }
  return Object.fromEntries(Object.entries(micros).map(([name, all]) => [name, median(all)]))
}

/** Prints the time of each, as a part of that of graphql-js. */
function print(title, medians) {
  const [first] = Object.values(medians)
  const columns = Object.entries(medians).map(
    ([name, micros]) => `${name} ${micros.toFixed(1)} µs (${(micros / first).toFixed(2)})`,
  )
  process.stdout.write(`${title.padEnd(8)}${columns.join('  ')}\n`)
}

for (const [title, count] of [
  ['greet', 20_000],
  ['flat', 1_000],
  ['nested', 200],
  ['status', 5_000],
]) {
  const { query, variables } = scenarios[title]
  const operation = prepare(query, variables(1, { block: () => undefined, tx: () => undefined }))
  const answers = []
  for (const execute of Object.values(executors)) answers.push(await runOn(execute, operation))
  const different = answers.find((answer) => answer !== answers[0])
  if (different !== undefined || answers[0].includes('"errors"'))
    throw new Error(`the results of ${title} differ or fail: ${answers.join('\n').slice(0, 2_000)}`)
  const variants = Object.entries(executors).map(([name, execute]) => [name, { execute, operation }])
  print(title, await compare(Object.fromEntries(variants), count))
}

// The price of the cursor of each edge.
const page = (edge) => prepare(`{ chain { blocks(first: 20) { edges { ${edge} } } } }`, {})
const node = `node { ${blockFields} }`
print(
  'edges',
  await compare(
    {
      node: { execute: executors.compiled, operation: page(node) },
      'cursor and node': { execute: executors.compiled, operation: page(`cursor ${node}`) },
    },
    1_000,
  ),
)

// A new document each time, as from clients that write values into it.
const fresh = (i) => prepare(scenarios.flat.query.replace('hash', `hash${i}: hash`), { after: undefined })
const ofNew = Object.fromEntries(Object.keys(executors).map((name) => [name, []]))
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, execute] of Object.entries(executors)) {
    const operations = Array.from({ length: 300 }, (_, i) => fresh(round * 1_000 + i))
    const started = process.cpuUsage()
    for (const operation of operations) await runOn(execute, operation)
    const { user, system } = process.cpuUsage(started)
    if (round > 0) ofNew[name].push((user + system) / operations.length)
  }
}
print('first', Object.fromEntries(Object.entries(ofNew).map(([name, all]) => [name, median(all)])))

// A list of many records at once: how long nothing else runs.
const many = buildSchema('type Row { id: ID!, name: String!, size: Int! } type Query { rows: [Row!]! }')
const rows = Array.from({ length: 200_000 }, (_, i) => ({ id: `${i}`, name: `row ${i}`, size: i }))
const document = parse('{ rows { id name size } }')
const compiledMany = createCompiledExecutor(many)
const jitMany = compileQuery(many, document)
const scheduler = createFairScheduler(systemClock)
const longestMs = async (run) => {
  let [longest, last] = [0, performance.now()]
  const look = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  await run()
  await new Promise((done) => setTimeout(done, 5))
  clearInterval(look)
  return longest
}
for (const [name, run] of [
  ['graphql-jit', () => jitMany.query({ rows }, {}, {})],
  [
    'compiled',
    () =>
      compiledMany.execute({
        ...{ document, variables: {}, context: {}, rootValue: { rows }, isText: true },
        work: scheduler.begin('a'),
      }),
  ],
])
  process.stdout.write(`${name}: ${(await longestMs(run)).toFixed(0)} ms without a pause\n`)
await upstream.close()
