// The table of figures in the README, with the figures of this machine.
import { cpus } from 'node:os'
import { measureHomePage } from './homePage.mjs'
import { createComparison } from './load/compare.mjs'
import { median } from './load/table.mjs'
import { workloadsOf } from './load/workloads.mjs'
import { measureWatch } from './watch.mjs'

const viewers = 50
const crowd = { watchers: 2_000, transfers: 200 }
const rounds = { rounds: 5, seconds: 2, connections: 50 }

/** What a request of each load asks for, by the name of the scenario. */
const loads = {
  flat: 'a page of 20 blocks that was never asked for',
  status: 'the state of a transfer',
}

const number = (value) => Math.round(value).toLocaleString('en-US')
const say = (text) => process.stderr.write(`${text}\n`)

/** The rows of one load: how many requests a second, and the CPU time of one. */
function rowsOf(what, results) {
  const middle = (name, key) => number(median(results[name].map((round) => round[key])))
  const row = (title, key, unit) => [
    `${title} ${what}`,
    `${middle('yoga', key)}${unit} with a hand-written graphql-yoga server, ${middle('bare', key)}${unit} with \`bare\``,
    `${middle('portolan', key)}${unit}`,
  ]
  return [row('requests a second for', 'rate', ''), row('CPU of', 'cpuMicros', ' µs')]
}

/** Measures each row, and prints the table as Markdown. It takes about six minutes. */
export async function printReadmeTable() {
  say(`the home page of an explorer, opened by ${viewers} at once`)
  const home = await measureHomePage(viewers)
  say(`${number(crowd.watchers)} watchers of ${crowd.transfers} transfers, by subscriptions and then by REST`)
  const calls = await measureWatch(crowd)
  const rows = [
    ["browser requests to load an explorer's home page", `${home.browser.rest} with REST`, home.browser.graph],
    [
      `requests to the indexers when ${viewers} people open that page at once`,
      `${number(home.indexers.rest)} with REST`,
      number(home.indexers.graph),
    ],
    [
      `status calls to the router while ${number(crowd.watchers)} people watch ${crowd.transfers} transfers`,
      `${number(calls.rest)} with REST`,
      number(calls.graph),
    ],
  ]
  const comparison = await createComparison(['yoga', 'bare', 'portolan'])
  for (const [scenario, what] of Object.entries(loads)) {
    say(`${rounds.rounds} rounds of ${what}`)
    const [cold] = workloadsOf(scenario)
    rows.push(...rowsOf(what, await comparison.run(cold, rounds)))
  }
  comparison.close()
  const day = new Date().toISOString().slice(0, 10)
  const lines = [
    `Measured on ${day} with Node ${process.versions.node} on ${cpus()[0]?.model.trim()}, each server on one core.`,
    '`bare` is node:http with graphql-jit: it validates, limits and keeps nothing.',
    '',
    '| | Elsewhere | Portolan |',
    '|---|--:|--:|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
