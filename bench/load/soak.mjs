// The mixed load for some minutes at half of the gateway's highest rate, with its memory each minute.
import { printTable } from '../report.mjs'
import { explorer } from './explorer.mjs'
import { measure, measureWarm } from './measure.mjs'

const longest = 30

/** Loads the gateway, and prints a row for each minute. */
export async function soak(contestant, upstream, { minutes, connections }) {
  if (!(minutes >= 1 && minutes <= longest)) {
    throw new Error(`--minutes is from 1 to ${longest}.`)
  }
  const stopBlocks = upstream.addBlocks(1_000)
  const next = explorer(1, () => upstream.height())
  const nextBody = () => JSON.stringify(next())
  const peak = await measureWarm(contestant, upstream, { nextBody, connections, seconds: 10 })
  const rate = Math.floor(peak.rate / 2)
  process.stdout.write(`Highest rate ${peak.rate.toFixed(0)}/s; now ${rate}/s.\n`)
  const rows = []
  for (let minute = 1; minute <= minutes; minute += 1) {
    const result = await measure(contestant, upstream, { nextBody, connections, seconds: 59, rate })
    const shown = [result.rate, result.p50, result.p99, result.rss, result.failed]
    rows.push([String(minute), ...shown.map((figure) => figure.toFixed(0))])
    process.stdout.write(`minute ${minute}: RSS ${result.rss.toFixed(0)} MiB\n`)
  }
  stopBlocks()
  printTable('mixed load', ['minute', 'requests/s', 'p50 ms', 'p99 ms', 'RSS MiB', 'failed'], rows)
}
