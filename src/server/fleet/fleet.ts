import { loadRedis } from '../../engine/redis/loadRedis.ts'
import { RedisLink, type RedisOptions } from '../../engine/redis/redisLink.ts'
import type { RedisSession } from '../../engine/redis/redisSession.ts'
import type { RenewableSigner } from '../../engine/signing/signer.ts'
import { createFleetEvents } from '../../engine/telemetry/metrics/fleetMetrics.ts'
import type { FleetReport } from '../../engine/telemetry/readiness.ts'
import type { Network } from '../../engine/upstream/network.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import type { SharableBudget } from '../clients/budget.ts'
import type { FleetParts } from './fleetParts.ts'
import { createSharedBuckets } from './sharedBuckets.ts'
import { createLeasedReads } from './sharedReads/leasedReads.ts'
import { createRunRead, createSharedPeers } from './sharedReads/sharedPeers.ts'
import type { PollCaps, RunRead } from './sharedReads/sharedReads.ts'

/** Milliseconds that a poll waits for its turn in the fleet. */
export const fleetWaitMs = 30_000

/**
 * Joins the fleet of a Redis. If no signing keys are configured, there is a key that this gateway has made: the fleet then
 * shares the one of its first gateway.
 */
export function createFleet(redis: RedisOptions, caps: PollCaps, parts: FleetParts, madeKey?: RenewableSigner) {
  const { clock, random, log, metrics } = parts
  let run: RunRead = () => Promise.reject(new Error('The fleet is not open.'))
  let reason: string | undefined
  let changedAt = clock.now()
  const note = (now: string | undefined) => {
    reason = now
    changedAt = clock.now()
  }
  const link = new RedisLink(redis, clock, random, {
    onUp() {
      note(undefined)
      log.info('fleet: Redis is used')
    },
    onDown(now) {
      note(now)
      log.warn({ reason: now }, 'fleet: Redis cannot be used, so this gateway polls by itself')
    },
  })
  if (madeKey) link.use((session) => shareSigningKey(session, madeKey))
  const events = createFleetEvents(metrics, link)
  const reads = createLeasedReads({
    link,
    clock,
    random,
    events,
    caps,
    run: (...read) => run(...read),
  })
  return {
    peers: createSharedPeers(reads),
    /** Makes a budget count what clients spend at all gateways. While Redis is gone, it counts what they spend here. */
    shareBudget: (budget: SharableBudget) => shareFleetBudget(budget, link, clock),
    /**
     * Connects, to send what the fleet asks for to these upstreams. Resolves when the first attempt has ended. Rejects
     * with a sentence for operators if the library for it is not installed.
     */
    async open(network: Network): Promise<void> {
      run = createRunRead(network, clock)
      await loadRedis()
      await link.open()
    },
    /** The report for `/ready`. */
    report: (): FleetReport => ({
      status: link.session ? 'up' : 'down',
      seconds: Math.round((clock.now() - changedAt) / 1000),
      ...(!link.session && reason !== undefined && { reason }),
    }),
    close: () => reads.close(),
  }
}

/**
 * Makes a budget count what clients spend at all gateways of a fleet. Each gateway decides at once by what it
 * knows, so that no query waits for Redis. It knows what a client has spent elsewhere soon after the client
 * has come here. What a client spends in the meantime is taken from what it gets afterwards.
 */
function shareFleetBudget(budget: SharableBudget, link: RedisLink, clock: Clock): SharableBudget {
  const buckets = createSharedBuckets(link, clock, budget.lower)
  const take = (client: string, points: number) => {
    const limit = budget.limitOf(client)
    if (limit) buckets.take(client, points, limit)
  }
  return {
    ...budget,
    charge(client, points) {
      const refusal = budget.charge(client, points)
      // An operation is charged nothing when it arrives. That is when the client is looked up.
      if (!refusal) take(client, points)
      return refusal
    },
    spend(client, points) {
      budget.spend(client, points)
      take(client, points)
    },
  }
}

/** A key as it is kept: 32 bytes in hex. */
const keyForm = /^[0-9a-f]{64}$/

/**
 * Makes the gateways of a fleet sign with one key, so that any of them accepts what another one signed: that
 * of the first gateway. A Redis that lost it gets it back from any gateway that still runs.
 */
async function shareSigningKey(session: RedisSession, signer: RenewableSigner): Promise<void> {
  const name = `${session.prefix}:signing-key`
  const own = Buffer.from(signer.key).toString('hex')
  await session.run((client) => client.set(name, own, 'NX'))
  const shared = await session.run((client) => client.get(name))
  if (shared !== null && shared !== own && keyForm.test(shared)) {
    signer.renew(Buffer.from(shared, 'hex'))
  }
}
