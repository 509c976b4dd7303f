// npm run storm -- --hold: many subscriptions held for some minutes, and what is left once they are gone.
import { setTimeout as sleep } from 'node:timers/promises'
import { heapFlags, startChild } from '../../../bench/children.mjs'
import { printTable } from '../../../bench/report.mjs'
import { saveFigures } from '../../../bench/results.mjs'

const chainId = 'harbor-1'
const bounds = { rssMiB: 512, leftMiB: 10 }
/** Subscribers that are opened at once. */
const maxOpening = 300
const modulePath = (name) => new URL(`./${name}.mjs`, import.meta.url).pathname
const mib = (bytes) => (bytes / 2 ** 20).toFixed(0)
const hashOf = (number) => `${number.toString(16).padStart(62, 'd')}00`

/** Lets every transfer be pending for ever, as the router says it of one that it tracks. */
async function startUpstreams() {
  const upstreams = await startChild(modulePath('../attack/upstreams'))
  const { routerUrl } = upstreams.start
  const txHash = `${'E'.repeat(62)}e3`
  await fetch(`${routerUrl}/v2/tx/track`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tx_hash: txHash, chain_id: chainId }),
  })
  const target = `${routerUrl}/v2/tx/status?chain_id=${chainId}&tx_hash=${txHash}`
  const json = await (await fetch(target)).json()
  await upstreams.ask('setFaults', [['router', '/v2/tx/status', { kind: 'answer', json }]])
  return upstreams
}

/** Resolves once that many subscribers have an event or an error, or after a minute. */
async function answered(crowds, count) {
  for (let tries = 0; tries < 1_200; tries += 1) {
    const counts = await Promise.all(crowds.map((crowd) => crowd.ask('countAnswered')))
    if (counts.reduce((a, b) => a + b) >= count) return
    await sleep(50)
  }
}

/** Opens all subscriptions, holds them, and closes them. */
async function runRound(gateway, { subscribers, transfers, minutes }) {
  const crowds = await Promise.all([0, 1].map(() => startChild(modulePath('subscribers'), { url: gateway.start.url })))
  const step = 100
  for (let from = 0; from < subscribers; from += step) {
    const watches = Array.from({ length: Math.min(step, subscribers - from) }, (_, k) => {
      const number = from + k
      const address = `198.18.${number % 250}.1`
      return { chainId, txHash: hashOf(number % transfers), address }
    })
    await crowds[(from / step) % crowds.length].ask('watch', watches)
    // A machine that opens them more slowly must not be sent the more at once.
    await answered(crowds, from + step - maxOpening)
  }
  await answered(crowds, subscribers)
  let highest = 0
  let heap = 0
  const until = performance.now() + minutes * 60_000
  while (performance.now() < until) {
    await sleep(5_000)
    const { rss } = await gateway.ask('resident')
    highest = Math.max(highest, rss)
  }
  heap = (await gateway.ask('memory')).heapUsed
  const seen = (await Promise.all(crowds.map((crowd) => crowd.ask('report')))).flat()
  const held = seen.filter((one) => one.events > 0 && one.errors.length === 0 && !one.completes)
  const errors = new Set(seen.flatMap((one) => one.errors))
  for (const error of errors) process.stderr.write(`${error}\n`)
  const silent = seen.filter((one) => one.events === 0 && one.errors.length === 0).length
  if (silent > 0) process.stderr.write(`${silent} had no event and no error\n`)
  await Promise.all(crowds.map((crowd) => crowd.stop()))
  await sleep(5_000)
  return { held: held.length, highest, heap }
}

/** Runs all rounds; gives whether the bounds were kept. */
export async function hold({ rounds, isSaved, ...options }) {
  const upstreams = await startUpstreams()
  const gateway = await startChild(
    modulePath('../gateway'),
    { chains: upstreams.start.indexers, router: { url: upstreams.start.routerUrl } },
    { execArgv: ['--expose-gc', ...heapFlags] },
  )
  // The first subscriptions compile what all others use.
  await runRound(gateway, { ...options, subscribers: 100, minutes: 0.1 })
  const { heapUsed: idle } = await gateway.ask('memory')
  const { rss: idleRss } = await gateway.ask('resident')
  const rows = []
  for (let round = 1; round <= rounds; round += 1) {
    const { held, highest, heap } = await runRound(gateway, options)
    const { heapUsed: left } = await gateway.ask('memory')
    const broken = [
      ...(held < options.subscribers ? [`${options.subscribers - held} were not held`] : []),
      ...(highest > bounds.rssMiB * 2 ** 20 ? ['resident'] : []),
      ...(left - idle > bounds.leftMiB * 2 ** 20 ? ['heap afterwards'] : []),
    ]
    const sizes = [idle, heap, highest, left].map(mib)
    rows.push([String(round), String(held), ...sizes, broken.join(', ')])
    const per = (bytes) => bytes / held
    if (isSaved) {
      const figures = {
        held,
        heapBytesEach: per(heap - idle),
        rssBytesEach: per(highest - idleRss),
      }
      saveFigures('storm', { hold: { ...figures, idleRssBytes: idleRss } })
    }
    process.stderr.write(`round ${round}: ${rows.at(-1).join(' ')}\n`)
  }
  printTable(
    `${options.subscribers} subscriptions to ${options.transfers} transfers, ${options.minutes} minutes`,
    ['round', 'held', 'heap idle MiB', 'heap MiB', 'highest RSS MiB', 'heap afterwards', 'outside'],
    rows,
  )
  await Promise.all([gateway.stop(), upstreams.stop()])
  return rows.every((row) => row.at(-1) === '')
}
