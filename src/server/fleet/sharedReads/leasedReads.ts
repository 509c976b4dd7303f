import { randomUUID } from 'node:crypto'
import type { RedisLink } from '../../../engine/redis/redisLink.ts'
import type { RedisSession } from '../../../engine/redis/redisSession.ts'
import type { FleetEvents } from '../../../engine/telemetry/metrics/fleetMetrics.ts'
import type { ReadFault } from '../../../engine/upstream/readFault.ts'
import { pause } from '../../../kit/clock/clock.ts'
import { withDeadline } from '../../../kit/clock/deadline.ts'
import { orAborted, SignalSource } from '../../../kit/clock/signal.ts'
import type { FleetParts } from '../fleetParts.ts'
import { answerIn, beginLease, endLease, idOf, type Lease, type SharedAnswer } from './leases.ts'
import type { PollCaps, ReadOptions, ReadRequest, ReadResult, RunRead, SharedReads } from './sharedReads.ts'
import { createWaitingReads, settle, type WaitingRead } from './waitingReads.ts'

/** The parts and bounds of shared reads through Redis. */
interface Context extends Pick<FleetParts, 'clock' | 'random'> {
  readonly link: RedisLink
  readonly run: RunRead
  readonly caps: PollCaps
  readonly events: FleetEvents
  /** The name of this process. */
  readonly self: string
  readonly waiting: ReturnType<typeof createWaitingReads>
  /** The requests that this process sends for the fleet. */
  readonly underWay: Set<Promise<unknown>>
}

/** Milliseconds for the reads under way when the gateway closes. */
const closeTimeoutMs = 4_000

/** Milliseconds to the next attempt while all leases of the fleet are taken, more or less. */
const fullMs = 50

/** The longest time from one read of a series to the next, in milliseconds. A poll waits a minute at most. */
const seriesGapMs = 2 * 60_000

/**
 * Shared reads through Redis. The holder of a lease sends its read, keeps the answer in Redis for all, and publishes it to
 * those that wait. If the holder dies, its lease runs out, and one of the others takes it.
 */
export function createLeasedReads(parts: Omit<Context, 'self' | 'waiting' | 'underWay'>): SharedReads {
  const { link, clock, run, events } = parts
  const waiting = createWaitingReads(link.prefix)
  const context: Context = { ...parts, self: randomUUID(), waiting, underWay: new Set() }
  let isClosed = false
  link.use((session) => waiting.connect(session, (...news) => receive(context, session, ...news)))
  return {
    async read(read, options) {
      const { signal } = options
      if (signal.aborted) throw signal.reason
      const session = isClosed ? undefined : link.session
      const shared = session && readShared(context, session, read, options)
      const result = await shared?.catch(() => undefined)
      if (signal.aborted) throw signal.reason
      if (result) return result
      const outcome = await run(read, options)
      events.onRead('fallback')
      return { outcome, ageMs: 0, isShared: false }
    },
    follow(read, listener) {
      const id = idOf(read)
      const followed = waiting.open(id)
      followed.followers.add(listener)
      // If it fails, the follower still reads by itself, and subscribes again with that.
      if (link.session) waiting.subscribe(link.session, id, followed).catch(() => {})
      return () => {
        followed.followers.delete(listener)
        waiting.release(id, followed)
      }
    },
    async close() {
      isClosed = true
      // Another gateway would wait until the lease of a read that this one leaves runs out.
      const all = () => Promise.allSettled([...context.underWay])
      await withDeadline(clock, { milliseconds: closeTimeoutMs }, all).catch(() => {})
      await link.close()
    },
  }
}

/** The answer of the fleet. Undefined if this process has to send the request itself. */
async function readShared(
  context: Context,
  session: RedisSession,
  read: ReadRequest,
  { signal, maxAgeMs, timeoutMs }: ReadOptions,
): Promise<ReadResult | undefined> {
  const { waiting, clock, random, caps, underWay, events } = context
  const id = idOf(read)
  const own = waiting.open(id)
  const done = new SignalSource()
  let resolve = (_result: ReadResult | undefined) => {}
  const published = new Promise<ReadResult | undefined>((settle) => {
    resolve = settle
  })
  own.waiters.add(resolve)
  const kind = read.service === 'router' ? 'router' : 'indexers'
  const method = read.body === undefined ? 'GET' : 'POST'
  const lease: Lease = { id, kind, method, cap: caps[kind], holder: randomUUID(), timeoutMs }

  const attempt = async (notBefore: number): Promise<ReadResult | undefined> => {
    const { state, text, leftMs } = await beginLease(session, lease, notBefore)
    if (state === 'leased' || state === 'full') {
      const inMs = state === 'full' ? fullMs * (0.5 + random()) : leftMs + 1
      return Promise.race([published, pause(clock, inMs, done).then(() => attempt(notBefore))])
    }
    const answer = answerIn(text)
    if (state === 'begun') {
      const running = runHeld(context, session, { lease, read, before: answer })
      const end = () => underWay.delete(running)
      underWay.add(running)
      running.then(end, end)
      return running
    }
    // What cannot be read is requested again.
    if (!answer) return attempt(Number.MAX_SAFE_INTEGER)
    events.onRead('shared')
    events.onBytes('read', Buffer.byteLength(text))
    return { outcome: answer.outcome, ...agesOf(session, answer), isShared: true }
  }

  try {
    await waiting.subscribe(session, id, own)
    return await orAborted(attempt(Math.max(0, session.now() - maxAgeMs)), signal)
  } finally {
    done.abort()
    own.waiters.delete(resolve)
    waiting.release(id, own)
  }
}

/** Sends a request as the holder of its lease. The others wait for it too, so it does not end with its caller. */
async function runHeld(
  { self, run, events }: Context,
  session: RedisSession,
  { lease, read, before }: { lease: Lease; read: ReadRequest; before: SharedAnswer | undefined },
): Promise<ReadResult> {
  const at = Math.round(session.now())
  const outcome = await run(read, { signal: session.signal, timeoutMs: lease.timeoutMs })
  events.onRead('own')
  const since = before && at - before.at <= seriesGapMs ? before.since : at
  const answer: SharedAnswer = { v: 2, at, since, by: self, outcome }
  // If this fails, those who wait take the lease when it runs out.
  await endLease(session, lease, answer).then(
    (bytes) => events.onBytes('written', bytes),
    () => {},
  )
  return { outcome, ...agesOf(session, answer), ageMs: 0, isShared: false }
}

/** Delivers what was published. */
function receive(
  { self, events }: Context,
  session: RedisSession,
  read: WaitingRead,
  { outcome, by, ...times }: SharedAnswer,
  bytes: number,
): void {
  const isOwn = by === self
  events.onNotice()
  events.onBytes('read', bytes)
  if (!isOwn) events.onRead('shared')
  if ('fault' in outcome && !isOwn && !isOfUpstream(outcome.fault)) {
    settle(read, undefined)
    return
  }
  const result = { outcome, ...agesOf(session, times) }
  if (settle(read, { ...result, isShared: !isOwn }) || isOwn) return
  for (const follower of [...read.followers]) follower({ ...result, isShared: true })
}

const agesOf = (session: RedisSession, { at, since }: Pick<SharedAnswer, 'at' | 'since'>) => ({
  ageMs: Math.max(0, session.now() - at),
  seriesMs: Math.max(0, session.now() - since),
})

/**
 * Whether a fault is an answer of the upstream, or its silence. A service that one process could not reach, or
 * does not try to reach now, may answer others.
 */
const isOfUpstream = ({ code, http }: ReadFault): boolean => http !== undefined || code !== 'UPSTREAM_UNAVAILABLE'
