import type { Clock } from '../clock/clock.ts'
import { shareFleetBudget } from './fleetBudget.ts'
import type { Backplane } from '../polling/backplane/backplane.ts'
import { createFleetReadings } from '../polling/backplane/fleet/fleetReadings.ts'
import type { RunRead } from '../polling/backplane/readings.ts'
import { createRunRead } from '../polling/backplane/runRead.ts'
import { createSharedBackplane } from '../polling/backplane/sharedBackplane.ts'
import { createRedisLink } from '../redis/redisLink.ts'
import { createSharedRecords } from '../redis/sharedRecords.ts'
import { shareSigningKey } from '../redis/signingKey.ts'
import type { SharableBudget } from '../server/execution/client.ts'
import type { Log } from '../server/observability/log.ts'
import type { Metrics } from '../server/observability/metrics/metrics.ts'
import type { FleetReport } from '../server/observability/readiness.ts'
import type { RenewableSigner } from '../signing/signer.ts'
import type { Network } from '../upstream/network.ts'
import type { SharedRecords } from '../upstream/sharedRecords.ts'

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

/** What a gateway has of its fleet. */
export interface Fleet {
  readonly backplane: Backplane
  /** The records that gateways of the fleet have read, if they keep them. */
  readonly records: SharedRecords | undefined
  /** Makes a budget count what clients spend at all gateways. While Redis is gone, it is the one `alone`. */
  shareBudget(budget: SharableBudget, alone: SharableBudget): SharableBudget
  /** Connects, to send what the fleet asks for to these upstreams. Resolves when the first attempt has ended. */
  open(network: Network): Promise<void>
  /** What `/ready` says of it. */
  report(): FleetReport
  close(): Promise<void>
}

/** Milliseconds that a poll waits for its turn in the fleet. */
export const fleetWaitMs = 30_000

/** Joins the fleet of a Redis. */
export function createFleet(options: {
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
}): Fleet {
  const { redis, caps, clock, random, cacheTtlMs, log, metrics, signer } = options
  const counts = {
    reads: new Map([
      ['own', 0],
      ['shared', 0],
      ['fallback', 0],
    ]),
    bytes: new Map([
      ['written', 0],
      ['read', 0],
    ]),
    notices: 0,
  }
  const add = (map: Map<string, number>, label: string, number = 1) =>
    void map.set(label, (map.get(label) ?? 0) + number)
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
  const readings = createFleetReadings({
    ...{ link, clock, caps, sharers: redis.sharers ?? 1, run: (...read) => run(...read) },
    events: {
      onRead: (from) => add(counts.reads, from),
      onNotice: () => {
        counts.notices += 1
      },
      onBytes: (direction, bytes) => add(counts.bytes, direction, bytes),
    },
  })
  const recordCounts = new Map<string, number>()
  const records =
    redis.records && cacheTtlMs > 0
      ? createSharedRecords({
          ...{ link, clock, ttlMs: cacheTtlMs },
          onEvent: (event) => add(recordCounts, event),
        })
      : undefined
  const readUp = () => (link.session ? 1 : 0)
  metrics.gauge('portolan_fleet_up', 'Whether Redis is used now: 1 or 0.', readUp, 'min')
  metrics.collect({
    name: 'portolan_fleet_reads_total',
    help: 'Reads of polls: sent by this gateway for the fleet (own), answered by the fleet (shared), or sent by this gateway alone because Redis could not be used (fallback).',
    kind: 'counter',
    label: 'from',
    read: () => counts.reads,
  })
  metrics.collect({
    name: 'portolan_fleet_bytes_total',
    help: 'Bytes of bodies that were written to Redis, or read from it.',
    kind: 'counter',
    label: 'direction',
    read: () => counts.bytes,
  })
  metrics.collect({
    name: 'portolan_fleet_records_total',
    help: 'Records looked up in Redis: found (hit), not there (miss), or not answered in time (late); and those written to it.',
    kind: 'counter',
    label: 'result',
    read: () => recordCounts,
  })
  metrics.collect({
    name: 'portolan_fleet_messages_total',
    help: 'Commands sent to Redis, and notices received from it.',
    kind: 'counter',
    label: 'kind',
    read: () => [
      ['command', link.commands],
      ['notice', counts.notices],
    ],
  })
  return {
    backplane: createSharedBackplane(readings),
    shareBudget: (budget, alone) => shareFleetBudget({ budget, alone, link, clock }),
    records,
    open(network) {
      run = createRunRead(network, clock)
      return link.open()
    },
    report: () => ({
      status: link.session ? 'up' : 'down',
      seconds: Math.round((clock.now() - changedAt) / 1000),
      ...(!link.session && reason !== undefined && { reason }),
    }),
    close: () => readings.close(),
  }
}
