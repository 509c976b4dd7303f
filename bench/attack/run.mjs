// npm run attack: every known attack on a gateway, with an honest client beside it.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startChild } from '../children.mjs'
import { printTable } from '../report.mjs'
import { createAttacker } from './attacker.mjs'
import { documentAttacks } from './attacks/documents.mjs'
import { operationAttacks } from './attacks/operations.mjs'
import { operatorAttacks } from './attacks/operators.mjs'
import { stalledAttacks } from './attacks/stalled.mjs'
import { streamAttacks } from './attacks/streams.mjs'
import { upstreamAttacks } from './attacks/upstreams.mjs'
import { wireAttacks } from './attacks/wire.mjs'

const { values } = parseArgs({
  options: {
    // A tenth of each attack, and only the bounds that no slow machine breaks.
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})
const isShort = values.short
const scale = isShort ? 0.1 : 1
const bounds = {
  heapMiB: 256,
  stillMs: isShort ? 500 : 250,
  keptShare: 0.99,
  slowdown: 2,
}
/** What every upstream takes to answer, unless an attack says otherwise. */
const upstreamLatency = ['harbor-1', 'galley-1', 'lantern-1', 'router'].map((service) => [
  service,
  '/',
  { kind: 'latency', ms: 20 },
])
/** Longest time of one attack, in milliseconds. */
const patience = 90_000
const attacks = [
  ...operationAttacks,
  ...streamAttacks,
  ...stalledAttacks,
  ...wireAttacks,
  ...upstreamAttacks,
  ...documentAttacks,
  ...operatorAttacks,
].filter(({ name }) => values.only.split('|').some((part) => name.includes(part)))

const modulePath = (name) => new URL(`./${name}.mjs`, import.meta.url).pathname

/** A gateway with an honest client. The heap is bounded, so that what takes too much ends the process. */
async function startStage(upstreams, given = {}) {
  const options = typeof given === 'function' ? given(upstreams.start) : given
  const gateway = await startChild(
    modulePath('../gateway'),
    {
      chains: upstreams.start.indexers,
      router: { url: upstreams.start.routerUrl },
      ...options,
    },
    // As `npm start` and the container run it.
    { execArgv: ['--expose-gc', '--max-old-space-size=1024', '--max-semi-space-size=32'] },
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

/** Runs an attack with the honest client beside it, and says what became of both. */
async function run(attack, stage, upstreams, address) {
  const { gateway, victim, url } = stage
  await upstreams.ask('setFaults', [...(isShort ? [] : upstreamLatency), ...(attack.faults ?? [])])
  await upstreams.ask('servePages', attack.servesPages)
  await control?.upstreams.ask('setFaults', [...upstreamLatency, ...(attack.faults ?? [])])
  // The short form has no bound of the slowdown.
  const alone = isShort ? undefined : await measureAlone(victim, attack)

  const attacker = createAttacker(url, { scale, address })
  const idle = await gateway.ask('begin')
  await victim.ask('begin', attack.victim)
  await control?.stage.victim.ask('begin', attack.victim)
  const outcome = await Promise.race([
    attack.run({ ...attacker, gateway, upstreams }),
    sleep(patience, { note: 'given up', failures: ['the attack did not end'] }),
  ])
  // Long enough for a median, however soon the attack was refused.
  await sleep(isShort ? 300 : 2_000)
  const beside = await victim.ask('end')
  const elsewhere = await control?.stage.victim.ask('end')
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

/** Whether a machine that is busy with something else can be the reason. */
const canBeChance = (failures) =>
  failures.length > 0 && failures.every((one) => ['answers', 'event loop', 'heap'].includes(one))

/**
 * An honest client of a second gateway, which nobody attacks: it shows what the machine itself takes
 * while the attack, its upstreams and all else share the cores.
 */
async function startControl() {
  const upstreams = await startChild(modulePath('upstreams'))
  const stage = await startStage(upstreams)
  return { upstreams, stage }
}

const control = isShort ? undefined : await startControl()
const upstreams = await startChild(modulePath('upstreams'))
const results = []
let shared
for (const [index, attack] of attacks.entries()) {
  // Documents leave nothing behind, so they share a gateway. In the short form most attacks do, but a
  // breaker that opens when an upstream fails is none of the attacker's work.
  const canShare = (attack.isDocument || isShort) && !attack.gateway && !attack.faults
  const stage = (canShare && shared) || (await startStage(upstreams, attack.gateway))
  const address = `198.51.100.${index + 1}`
  let result = await run(attack, stage, upstreams, address)
  // On a busy machine a bound may be broken by chance, but hardly twice.
  if (isShort && canBeChance(failuresOf(result))) {
    result = await run(attack, stage, upstreams, address)
  }
  const failures = failuresOf(result)
  results.push({ ...result, failures })
  process.stderr.write(
    `${failures.length === 0 ? 'held ' : 'BROKE'} ${attack.name} ${failures.join(', ')}\n`,
  )
  if (canShare && stage.gateway.exitCode === undefined) shared = stage
  else {
    await stage.stop()
    if (stage === shared) shared = undefined
  }
}
await shared?.stop()
await upstreams.stop()
await control?.stage.stop()
await control?.upstreams.stop()

const mib = (bytes) => (bytes === undefined ? '-' : (bytes / 2 ** 20).toFixed(0))
printTable(
  `${results.length} attacks${isShort ? ', a tenth of each' : ''}, Node ${process.versions.node}`,
  [
    '',
    'heap +MiB',
    'still ms',
    'of wall',
    'kept',
    'p50 alone',
    'p50 beside',
    'attacker',
    'outside',
  ],
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
