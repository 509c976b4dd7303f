// The results as a table for a terminal.
import { printTable } from '../report.mjs'

const columns = [
  'requests/s (least to most)',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'upstream calls',
  'RSS MiB',
  'failed',
  '/ yoga',
  '/ bare',
]

/** The middle one of some numbers. */
export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

const rateOf = (rounds) => rounds && median(rounds.map(({ rate }) => rate))

/** How many times the rate of a yardstick; empty if the yardstick was not measured. */
const timesOf = (rounds, yardstick) => (yardstick ? (rateOf(rounds) / rateOf(yardstick)).toFixed(2) : '')

function rowOf(name, rounds, yardsticks) {
  const of = (key) => rounds.map((round) => round[key])
  const middle = (key, digits = 0) => median(of(key)).toFixed(digits)
  const rates = of('rate')
  return [
    name,
    `${middle('rate')} (${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)})`,
    middle('p50', 1),
    middle('p99', 1),
    middle('cpuMicros'),
    middle('calls', 1),
    middle('rss'),
    String(of('failed').reduce((a, b) => a + b)),
    timesOf(rounds, yardsticks.yoga),
    timesOf(rounds, yardsticks.bare),
  ]
}

/** Prints the results of a workload: rounds by contestant. A warm load is compared with the cold one of the others. */
export function printResults({ title, coldTitle = title }, resultsOf) {
  const rows = Object.entries(resultsOf[title]).map(([name, rounds]) => rowOf(name, rounds, resultsOf[coldTitle] ?? {}))
  printTable(title, ['', ...columns], rows)
}
