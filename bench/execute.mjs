// node bench/execute.mjs: time of the compiled executor and of graphql-js for one operation, in this
// process, with every upstream response in memory. Run it after `npx tsc`.
import { parse } from 'graphql'
import { resolveLimits } from '../dist/config/limits/limits.js'
import { createMemoryCacheStore } from '../dist/kit/cache/cache.js'
import { systemClock } from '../dist/kit/clock/clock.js'
import { schema } from '../dist/schema/schema.js'
import { createCompiledExecutor } from '../dist/server/execution/compiled/compiledExecutor.js'
import { createExecutor } from '../dist/server/execution/compiled/executor.js'
import { createSigner } from '../dist/signing/signer.js'
import { createRequestScope } from '../dist/upstream/requestScope.js'
import { createPoller } from '../dist/watch/poller.js'
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
const cache = createMemoryCacheStore(systemClock)
const context = {
  network: {
    chains: new Map([['bench-1', chain]]),
    listed: new Map(),
    defaultChain: chain,
    router: inMemory('router'),
  },
  cache,
  poller: createPoller({ cache }),
  // Its mark: nothing here subscribes.
  feeds: undefined,
  limits: resolveLimits(),
  signer: createSigner(['a key of this benchmark, at least 32 bytes long']),
}
const graphqlJs = createExecutor(schema)
const fallbacks = []
const executors = {
  'graphql-js': graphqlJs,
  compiled: createCompiledExecutor({
    schema,
    fallback: graphqlJs,
    onFallback: (reason) => fallbacks.push(reason),
  }),
}

const rounds = 7
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
const signal = new AbortController().signal

const prepare = (query, variables) => ({ document: parse(query), variables })
const runOn = (executor, { document, variables }) =>
  executor.execute({
    ...{ document, operationName: undefined, variables },
    context: { ...context, scope: createRequestScope(signal, context) },
  })

async function microsOf(executor, operation, count) {
  const started = process.cpuUsage()
  for (let i = 0; i < count; i += 1) await runOn(executor, operation)
  const { user, system } = process.cpuUsage(started)
  return (user + system) / count
}

/** Median CPU time of each variant, in rounds that take turns. The first round warms up. */
async function compare(variants, count) {
  const micros = Object.fromEntries(Object.keys(variants).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { executor, operation }] of Object.entries(variants)) {
      const taken = await microsOf(executor, operation, count)
      if (round > 0) micros[name].push(taken)
    }
  }
  return Object.fromEntries(Object.entries(micros).map(([name, all]) => [name, median(all)]))
}

function print(title, medians, ratio) {
  const columns = Object.entries(medians).map(([name, all]) => `${name} ${all.toFixed(1)} µs`)
  process.stdout.write(`${title.padEnd(8)}${columns.join('  ')}  ${ratio.toFixed(2)} x\n`)
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
  for (const executor of Object.values(executors)) {
    answers.push(JSON.stringify(await runOn(executor, operation)))
  }
  if (answers[0].includes('"errors"') || answers[0] !== answers[1]) {
    throw new Error(`the results of ${title} differ or fail: ${answers.join('\n').slice(0, 2_000)}`)
  }
  const medians = await compare(
    {
      'graphql-js': { executor: graphqlJs, operation },
      compiled: { executor: executors.compiled, operation },
    },
    count,
  )
  print(title, medians, medians['graphql-js'] / medians.compiled)
}

// The price of the cursor of each edge.
const page = (edge) => prepare(`{ chain { blocks(first: 20) { edges { ${edge} } } } }`, {})
const node = `node { ${blockFields} }`
const { compiled } = executors
const ofEdges = await compare(
  {
    node: { executor: compiled, operation: page(node) },
    'cursor and node': { executor: compiled, operation: page(`cursor ${node}`) },
  },
  1_000,
)
print('edges', ofEdges, ofEdges['cursor and node'] / ofEdges.node)

// A new document each time, as from clients that write values into it.
const fresh = (i) =>
  prepare(scenarios.flat.query.replace('hash', `hash${i}: hash`), { after: undefined })
const ofNew = { 'graphql-js': [], compiled: [] }
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, executor] of Object.entries(executors)) {
    const operations = Array.from({ length: 300 }, (_, i) => fresh(round * 1_000 + i))
    const started = process.cpuUsage()
    for (const operation of operations) await runOn(executor, operation)
    const { user, system } = process.cpuUsage(started)
    if (round > 0) ofNew[name].push((user + system) / operations.length)
  }
}
const mediansOfNew = Object.fromEntries(
  Object.entries(ofNew).map(([name, all]) => [name, median(all)]),
)
print('first', mediansOfNew, mediansOfNew['graphql-js'] / mediansOfNew.compiled)
if (fallbacks.length > 0) throw new Error(`${fallbacks.length} runs fell back`)
await upstream.close()
