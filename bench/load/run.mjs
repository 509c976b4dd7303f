// npm run bench: requests a second of the gateway and its yardsticks, interleaved, as medians and ratios.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { scenarios } from './scenarios.mjs'
import { startUpstream } from './upstream.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '50' },
    latency: { type: 'string', default: '0' },
    contestants: { type: 'string', default: 'static,yoga,portolan' },
    scenarios: { type: 'string', default: Object.keys(scenarios).join() },
  },
})
const [rounds, seconds, connections] = ['rounds', 'seconds', 'connections'].map((name) =>
  Number(values[name]),
)
const names = values.contestants.split(',')

/** Runs a contestant on the first core. This process, with the load and the upstream, has the second. */
async function startContestant(name, upstreamUrl) {
  const args = [
    '--cpu-list',
    '0',
    process.execPath,
    import.meta.resolve('./contestant.mjs').slice(7),
    name,
    upstreamUrl,
  ]
  const child = spawn('taskset', args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const answer = () =>
    new Promise((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', (code) => reject(new Error(`${name} exited with ${code}`)))
    })
  const { url } = await answer()
  return {
    url,
    usage() {
      const next = answer()
      child.send('')
      return next
    },
    stop: () => child.kill(),
  }
}

const post = async (url, body) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return response.json()
}

const upstream = await startUpstream({ latencyMs: Number(values.latency) })
const cursorsOf = Object.fromEntries(
  await Promise.all(
    names.map(async (name) => {
      const { readCursors = () => ({}) } = await import(`./contestants/${name}.mjs`)
      return [name, await readCursors(upstream.url)]
    }),
  ),
)

let requests = 0
/** The next request of a scenario. Numbers are never used twice, so that no answer is asked for twice. */
const nextBody = ({ query, variables }, cursors, i) =>
  JSON.stringify({ query, variables: variables(i, cursors) })

async function measure(name, scenario) {
  const contestant = await startContestant(name, upstream.url)
  const body = () => {
    requests += 1
    return nextBody(scenario, cursorsOf[name], requests)
  }
  const load = (duration) =>
    autocannon({
      url: contestant.url,
      method: 'POST',
      connections,
      duration,
      headers: { 'content-type': 'application/json' },
      requests: [{ setupRequest: (request) => ({ ...request, body: body() }) }],
      verifyBody: (text) => !String(text).includes('"errors"'),
    })
  await load(1)
  upstream.takeRequests()
  const before = await contestant.usage()
  const result = await load(seconds)
  const after = await contestant.usage()
  contestant.stop()
  const total = result.requests.total
  return {
    rate: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / total,
    calls: upstream.takeRequests() / total,
    rss: after.rss / 2 ** 20,
    failed: result.errors + result.non2xx + result.mismatches,
  }
}

/** All contestants give the same answer, or the comparison means nothing. */
async function compareAnswers(scenario) {
  const answers = []
  for (const name of names.filter((name) => name !== 'static')) {
    const contestant = await startContestant(name, upstream.url)
    answers.push(JSON.stringify(await post(contestant.url, nextBody(scenario, cursorsOf[name], 1))))
    contestant.stop()
  }
  if (new Set(answers).size > 1) {
    const shown = answers.map((answer) => answer.slice(0, 1_000)).join('\n')
    throw new Error(`The answers to '${scenario.query}' differ:\n${shown}`)
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
const round = (number, digits = 0) => number.toFixed(digits)

for (const title of values.scenarios.split(',')) {
  const scenario = scenarios[title]
  const running = names.filter((name) => name !== 'static' || title === 'greet')
  await compareAnswers(scenario)
  const results = Object.fromEntries(running.map((name) => [name, []]))
  for (let i = 0; i < rounds; i += 1) {
    for (const name of running) results[name].push(await measure(name, scenario))
  }
  process.stdout.write(`\n${title}\n`)
  const of = (name, key) => results[name].map((result) => result[key])
  for (const name of running) {
    const rates = of(name, 'rate')
    const columns = [
      name.padEnd(12),
      `${round(median(rates))}/s (${round(Math.min(...rates))} to ${round(Math.max(...rates))})`,
      `p50 ${round(median(of(name, 'p50')), 1)} ms`,
      `p99 ${round(median(of(name, 'p99')), 1)} ms`,
      `${round(median(of(name, 'cpuMicros')))} µs CPU`,
      `${round(median(of(name, 'calls')), 1)} calls`,
      `${round(median(of(name, 'rss')))} MiB`,
      `${of(name, 'failed').reduce((a, b) => a + b)} failed`,
      ...(names.includes('yoga')
        ? [`${round(median(rates) / median(of('yoga', 'rate')), 2)} x yoga`]
        : []),
    ]
    process.stdout.write(`${columns.join('  ')}\n`)
  }
}
await upstream.close()
