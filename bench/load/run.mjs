// npm run bench: requests a second and CPU of the gateway beside other servers, as medians. With --readme: each row of the
// table of figures in the README.
import { parseArgs } from 'node:util'
import { printReadmeTable } from '../readme.mjs'
import { saveFigures } from '../results.mjs'
import { createComparison } from './compare.mjs'
import { median, printResults } from './table.mjs'
import { titles, workloadsOf } from './workloads.mjs'

const { values } = parseArgs({
  options: {
    readme: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    // 500 of them before an upstream that takes 20 ms are a crowd.
    connections: { type: 'string', default: '50' },
    latency: { type: 'string', default: '0' },
    // A path is the same file of another build: portolan,/other/bench/load/contestants/portolan.mjs
    contestants: { type: 'string', default: 'yoga,bare,portolan' },
    scenarios: { type: 'string', default: titles.join() },
    // Keep the figures in bench/results.
    save: { type: 'boolean', default: false },
    // All have the flags of the gateway, not only the gateway.
    'same-flags': { type: 'boolean', default: false },
    // Without the warm loads.
    cold: { type: 'boolean', default: false },
  },
})

/** The medians of the gateway, by the title of the workload. */
function figuresOf(title, rounds) {
  const middle = (key) => median(rounds.map((round) => round[key]))
  const keys = ['rate', 'p50', 'p99', 'cpuMicros', 'calls', 'rss']
  return { [title]: { rounds: rounds.length, ...Object.fromEntries(keys.map((key) => [key, middle(key)])) } }
}

async function compare() {
  const [rounds, seconds, connections, latencyMs] = ['rounds', 'seconds', 'connections', 'latency'].map((name) =>
    Number(values[name]),
  )
  const workloads = values.scenarios
    .split(',')
    .flatMap(workloadsOf)
    .filter(({ needsCache }) => !needsCache || !values.cold)
  const comparison = await createComparison(values.contestants.split(','), {
    latencyMs,
    haveAllFlags: values['same-flags'],
  })
  const day = new Date().toISOString().slice(0, 10)
  process.stdout.write(
    `${day}, Node ${process.versions.node}, ${connections} connections, upstream ${latencyMs} ms, medians of ${rounds} rounds of ${seconds} s\n`,
  )
  const resultsOf = {}
  for (const workload of workloads) {
    const { title } = workload
    resultsOf[title] = await comparison.run(workload, { rounds, seconds, connections })
    printResults(workload, resultsOf)
    const { portolan } = resultsOf[title]
    if (values.save && portolan) saveFigures('load', figuresOf(title, portolan))
  }
  comparison.close()
}

if (values.readme) await printReadmeTable()
else await compare()
