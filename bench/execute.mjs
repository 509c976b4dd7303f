// node bench/execute.mjs: time of the compiled executor and of graphql-js for one operation, in this
// process, with every upstream response in memory. Run it after `npx tsc`.
import { parse } from 'graphql'
import { resolveLimits } from '../dist/config/limits/limits.js'
import { createMemoryCacheStore } from '../dist/kit/cache/cache.js'
import { systemClock } from '../dist/kit/clock/clock.js'
import { schema } from '../dist/schema/schema.js'
import { createCompiledExecutor } from '../dist/server/execution/compiled/compiledExecutor.js'
import { createExecutor } from '../dist/server/execution/compiled/executor.js'
import { createRequestScope } from '../dist/upstream/requestScope.js'
import { createPoller } from '../dist/watch/poller.js'
import { scenarios } from './load/scenarios.mjs'
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
  limits: resolveLimits(),
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

for (const [title, count] of [
  ['greet', 20_000],
  ['flat', 1_000],
  ['nested', 200],
  ['status', 5_000],
]) {
  const document = parse(scenarios[title].query)
  const variables = scenarios[title].variables(1, { block: () => undefined, tx: () => undefined })
  const signal = new AbortController().signal
  const run = (executor) =>
    executor.execute({
      document,
      operationName: undefined,
      variables,
      context: { ...context, scope: createRequestScope(signal, context) },
    })
  const answers = []
  for (const executor of Object.values(executors)) answers.push(JSON.stringify(await run(executor)))
  if (answers[0].includes('"errors"') || answers[0] !== answers[1]) {
    throw new Error(`the results of ${title} differ or fail: ${answers.join('\n').slice(0, 2_000)}`)
  }
  const micros = Object.fromEntries(Object.keys(executors).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, executor] of Object.entries(executors)) {
      const started = process.cpuUsage()
      for (let i = 0; i < count; i += 1) await run(executor)
      const { user, system } = process.cpuUsage(started)
      if (round > 0) micros[name].push((user + system) / count)
    }
  }
  const columns = Object.entries(micros).map(
    ([name, all]) => `${name} ${median(all).toFixed(1)} µs`,
  )
  const ratio = median(micros['graphql-js']) / median(micros.compiled)
  process.stdout.write(`${title.padEnd(8)}${columns.join('  ')}  ${ratio.toFixed(2)} x\n`)
}
if (fallbacks.length > 0) throw new Error(`${fallbacks.length} runs fell back`)
await upstream.close()
