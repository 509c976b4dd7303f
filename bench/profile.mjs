// Where the time of a scenario goes, and what it allocates, by the part of the code and by function.
//
//   node bench/profile.mjs [--scenario flat] [--kind cpu|allocation] [--contestant portolan] [--top 30]
import { parseArgs } from 'node:util'
import { load } from './load/measure.mjs'
import { modulePathOf, pinThisProcess, startContestant } from './load/processes.mjs'
import { startStandIn } from './load/standIn.mjs'
import { workloadsOf } from './load/workloads.mjs'
import { printTable } from './report.mjs'

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: 'flat' },
    kind: { type: 'string', default: 'cpu' },
    contestant: { type: 'string', default: 'portolan' },
    top: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '6' },
  },
})
const seconds = Number(values.seconds)
const connections = 50

/** A part of the code: a package, a folder of this project, or a module of Node.js. */
function partOf(name) {
  const [url] = name.split(' ')
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)
  if (library) return library[1]
  const own = /\/dist\/(.*)\/[^/]*$/.exec(url)
  if (own) return own[1]
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  return url || name.trim()
}

/** The last two steps of the path of a file, with the function in it. */
const shortName = (name) => name.replace(/^\S*\/([^/]+\/[^/]+)$/, '$1')

/** Adds costs up under other names, and gives the greatest first. */
function addUp(costs, rename) {
  const sums = new Map()
  for (const [name, cost] of costs) sums.set(rename(name), (sums.get(rename(name)) ?? 0) + cost)
  return [...sums].sort(([, a], [, b]) => b - a).slice(0, Number(values.top))
}

pinThisProcess()
const upstream = await startStandIn()
const cursors = await (await import(modulePathOf(values.contestant))).readCursors?.(upstream.url)
const contestant = await startContestant(values.contestant, upstream.url, { haveAllFlags: true })
const [workload] = workloadsOf(values.scenario)
const nextBody = workload.bodies(cursors, upstream, 1)
await load(contestant.url, { nextBody, seconds: 7, connections })
const before = await contestant.usage()
await contestant.startProfile(values.kind)
const { requests } = await load(contestant.url, { nextBody, seconds, connections })
const costs = await contestant.stopProfile()
const after = await contestant.usage()
await contestant.stop()
upstream.close()

const sum = costs.reduce((total, [, cost]) => total + cost, 0)
const share = (cost) => ((100 * cost) / sum).toFixed(1)
const rows = (pairs) => pairs.map(([name, cost]) => [name, share(cost)])
const each =
  values.kind === 'cpu'
    ? `${((after.cpuMicros - before.cpuMicros) / requests.total).toFixed(0)} µs of CPU`
    : `${(sum / requests.total / 1024).toFixed(1)} kB`
process.stdout.write(`Node ${process.versions.node}, ${values.scenario}: ${each} a request\n`)
printTable('parts', ['part', '%'], rows(addUp(costs, partOf)))
printTable('functions', ['function', '%'], rows(addUp(costs, shortName)))
