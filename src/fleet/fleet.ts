import type { Clock } from '../kit/clock/clock.ts'
import { loadPeers } from '../peers/loadPeers.ts'
import type { SharableBudget } from '../server/execution/client.ts'
import type { RenewableSigner } from '../signing/signer.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/metrics.ts'
import type { FleetReport } from '../telemetry/readiness.ts'
import type { Network } from '../upstream/network.ts'
import type { SharedRecords } from '../upstream/sharedRecords.ts'
import type { Peers } from '../watch/peers.ts'
import { loadRedis, redisFeature } from './redis/loadRedis.ts'
import { createRedisLink, type RedisLink } from './redis/redisLink.ts'
import { createSharedBuckets } from './redis/sharedBuckets.ts'
import { createSharedRecords, type SharedRecordsOptions } from './redis/sharedRecords.ts'
import { shareSigningKey } from './redis/signingKey.ts'
import { loadQueue } from './sharedReads/redis/readQueue.ts'
import type { FleetEvents } from './sharedReads/redis/readTasks.ts'
import { createRedisReads } from './sharedReads/redis/redisReads.ts'
import { createRunRead } from './sharedReads/runRead.ts'
import { createSharedPeers } from './sharedReads/sharedPeers.ts'
import type { RunRead } from './sharedReads/sharedReads.ts'

/** The Redis that the gateways of a fleet share. */
export interface RedisOptions {
  /** With `redis:` or `rediss:`. It may hold a user and a password. */
  readonly url: string
  /** What the keys of this fleet begin with. Default: `portolan`. */
  readonly prefix?: string | undefined
  /** Keep records that cannot change in Redis too, for all gateways. Default: false. */
  readonly records?: boolean | undefined
  /** How many processes divide the limits of one gateway between them, as workers do. Default: 1. */
  readonly sharers?: number | undefined
}

/** The fleet, as one of its gateways uses it. */
export interface Fleet {
  readonly peers: Peers
  /** The records that gateways of the fleet have read, if they keep them. */
  readonly records: SharedRecords | undefined
  /** Makes a budget count what clients spend at all gateways. While Redis is gone, it is the one `alone`. */
  shareBudget(budget: SharableBudget, alone: SharableBudget): SharableBudget
  /**
   * Connects, to send what the fleet asks for to these upstreams. Resolves when the first attempt has ended. Rejects
   * with a sentence for operators if the libraries for it are not installed.
   */
  open(network: Network): Promise<void>
  /** The report for `/ready`. */
  report(): FleetReport
  close(): Promise<void>
}

/** Milliseconds that a poll waits for its turn in the fleet. */
export const fleetWaitMs = 30_000

/** The parts of a fleet. */
export interface FleetOptions {
  readonly redis: RedisOptions
  readonly caps: { readonly router: number; readonly indexers: number }
  readonly clock: Clock
  readonly random: () => number
  /** How long records are kept, in milliseconds. */
  readonly cacheTtlMs: number
  readonly log: Log
  readonly metrics: Pick<Metrics, 'gauge' | 'collect'>
  /** Set if no signing keys are configured: the fleet then shares the one that its first gateway made. */
  readonly signer?: RenewableSigner | undefined
}

/** Joins the fleet of a Redis. */
export function createFleet(options: FleetOptions): Fleet {
  const { redis, caps, clock, random, cacheTtlMs, log, metrics, signer } = options
  let run: RunRead = async () => undefined
  let reason: string | undefined
  let changedAt = clock.now()
  const note = (now: string | undefined) => {
    reason = now
    changedAt = clock.now()
  }
  const link = createRedisLink({
    ...{ url: redis.url, prefix: redis.prefix ?? 'portolan', clock, random },
    events: {
      onUp() {
        note(undefined)
        log.info('fleet: Redis is used')
      },
      onDown(now) {
        note(now)
        log.warn({ reason: now }, 'fleet: Redis cannot be used, so this gateway polls by itself')
      },
    },
  })
  if (signer) link.use((session) => shareSigningKey(session, signer))
  const counted = addFleetMetrics(metrics, link)
  const reads = createRedisReads({
    ...{ link, clock, caps, sharers: redis.sharers ?? 1, events: counted.reads },
    run: (...read) => run(...read),
  })
  const keepsRecords = redis.records && cacheTtlMs > 0
  return {
    peers: createSharedPeers(reads),
    shareBudget: (budget, alone) => shareFleetBudget({ budget, alone, link, clock }),
    records: keepsRecords
      ? createSharedRecords({ link, clock, ttlMs: cacheTtlMs, onEvent: counted.onRecord })
      : undefined,
    async open(network) {
      run = createRunRead(network, clock)
      await Promise.all([loadRedis(), loadPeers(redisFeature, loadQueue)])
      await link.open()
    },
    report: () => ({
      status: link.session ? 'up' : 'down',
      seconds: Math.round((clock.now() - changedAt) / 1000),
      ...(!link.session && reason !== undefined && { reason }),
    }),
    close: () => reads.close(),
  }
}

