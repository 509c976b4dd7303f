// npm run storm -- --soak: for many minutes faults, transfers, documents that never repeat, and a chain that
// comes and goes. The heap is read each minute.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from '../../../bench/children.mjs'
import { printTable } from '../../../bench/report.mjs'
import { startQueries } from './queries.mjs'

const chainId = 'harbor-1'
/** How much more heap the last quarter of the time may have than the quarter before it, in MiB, without the caches, which fill up. */
const maxGrowthMiB = 1
const endings = ['00', '01', '02', 'e0', 'e1', 'e5', 'ec']
const modulePath = (name) => new URL(`./${name}.mjs`, import.meta.url).pathname
const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length
const hashOf = (number) =>
  createHash('sha256').update(`soak/${number}`).digest('hex').slice(0, 62) + endings[number % endings.length]

/**
 * Runs for so many minutes, with so many clients that ask, rest for 200 ms and ask again; gives whether the heap was level
 * in the second half.
 */
export async function soak({ minutes, clients }) {
  if (!(minutes >= 4)) throw new Error('A soak takes at least four minutes: it compares quarters.')
  const upstreams = await startChild(modulePath('upstreams'), { share: 0.05, seed: 1 })
  const gateway = await startChild(
    modulePath('../gateway'),
    {
      chains: upstreams.start.indexers,
      router: { url: upstreams.start.routerUrl },
      // Full after some minutes, so that what grows then is no cache.
      limits: { cacheBytes: 6 * 2 ** 20 },
    },
    { execArgv: ['--expose-gc'] },
  )
  const { url } = gateway.start
  const queries = startQueries(url, clients, { pauseMs: 200, neverRepeats: true })
  const stopReloads = startReloads(gateway, upstreams.start.indexers)
  const rows = []
  const heaps = []
  let count = 0
  await gateway.ask('begin')
  for (let minute = 1; minute <= minutes; minute += 1) {
    const crowd = await startChild(modulePath('subscribers'), { url })
    for (let step = 0; step < 50; step += 1) {
      count += 4
      const watches = Array.from({ length: 40 }, (_, i) => {
        return { chainId, txHash: hashOf(count + (i % 4)), address: `198.18.${i}.1` }
      })
      await crowd.ask('watch', watches)
      await sleep(1_000)
    }
    await sleep(10_000)
    const open = await crowd.ask('countOpen')
    await crowd.stop()
    const { heapUsed, rss, cached, sockets, cpuShare } = await gateway.ask('memory')
    heaps.push((heapUsed - cached) / 2 ** 20)
    const { total } = await upstreams.ask('report')
    rows.push([
      minute,
      `${(100 * cpuShare).toFixed(0)} %`,
      (heapUsed / 2 ** 20).toFixed(1),
      (cached / 2 ** 20).toFixed(1),
      (rss / 2 ** 20).toFixed(0),
      total,
      count * 10,
      open,
      sockets,
    ])
    process.stderr.write(`${rows.at(-1).join(' ')}\n`)
  }
  stopReloads()
  await queries.stop()
  const { unhandled } = await gateway.ask('end')
  printTable(
    `${minutes} minutes`,
    [
      'minute',
      'of a core',
      'heap MiB',
      'of it cached',
      'RSS MiB',
      'upstream requests',
      'subscriptions',
      'still open',
      'sockets',
    ],
    rows,
  )
  const quarter = Math.max(1, Math.floor(minutes / 4))
  const growth = mean(heaps.slice(-quarter)) - mean(heaps.slice(-2 * quarter, -quarter))
  process.stdout.write(
    `\nLast quarter against the one before: ${growth.toFixed(1)} MiB. Unhandled rejections: ${unhandled}.\n`,
  )
  await Promise.all([gateway.stop(), upstreams.stop()])
  return growth <= maxGrowthMiB && unhandled === 0
}

/** Takes the last chain away and brings it back in turn, every ten seconds. The function it returns ends that. */
function startReloads(gateway, indexers) {
  let isWhole = true
  const timer = setInterval(() => {
    isWhole = !isWhole
    gateway.ask('updateChains', isWhole ? indexers : indexers.slice(0, -1))
  }, 10_000)
  return () => clearInterval(timer)
}
