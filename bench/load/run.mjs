// npm run bench: requests a second of the gateway and its yardsticks, interleaved, as medians and ratios.
import { parseArgs } from 'node:util'
import { saveFigures } from '../results.mjs'
import { checkEqual, readAnswers } from './answers.mjs'
import { measureWarm, post } from './measure.mjs'
import { modulePathOf, pinThisProcess, startContestant } from './processes.mjs'
import { soak } from './soak.mjs'
import { startStandIn } from './standIn.mjs'
import { median, printResults } from './table.mjs'
import { compareWorkers } from './workers.mjs'
import { titles, workloadsOf } from './workloads.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    // 500 of them before an upstream that takes 20 ms are a crowd.
    connections: { type: 'string', default: '50' },
    latency: { type: 'string', default: '0' },
    // A path is the same file of another build: portolan,/other/bench/load/contestants/portolan.mjs
    contestants: { type: 'string', default: 'static,yoga,portolan' },
    scenarios: { type: 'string', default: titles.join() },
    // Also at half of each contestant's rate, beside static bytes.
    half: { type: 'boolean', default: false },
    // Instead: the mixed load at half of the gateway's rate, for so many minutes.
    minutes: { type: 'string' },
    // Keep the figures in bench/results.
    save: { type: 'boolean', default: false },
    // Instead: the mixed load on one process and on two workers. It needs wrk.
    workers: { type: 'boolean', default: false },
    // All have the flags of the gateway, not only the gateway.
    'same-flags': { type: 'boolean', default: false },
    // Without the warm loads.
    cold: { type: 'boolean', default: false },
  },
})
const [rounds, seconds, connections, latencyMs] = ['rounds', 'seconds', 'connections', 'latency'].map((name) =>
  Number(values[name]),
)
const names = values.contestants.split(',')
const workloads = values.scenarios
  .split(',')
  .flatMap(workloadsOf)
  .filter(({ needsCache }) => !needsCache || !values.cold)

// Workers use all cores, beside the load.
if (!values.workers) pinThisProcess()
const upstream = await startStandIn()
const modules = {}
const cursorsOf = {}
for (const name of values.workers ? [] : names) {
  modules[name] = await import(modulePathOf(name))
  cursorsOf[name] = await modules[name].readCursors?.(upstream.url)
}

await upstream.delay(latencyMs)

/** Whether a contestant takes part in a workload. */
const takesPart = (name, { title, needsCache }) => {
  const { keepsFinal, leavesOut = [] } = modules[name]
  if (leavesOut.includes(title)) return false
  if (name === 'static') return title === 'greet'
  return !needsCache || keepsFinal
}

async function withContestant(name, use) {
  const contestant = await startContestant(name, upstream.url, {
    haveAllFlags: values['same-flags'],
  })
  try {
    return await use(contestant)
  } finally {
    await contestant.stop()
  }
}

/** The answers of the contestants that take part, and of yoga as the judge of those that keep answers. */
async function compareAnswers(workload, running) {
  const answersOf = {}
  for (const name of new Set([...running, ...names.filter((name) => name === 'yoga')])) {
    if (name === 'static') continue
    const bodies = workload.samples(cursorsOf[name], upstream)
    answersOf[name] = await withContestant(name, ({ url }) => readAnswers(url, bodies))
  }
  checkEqual(workload.title, answersOf)
  return answersOf
}

/** One round of a contestant. After a warm load its answers must still be those of the others. */
const runOnce = (name, workload, round, options, answersOf) =>
  withContestant(name, async (contestant) => {
    const cursors = cursorsOf[name]
    for (const body of workload.firstPass?.(cursors) ?? []) await post(contestant.url, body)
    const nextBody = workload.bodies(cursors, upstream, round)
    const result = await measureWarm(contestant, upstream, { ...options, nextBody })
    if (workload.needsCache) {
      const warm = await readAnswers(contestant.url, workload.samples(cursors, upstream))
      checkEqual(workload.title, { ...answersOf, [`${name}, warm`]: warm })
    }
    return result
  })

async function runAll(workload) {
  const running = names.filter((name) => takesPart(name, workload))
  const answersOf = await compareAnswers(workload, running)
  const stopBlocks = workload.blockIntervalMs && upstream.addBlocks(workload.blockIntervalMs)
  const results = Object.fromEntries(running.map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const name of running) {
      const options = { seconds, connections }
      results[name].push(await runOnce(name, workload, round, options, answersOf))
    }
  }
  if (values.half) {
    for (const name of running) {
      const rate = Math.floor(median(results[name].map(({ rate }) => rate)) / 2)
      const options = { seconds, connections, rate }
      results[`${name}, half rate`] = [await runOnce(name, workload, rounds, options, answersOf)]
      // What the load and the machine take by themselves.
      const floor = { bodies: () => () => '' }
      results[`static, rate of ${name}`] = [await runOnce('static', floor, rounds, options)]
    }
  }
  stopBlocks?.()
  return results
}

/** The medians of the gateway, by the title of the workload. */
function figuresOf(title, { portolan }) {
  const middle = (key) => median(portolan.map((round) => round[key]))
  const keys = ['rate', 'p50', 'p99', 'cpuMicros', 'calls', 'rss']
  return { [title]: { rounds, ...Object.fromEntries(keys.map((key) => [key, middle(key)])) } }
}

if (values.workers) {
  await compareWorkers(upstream, { rounds, connections, seconds })
} else if (values.minutes) {
  await withContestant('portolan', (contestant) =>
    soak(contestant, upstream, { minutes: Number(values.minutes), connections }),
  )
} else {
  process.stdout.write(
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${connections} connections, upstream ${latencyMs} ms, medians of ${rounds} rounds of ${seconds} s\n`,
  )
  const resultsOf = {}
  for (const workload of workloads) {
    if (!names.some((name) => takesPart(name, workload))) continue
    resultsOf[workload.title] = await runAll(workload)
    printResults(workload, resultsOf)
    const isMeasured = names.includes('portolan')
    if (values.save && isMeasured) saveFigures('load', figuresOf(workload.title, resultsOf[workload.title]))
  }
}
upstream.close()
