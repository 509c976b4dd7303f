// npm run attack: every known attack on a gateway, with an honest client beside it.
import { parseArgs } from 'node:util'
import { printTable } from '../../../bench/report.mjs'
import { documentAttacks } from './attacks/documents.mjs'
import { doorAttacks } from './attacks/doors.mjs'
import { operationAttacks } from './attacks/operations.mjs'
import { operatorAttacks } from './attacks/operators.mjs'
import { searchAttacks } from './attacks/searches.mjs'
import { sizeAttacks } from './attacks/sizes.mjs'
import { stalledAttacks } from './attacks/stalled.mjs'
import { streamAttacks } from './attacks/streams.mjs'
import { upstreamAttacks } from './attacks/upstreams.mjs'
import { wireAttacks } from './attacks/wire.mjs'
import { runLane } from './lane.mjs'

const { values } = parseArgs({
  options: {
    // A tenth of each attack, and only the bounds that no slow machine breaks.
    short: { type: 'boolean', default: false },
    // Other work on the machine slows the honest client too, so that its times are shown and have no bound.
    'busy-machine': { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})
const isShort = values.short
const isBusy = values['busy-machine']
const bounds = {
  heapMiB: 256,
  stillMs: isBusy ? 1_000 : isShort ? 500 : 250,
  keptShare: 0.99,
  slowdown: isBusy ? Number.POSITIVE_INFINITY : 2,
}
const groups = [
  operationAttacks,
  streamAttacks,
  stalledAttacks,
  [...searchAttacks, ...wireAttacks, ...upstreamAttacks, ...documentAttacks, ...operatorAttacks, ...doorAttacks],
  sizeAttacks,
]
// Streams mostly wait. The short form has no bound of times that they could disturb, so there they run beside
// the others.
const [operations, streams, stalled, others, sizes] = groups
const lanes = isShort
  ? [[...operations, ...others], sizes, streams, ...stalled.map((attack) => [attack])]
  : [groups.flat()]
const chosen = lanes
  .map((lane) => lane.filter(({ name }) => values.only.split('|').some((part) => name.includes(part))))
  .filter((lane) => lane.length > 0)

/** Why a result is outside the bounds; empty if it is not. */
function failuresOf({ outcome, alone, beside, elsewhere, heap, stillMs, unhandled }) {
  const { failures = [] } = outcome
  if (heap === undefined) return [...failures, 'the process ended']
  const normal = alone && Math.max(alone.p50, elsewhere?.p50 ?? 0)
  const isSlow = normal !== undefined && beside.p50 > bounds.slowdown * normal
  return [
    ...failures,
    ...(unhandled > 0 ? [`${unhandled} unhandled rejections`] : []),
    ...(heap > bounds.heapMiB * 2 ** 20 ? ['heap'] : []),
    ...(stillMs > bounds.stillMs ? ['event loop'] : []),
    ...(beside.kept < beside.asked * bounds.keptShare ? ['answers'] : []),
    ...(isSlow ? ['p50'] : []),
  ]
}

const print = ({ attack, failures }) =>
  process.stderr.write(`${failures.length === 0 ? 'held ' : 'BROKE'} ${attack.name} ${failures.join(', ')}\n`)
const results = (
  await Promise.all(chosen.map((lane) => runLane(lane, { isShort, failuresOf, onResult: print })))
).flat()

const mib = (bytes) => (bytes === undefined ? '-' : (bytes / 2 ** 20).toFixed(0))
printTable(
  `${results.length} attacks${isShort ? ', a tenth of each' : ''}, Node ${process.versions.node}`,
  ['', 'heap +MiB', 'still ms', 'of wall', 'kept', 'p50 alone', 'p50 beside', 'attacker', 'outside'],
  results.map(({ attack, outcome, alone, elsewhere, beside, heap, stillMs, wallMs, failures }) => [
    attack.name,
    mib(heap),
    stillMs?.toFixed(0) ?? '-',
    wallMs?.toFixed(0) ?? '-',
    `${beside.kept}/${beside.asked}`,
    alone?.p50.toFixed(1) ?? '-',
    elsewhere?.p50.toFixed(1) ?? '-',
    beside.p50.toFixed(1),
    outcome.note,
    failures.join(', '),
  ]),
)
const broken = results.filter(({ failures }) => failures.length > 0)
process.stdout.write(`\n${results.length - broken.length} held, ${broken.length} broke\n`)
process.exit(broken.length === 0 ? 0 : 1)