/** The parts of a budget of a fleet. */
export interface FleetBudgetOptions {
  /** The budget of this gateway. */
  readonly budget: SharableBudget
  /** What counts while Redis is gone: the same budget, which workers of one machine may share. */
  readonly alone: SharableBudget
  readonly link: RedisLink
  readonly clock: Clock
}

/**
 * Makes a budget count what clients spend at all gateways of a fleet. Each gateway decides at once by what it
 * knows, so that no query waits for Redis. It knows what a client has spent elsewhere soon after the client
 * has come here. What a client spends in the meantime is taken from what it gets afterwards.
 */
function shareFleetBudget(options: FleetBudgetOptions): SharableBudget {
  const { budget, alone, link, clock } = options
  const buckets = createSharedBuckets({ link, clock, onLeft: budget.lower })
  const take = (client: string, points: number) => {
    const limit = budget.limitOf(client)
    if (limit) buckets.take(client, points, limit)
  }
  // Workers must not report to each other too: Redis reports the same points, and they would count twice.
  const current = () => (link.session ? budget : alone)
  return {
    ...budget,
    charge(client, points) {
      const refusal = current().charge(client, points)
      // An operation is charged nothing when it arrives. That is when the client is looked up.
      if (!refusal) take(client, points)
      return refusal
    },
    spend(client, points) {
      current().spend(client, points)
      take(client, points)
    },
  }
}

/** Counts reads and records that a gateway and its fleet share. */
export interface FleetMetrics {
  readonly reads: FleetEvents
  readonly onRecord: SharedRecordsOptions['onEvent']
}

/** Adds the metrics of a fleet. */
function addFleetMetrics(
  metrics: Pick<Metrics, 'gauge' | 'collect'>,
  link: Pick<RedisLink, 'session' | 'commands'>,
): FleetMetrics {
  const count = (name: string, help: string, label: string, values: readonly string[] = []) => {
    const counts = new Map(values.map((value) => [value, 0]))
    metrics.collect({ name, help, kind: 'counter', label, read: () => counts })
    return (value: string, number = 1) => void counts.set(value, (counts.get(value) ?? 0) + number)
  }
  let notices = 0
  const readUp = () => (link.session ? 1 : 0)
  metrics.gauge('portolan_fleet_up', 'Whether Redis is used now: 1 or 0.', readUp, 'min')
  const onRead = count(
    'portolan_fleet_reads_total',
    'Reads of polls: sent by this gateway for the fleet (own), answered by the fleet (shared), or sent by this gateway alone because Redis could not be used (fallback).',
    'from',
    ['own', 'shared', 'fallback'],
  )
  const onBytes = count(
    'portolan_fleet_bytes_total',
    'Bytes of bodies that were written to Redis, or read from it.',
    'direction',
    ['written', 'read'],
  )
  const onRecord = count(
    'portolan_fleet_records_total',
    'Records looked up in Redis: found (hit), not there (miss), or not answered in time (late); and those written to it.',
    'result',
  )
  metrics.collect({
    name: 'portolan_fleet_messages_total',
    help: 'Commands sent to Redis, and notices received from it.',
    kind: 'counter',
    label: 'kind',
    read: () => [
      ['command', link.commands],
      ['notice', notices],
    ],
  })
  return {
    reads: {
      onRead,
      onBytes,
      onNotice() {
        notices += 1
      },
    },
    onRecord,
  }
}
