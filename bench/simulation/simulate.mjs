// A fleet of gateways with churn on a virtual clock, and what it cost.
import { quantile } from '../report.mjs'
import { startGateway } from './gateway.mjs'
import { createSharedStore } from './sharedStore.mjs'
import { createUpstreams } from './upstreams.mjs'
import { createRandom, createVirtualClock } from './virtualClock.mjs'

const second = 1_000

/** Calls `run` at random, on average each `everyMs`. Infinity for never. */
function atRandom({ clock, random }, everyMs, run) {
  const again = () => {
    run()
    wait()
  }
  const wait = () => clock.after(-Math.log(1 - random()) * everyMs, again)
  wait()
}

/**
 * Simulates `gateways` for some minutes. `transfers` are under way at any time, each watched by `watchers`
 * that connect to gateways at random and connect again when theirs is gone. Each gateway also follows the
 * heads of all `chains`. `deathsPerMinute` gateways crash, and `restartsPerMinute` are replaced.
 */
export async function simulate(options) {
  const { gateways: count, transfers, watchers, chains, minutes, seed } = options
  const { deathsPerMinute = 0, restartsPerMinute = 0 } = options
  const clock = createVirtualClock()
  const random = createRandom(seed)
  const between = (least, most) => least + random() * (most - least)
  const chainIds = Array.from({ length: chains }, (_, i) => `chain-${i + 1}`)
  const upstreams = createUpstreams({ clock, random, chainIds })
  const store = createSharedStore({ clock, random })
  const gateways = []
  const counts = { deaths: 0, restarts: 0, watched: 0, ended: 0 }
  const waits = []
  const headAges = []
  const durations = []

  const pick = () => gateways[Math.floor(random() * gateways.length)]
  const startOne = () => {
    const gateway = startGateway({ clock, random, store, upstreams })
    gateways.push(gateway)
    for (const chainId of chainIds) {
      gateway.followHeads(chainId, () => void headAges.push(upstreams.ageOfHead(chainId)))
    }
    return gateway
  }
  const remove = () => {
    const index = Math.floor(random() * gateways.length)
    return gateways.splice(index, 1)[0]
  }

  /** What becomes of watchers when their gateway ends. */
  const onEnd = new Map()
  const watch = (key) => {
    const gateway = pick()
    const leave = () => clock.after(between(0.5 * second, 3 * second), () => watch(key))
    const cut = onEnd.get(gateway) ?? new Set()
    onEnd.set(gateway, cut.add(leave))
    gateway.watch(key).then(() => {
      if (!cut.delete(leave)) return
      counts.ended += 1
      waits.push(upstreams.sinceEnd(key))
    })
  }
  const end = (gateway) => {
    for (const leave of onEnd.get(gateway) ?? []) leave()
    onEnd.delete(gateway)
  }

  let transferCount = 0
  const isOver = () => clock.now() > minutes * 60 * second
  const startTransfer = () => {
    if (isOver()) return
    transferCount += 1
    const key = String(transferCount)
    const duration = between(10 * second, 120 * second)
    durations.push(duration)
    upstreams.startTransfer(key, duration)
    counts.watched += watchers
    for (let i = 0; i < watchers; i += 1) {
      clock.after(between(0, Math.min(duration, 30 * second)), () => watch(key))
    }
    // The next one takes its place.
    clock.after(duration, startTransfer)
  }

  for (let i = 0; i < count; i += 1) clock.after(between(0, second), startOne)
  await clock.run(2 * second)
  for (let i = 0; i < transfers; i += 1) clock.after(between(0, 20 * second), startTransfer)
  if (deathsPerMinute > 0) {
    atRandom({ clock, random }, (60 * second) / deathsPerMinute, () => {
      if (isOver() || gateways.length < 2) return
      counts.deaths += 1
      const gateway = remove()
      gateway.die()
      end(gateway)
      clock.after(10 * second, startOne)
    })
  }
  if (restartsPerMinute > 0) {
    atRandom({ clock, random }, (60 * second) / restartsPerMinute, () => {
      if (isOver() || gateways.length < 2) return
      counts.restarts += 1
      startOne()
      const gateway = remove()
      gateway.stop()
      end(gateway)
    })
  }
  await clock.run(minutes * 60 * second)
  const { polls, heads } = upstreams.counts()
  // All that is under way ends.
  await clock.run(180 * second)
  for (const gateway of gateways) gateway.stop()

  const milliseconds = (numbers, share) => Math.round(quantile(numbers, share))
  return {
    gateways: count,
    ...{ transfers: transferCount, watchers: counts.watched, minutes },
    ...{ deaths: counts.deaths, restarts: counts.restarts },
    lost: counts.watched - counts.ended,
    polls,
    transferSeconds: durations.reduce((a, b) => a + b, 0) / durations.length / second,
    mostPollsOfAKeyAtOnce: upstreams.mostAtOnce(),
    mostInFlight: upstreams.mostInFlight(),
    headPollsPerChainAndSecond: heads / chains / (minutes * 60),
    storeOperations: store.operations,
    waitP50Ms: milliseconds(waits, 0.5),
    waitP99Ms: milliseconds(waits, 0.99),
    waitMostMs: milliseconds(waits, 1),
    headAgeP99Ms: milliseconds(headAges, 0.99),
    headAgeMostMs: milliseconds(headAges, 1),
  }
}
