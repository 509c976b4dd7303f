// npm run storm: transfers watched to their end while a third of all upstream answers are faults.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startChild } from '../../../bench/children.mjs'
import { printTable, quantile } from '../../../bench/report.mjs'
import { saveFigures } from '../../../bench/results.mjs'
import { hold } from './hold.mjs'
import { startQueries } from './queries.mjs'
import { soak } from './soak.mjs'

const { values } = parseArgs({
  options: {
    transfers: { type: 'string', default: '2000' },
    subscribers: { type: 'string', default: '10000' },
    requests: { type: 'string', default: '60000' },
    // Over how many seconds the subscribers arrive.
    ramp: { type: 'string', default: '240' },
    clients: { type: 'string', default: '240' },
    share: { type: 'string', default: '0.35' },
    seed: { type: 'string', default: '1' },
    // Of how many transfers, those told last, to show the looks at the router after it knew the end.
    traces: { type: 'string', default: '5' },
    // The longest time of the whole run.
    minutes: { type: 'string', default: '12' },
    // Instead of a storm: subscriptions that are held, or faults and queries for so many minutes.
    hold: { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
    'soak-clients': { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    // Keep the figures in bench/results.
    save: { type: 'boolean', default: false },
    // Show times without a bound: other work makes them longer.
    'busy-machine': { type: 'boolean', default: false },
  },
})
const number = (name) => Number(values[name])
if (values.hold) {
  const [subscribers, rounds, minutes] = ['subscribers', 'rounds', 'minutes'].map(number)
  const isKept = await hold({
    ...{ subscribers, transfers: subscribers / 50, rounds, minutes },
    isSaved: values.save,
  })
  process.exit(isKept ? 0 : 1)
}
if (values.soak) process.exit((await soak({ minutes: number('minutes'), clients: number('soak-clients') })) ? 0 : 1)
const patience = number('minutes') * 60_000
/**
 * How much later than the router the gateway may tell the end, in milliseconds, for 99 of 100: ten seconds of faults of the router,
 * and five that an end waits for records while their indexer fails.
 */
const maxLag = 15_000
const chainId = 'harbor-1'
// The last two digits choose how the sandbox lets a transfer end; these all end by themselves.
const endings = ['00', '01', '02', 'e0', 'e1', 'e4', 'e5', 'e8', 'e9', 'eb', 'ec', 'ed']
const hashes = Array.from(
  { length: number('transfers') },
  (_, i) => createHash('sha256').update(`${values.seed}/${i}`).digest('hex').slice(0, 62) + endings[i % endings.length],
)

const modulePath = (name) => new URL(`./${name}.mjs`, import.meta.url).pathname
const started = performance.now()
const isLate = () => performance.now() - started > patience

const upstreams = await startChild(modulePath('upstreams'), {
  share: number('share'),
  seed: number('seed'),
})
const gateway = await startChild(
  modulePath('../gateway'),
  { chains: upstreams.start.indexers, router: { url: upstreams.start.routerUrl }, graphiql: false },
  { execArgv: ['--expose-gc', '--max-old-space-size=1024'] },
)
const { url } = gateway.start
const crowds = await Promise.all([0, 1].map(() => startChild(modulePath('subscribers'), { url })))
await gateway.ask('begin')
const queries = startQueries(url, number('clients'))

/** All subscribers, in steps of a quarter second. Those of a transfer arrive together. */
async function subscribeAll() {
  const steps = number('ramp') * 4
  const perTransfer = number('subscribers') / number('transfers')
  for (let step = 0; step < steps && gateway.exitCode === undefined; step += 1) {
    const from = Math.floor((step * hashes.length) / steps)
    const to = Math.floor(((step + 1) * hashes.length) / steps)
    for (const [index, crowd] of crowds.entries()) {
      const watches = hashes.slice(from, to).flatMap((txHash, k) =>
        Array.from({ length: perTransfer }, (_, i) => i)
          .filter((i) => i % crowds.length === index)
          .map((i) => ({ chainId, txHash, address: `198.18.${(from + k) % 100}.${i + 1}` })),
      )
      await crowd.ask('watch', watches)
    }
    await sleep(250)
  }
}

/** Notes when the router itself knows the end of each transfer that is watched. */
async function followRouter(isOver) {
  while (!isOver()) {
    await upstreams.ask('lookForEnds', { chainId, hashes: hashes.slice(...window()) })
    await sleep(250)
  }
}
/** The transfers that can be under way: 90 s of them. */
function window() {
  const share = (performance.now() - rampStarted) / (number('ramp') * 1_000)
  const to = Math.ceil(Math.min(1, share) * hashes.length)
  return [Math.max(0, to - Math.ceil((hashes.length * 90) / number('ramp'))), to]
}

const openCount = async () => {
  const counts = await Promise.all(crowds.map((crowd) => crowd.ask('countOpen')))
  return counts.reduce((a, b) => a + b)
}

const rampStarted = performance.now()
let isOver = false
const following = followRouter(() => isOver)
await subscribeAll()
while (!isLate() && gateway.exitCode === undefined) {
  const { total } = await upstreams.ask('report')
  const open = await openCount()
  if (total >= number('requests') && open === 0) break
  process.stderr.write(`${total} upstream requests, ${open} watches open\n`)
  await sleep(5_000)
}
isOver = true
await following
const answers = await queries.stop()
await sleep(2_500)

const { total, counts, endedAt } = await upstreams.ask('report')
const watched = await gateway.ask('end').catch(() => undefined)
const seen = (await Promise.all(crowds.map((crowd) => crowd.ask('report')))).flat()
const lagOf = (subscriber) => Math.max(0, subscriber.endedAt - endedAt[subscriber.txHash])
const inTime = seen.filter((subscriber) => subscriber.endedAt && endedAt[subscriber.txHash])
const lags = inTime.map(lagOf)
const injected = Object.values(counts).reduce((a, b) => a + b)
const count = (test) => seen.filter(test).length
const lost = count(({ terminals }) => terminals === 0)
const twice = count(({ terminals }) => terminals > 1)
const afterEnd = count((subscriber) => subscriber.afterEnd > 0)
const incomplete = count(({ completes }) => completes !== 1)
const errors = new Map()
for (const message of seen.flatMap((subscriber) => subscriber.errors)) {
  errors.set(message, (errors.get(message) ?? 0) + 1)
}

const bound = (name, value, isKept) => [name, String(value), isKept ? '' : 'BROKEN']
const rows = [
  bound('upstream requests', total, total >= number('requests')),
  bound('faults', `${((injected / total) * 100).toFixed(1)} %`, injected / total > 0.3),
  bound('kinds of faults', count_kinds(counts), count_kinds(counts) >= 30),
  bound('transfers', hashes.length, true),
  bound('subscribers', seen.length, seen.length === number('subscribers')),
  bound('exits', gateway.exitCode ?? 0, gateway.exitCode === undefined),
  bound('unhandled rejections', watched?.unhandled ?? '-', watched?.unhandled === 0),
  bound('terminal events lost', lost, lost === 0),
  bound('terminal events twice', twice, twice === 0),
  bound('events after the end', afterEnd, afterEnd === 0),
  bound('not completed once', incomplete, incomplete === 0),
  bound('after the router, p50 s', (quantile(lags, 0.5) / 1_000).toFixed(1), true),
  bound(
    'after the router, p99 s',
    (quantile(lags, 0.99) / 1_000).toFixed(1),
    lags.length > 0 && (values['busy-machine'] || quantile(lags, 0.99) <= maxLag),
  ),
  bound('queries whole', answers.whole, true),
  bound('queries with errors', answers.withErrors, true),
  bound('unexpected answers', answers.unexpected.join(' ') || 0, answers.unexpected.length === 0),
  bound('highest heap, MiB', watched ? Math.round(watched.highestHeap / 2 ** 20) : '-', true),
  bound('minutes', ((performance.now() - started) / 60_000).toFixed(1), !isLate()),
]
function count_kinds(all) {
  return Object.values(all).filter((times) => times > 0).length
}
printTable('storm', ['', 'figure', 'bound'], rows)
if (values.save) {
  const seconds = (share) => quantile(lags, share) / 1_000
  saveFigures('storm', {
    storm: {
      ...{ transfers: hashes.length, subscribers: seen.length, upstreamRequests: total },
      ...{ faultShare: injected / total, lost, twice, afterEnd },
      ...{ lagP50Seconds: seconds(0.5), lagP99Seconds: seconds(0.99) },
    },
  })
}
const latest = inTime.toSorted((a, b) => lagOf(b) - lagOf(a)).map(({ txHash }) => txHash)
for (const hash of [...new Set(latest)].slice(0, number('traces'))) {
  const told = seen.filter((one) => one.txHash === hash && one.endedAt)
  const toldAfter = told.map((one) => (lagOf(one) / 1_000).toFixed(1))
  const after = (at) => ((at - endedAt[hash]) / 1_000).toFixed(1)
  const looks = (await upstreams.ask('looksAt', hash)).filter(({ at }) => after(at) > -10)
  const texts = looks.map(({ at, name }) => `${after(at)} ${name || 'ok'}`)
  process.stdout.write(`${hash.slice(0, 8)}: ${texts.join(', ')}, told ${toldAfter.join(' ')}\n`)
}
const lostHashes = [...new Set(seen.filter((one) => one.terminals === 0).map((one) => one.txHash))]
for (const hash of lostHashes.slice(0, 20)) {
  process.stdout.write(`lost: ${hash}, which the router ended ${endedAt[hash] ? '' : 'not '}\n`)
}
for (const [message, times] of errors) process.stdout.write(`${times} x ${message}\n`)

await Promise.all([gateway, upstreams, ...crowds].map((child) => child.stop()))
process.exit(rows.every(([, , broken]) => broken === '') ? 0 : 1)
