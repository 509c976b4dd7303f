// Attacks that run one after the other, on upstreams that no other lane uses.
import { setTimeout as sleep } from 'node:timers/promises'
import { heapFlags, startChild } from '../../../bench/children.mjs'
import { createAttacker } from './attacker.mjs'

/** What every upstream takes to answer, unless an attack says otherwise. */
const upstreamLatency = ['harbor-1', 'galley-1', 'lantern-1', 'router'].map((service) => [
  service,
  '/',
  { kind: 'latency', ms: 20 },
])
/** Longest time of one attack, in milliseconds. */
const patience = 90_000

const modulePath = (name) => new URL(`./${name}.mjs`, import.meta.url).pathname

/**
 * A gateway with an honest client. The heap is bounded, so that what takes too much ends the process: to 1 GiB, as
 * that of a small container, or to what the attack says.
 */
async function startStage(upstreams, isShort, { gateway: given = {}, oldSpaceMiB = 1_024 } = {}) {
  const options = typeof given === 'function' ? given(upstreams.start) : given
  const gateway = await startChild(
    modulePath('../gateway'),
    {
      chains: upstreams.start.indexers,
      router: { url: upstreams.start.routerUrl },
      ...options,
    },
    // As `npm start` and the container run it.
    { execArgv: ['--expose-gc', `--max-old-space-size=${oldSpaceMiB}`, ...heapFlags] },
  )
  const { url } = gateway.start
  const victim = await startChild(modulePath('victim'), { url, intervalMs: isShort ? 100 : 50 })
  return {
    gateway,
    victim,
    url,
    stop: () => Promise.all([gateway.stop(), victim.stop()]),
  }
}

/**
 * An honest client of a gateway that nobody attacks: it shows what the machine itself takes while an attack,
 * its upstreams and all else share the cores.
 */
async function startControl() {
  const upstreams = await startChild(modulePath('upstreams'))
  const stage = await startStage(upstreams, false)
  return {
    async begin(attack) {
      await upstreams.ask('setFaults', [...upstreamLatency, ...(attack.faults ?? [])])
      await stage.victim.ask('begin', attack.victim)
    },
    end: () => stage.victim.ask('end'),
    stop: () => Promise.all([stage.stop(), upstreams.stop()]),
  }
}

/** Runs an attack with the honest client beside it, and says what became of both. */
async function runAttack(attack, { stage, upstreams, control, address, isShort }) {
  const { gateway, victim, url } = stage
  await upstreams.ask('setFaults', [...(isShort ? [] : upstreamLatency), ...(attack.faults ?? [])])
  await upstreams.ask('servePages', attack.servesPages)
  // The short form has no bound of the slowdown.
  const alone = isShort ? undefined : await measureAlone(victim, attack)

  const attacker = createAttacker(url, { scale: isShort ? 0.1 : 1, address })
  const idle = await gateway.ask('begin')
  await victim.ask('begin', attack.victim)
  await control?.begin(attack)
  const outcome = await Promise.race([
    attack.run({ ...attacker, gateway, upstreams }),
    sleep(patience, { note: 'given up', failures: ['the attack did not end'] }),
  ])
  // Long enough for a median, however soon the attack was refused.
  await sleep(isShort ? 300 : 2_000)
  const beside = await victim.ask('end')
  const elsewhere = await control?.end()
  const watched = await gateway.ask('end').catch(() => undefined)
  await attacker.close()
  const heap = watched && watched.highestHeap - idle
  return { attack, outcome, alone, beside, elsewhere, heap, ...watched }
}

/** What the honest client gets before the attack. */
async function measureAlone(victim, attack) {
  await victim.ask('begin', attack.victim)
  await sleep(1_500)
  return victim.ask('end')
}

/** Whether a machine that is busy with something else can be the reason. */
const canBeChance = (failures) =>
  failures.length > 0 && failures.every((one) => ['answers', 'event loop', 'heap'].includes(one))

/**
 * Runs attacks in order, and gives their results. `failuresOf` says why a result is outside the bounds, and
 * `onResult` is told each with its failures.
 */
export async function runLane(attacks, { isShort, failuresOf, onResult }) {
  const control = isShort ? undefined : await startControl()
  const upstreams = await startChild(modulePath('upstreams'))
  const results = []
  let shared
  for (const [index, attack] of attacks.entries()) {
    // Documents leave nothing behind, so they share a gateway. In the short form most attacks do, but a
    // breaker that opens when an upstream fails is none of the attacker's work.
    const canShare = (attack.isDocument || isShort) && !attack.gateway && !attack.oldSpaceMiB && !attack.faults
    const stage = (canShare && shared) || (await startStage(upstreams, isShort, attack))
    const address = `198.51.100.${index + 1}`
    const run = () => runAttack(attack, { stage, upstreams, control, address, isShort })
    let result = await run()
    // On a busy machine a bound may be broken by chance, but hardly twice.
    if (isShort && canBeChance(failuresOf(result))) result = await run()
    const rated = { ...result, failures: failuresOf(result) }
    results.push(rated)
    onResult(rated)
    if (canShare && stage.gateway.exitCode === undefined) shared = stage
    else {
      await stage.stop()
      if (stage === shared) shared = undefined
    }
  }
  await shared?.stop()
  await upstreams.stop()
  await control?.stop()
  return results
}
