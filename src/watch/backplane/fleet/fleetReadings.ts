import type { RedisLink } from '../../../fleet/redis/redisLink.ts'
import type { RedisSession } from '../../../fleet/redis/redisSession.ts'
import type { Clock } from '../../../kit/clock/clock.ts'
import { pause } from '../../../kit/clock/clock.ts'
import { withDeadline } from '../../../kit/clock/deadline.ts'
import { createSignal, orAborted, type Signal } from '../../../kit/clock/signal.ts'
import {
  type Outcome,
  type Read,
  type Reading,
  type Readings,
  type ReadOptions,
  type RunRead,
  seriesStart,
} from '../readings.ts'
import { createEntries, deliver, dismiss } from './entries.ts'
import { type News, openNews } from './news.ts'
import { openReadQueue, type ReadQueue } from './readQueue.ts'
import { decodeRecord, encodeRecord, idOf, type Notice, recordOf, type Task } from './record.ts'

/** What happens to the reads of a fleet, for metrics. */
export interface FleetEvents {
  /** A read was answered: by this process for the fleet, by the fleet, or by this process alone. */
  onRead(from: 'own' | 'shared' | 'fallback'): void
  onNotice(): void
  /** Bytes of bodies that were written to Redis, or read from it. */
  onBytes(direction: 'written' | 'read', bytes: number): void
}

/** What a fleet runs on. */
export interface FleetOptions {
  readonly link: RedisLink
  readonly clock: Clock
  readonly run: RunRead
  /** The most requests in flight of this process. */
  readonly caps: { readonly router: number; readonly indexers: number }
  /** How many processes have these caps together. The cap of the fleet is the sum of theirs. */
  readonly sharers: number
  readonly events: FleetEvents
}

/** What runs while there is a session. */
interface Fleet {
  readonly session: RedisSession
  readonly news: News
  readonly queueOf: (read: Pick<Read, 'service'>) => ReadQueue
  /** Ends the tasks of this process. */
  close(): Promise<unknown>
}

/** How long a body is kept, in milliseconds. */
const keepMs = 10 * 60_000

/** Milliseconds after which nobody waits for a task any more. */
const forgetTaskMs = 15_000

/** Milliseconds for the tasks under way when the gateway closes. */
const closeTimeoutMs = 4_000

/** Milliseconds after which whoever waits for a notice asks whether its task still exists. */
const patienceMs = 10_000

/** Readings through Redis: tasks in a BullMQ queue, bodies in keys, and notices by pub/sub. */
export function createFleetReadings(options: FleetOptions): Readings {
  const { link, clock, run, caps, sharers, events } = options
  let fleet: Fleet | undefined
  const entries = createEntries((id) => fleet?.news.leave(id))

  const load = async ({ prefix, run }: RedisSession, id: string) => {
    const text = await run((client) => client.get(`${prefix}:reading:${id}`))
    if (text !== null) events.onBytes('read', Buffer.byteLength(text))
    return decodeRecord(text)
  }

  const onNotice = async (session: RedisSession, id: string, notice: Notice) => {
    const entry = entries.get(id)
    if (!entry) return
    const { at, since, hash, fault } = notice
    // A task that two processes have run is told twice.
    if (at < entry.lastAt || (at === entry.lastAt && entry.waiters.size === 0)) return
    const isOwn = at === entry.ownAt
    events.onNotice()
    if (!isOwn) events.onRead('shared')
    const now = session.now()
    const times = { ageMs: now - at, seriesMs: since && now - since }
    if (fault && (isOwn || isOfUpstream(fault))) {
      return deliver(entry, { outcome: { fault }, ...times })
    }
    if (hash === undefined) return dismiss(entry)
    entry.lastAt = at
    if (entry.kept?.hash !== hash) {
      const record = await load(session, id).catch(() => undefined)
      if (!record) return dismiss(entry)
      entry.kept = { hash: record.hash, outcome: record.outcome }
    }
    deliver(entry, { outcome: entry.kept.outcome, ...times })
    if (entry.followers.size === 0) entry.kept = undefined
  }

  /** Runs a task for the fleet. */
  const runTask = async (
    session: RedisSession,
    id: string,
    task: Task,
  ): Promise<Notice | undefined> => {
    const { askedAt, maxAgeMs, timeoutMs, ...read } = task
    if (session.now() - askedAt > forgetTaskMs) return undefined
    const known = await load(session, id)
    if (known && known.at >= askedAt - maxAgeMs)
      return { at: known.at, since: known.since, hash: known.hash }
    const at = session.now()
    const outcome = await run(read, { signal: session.signal, timeoutMs })
    if (!outcome) return { at, isUnknown: true }
    events.onRead('own')
    const entry = entries.get(id)
    if (entry) entry.ownAt = at
    const since = seriesStart(known, at)
    if ('fault' in outcome) return { at, since, fault: outcome.fault }
    const record = recordOf(outcome, at, since)
    const text = encodeRecord(record)
    events.onBytes('written', Buffer.byteLength(text))
    await session.run((client) => client.set(`${session.prefix}:reading:${id}`, text, 'PX', keepMs))
    if (entry) entry.kept = { hash: record.hash, outcome }
    return { at, since, hash: record.hash }
  }

  link.use(async (session) => {
    const news = openNews(session, (id, notice) => void onNotice(session, id, notice))
    const open = (name: 'router' | 'indexers') =>
      openReadQueue(session, {
        name,
        cap: caps[name] * sharers,
        ownCap: caps[name],
        run: (id, task) => runTask(session, id, task),
        tell: news.tell,
      })
    const [router, indexers] = await Promise.all([open('router'), open('indexers')])
    await Promise.all(entries.ids().map(news.join))
    if (session.signal.aborted) return
    fleet = {
      ...{ session, news },
      queueOf: ({ service }) => (service === 'router' ? router : indexers),
      close: () => Promise.all([router.close(), indexers.close()]),
    }
    session.signal.addEventListener('abort', () => {
      fleet = undefined
      entries.dismissAll()
    })
  })

  /** A read without the fleet. */
  const runAlone = async (read: Read, options: ReadOptions): Promise<Reading> => {
    const outcome = (await run(read, options)) ?? unknownService(read)
    events.onRead('fallback')
    return { outcome, ageMs: 0, isShared: false }
  }

  /** The reading of the fleet. Undefined if this process has to read by itself. */
  const readShared = async (
    { session, news, queueOf }: Fleet,
    read: Read,
    { signal, maxAgeMs, timeoutMs }: ReadOptions,
  ): Promise<Reading | undefined> => {
    const id = idOf(read)
    const entry = entries.open(id)
    const done = createSignal()
    let resolve = (_reading: Reading | undefined) => {}
    const notice = new Promise<Reading | undefined>((settle) => {
      resolve = settle
    })
    entry.waiters.add(resolve)
    try {
      await news.join(id)
      const askedAt = session.now()
      const known = await load(session, id)
      if (known && askedAt - known.at <= maxAgeMs) {
        events.onRead('shared')
        const ageMs = Math.max(0, askedAt - known.at)
        const seriesMs = Math.max(0, askedAt - known.since)
        return { outcome: known.outcome, ageMs, seriesMs, isShared: true }
      }
      const queue = queueOf(read)
      const task = { ...read, askedAt, timeoutMs, maxAgeMs: Math.min(maxAgeMs, keepMs) }
      await queue.add(id, task)
      const waiting = untilGone(queue, id, done)
      return await orAborted(Promise.race([notice, waiting]), signal)
    } finally {
      done.abort()
      entry.waiters.delete(resolve)
      entries.release(id, entry)
    }
  }

  /** Resolves when a task has been gone for some time, and no notice has come. */
  const untilGone = async (queue: ReadQueue, id: string, done: Signal): Promise<undefined> => {
    try {
      do await pause(clock, patienceMs, done)
      while (await queue.has(id))
    } catch {
      // Nobody waits any more, or Redis fails.
    }
    return undefined
  }

  return {
    async read(read, options) {
      const { signal } = options
      if (signal.aborted) throw signal.reason
      const open = fleet
      const reading = open && (await readShared(open, read, options).catch(() => undefined))
      if (signal.aborted) throw signal.reason
      return reading ?? runAlone(read, options)
    },
    follow(read, listener) {
      const id = idOf(read)
      const entry = entries.open(id)
      entry.followers.add(listener)
      // If it fails, whoever follows still reads by itself, and joins again with that.
      fleet?.news.join(id).catch(() => {})
      return () => {
        entry.followers.delete(listener)
        entries.release(id, entry)
      }
    },
    async close() {
      const open = fleet
      fleet = undefined
      const late = { milliseconds: closeTimeoutMs }
      // Another gateway would wait some seconds for a task that this one leaves.
      await withDeadline(clock, late, async () => open?.close()).catch(() => {})
      await link.close()
    },
  }
}

/**
 * Whether a fault is an answer of the upstream, or its silence. What one process could not reach, or does
 * not try to reach now, others may.
 */
const isOfUpstream = ({ code, http }: { code: string; http?: unknown }): boolean =>
  http !== undefined || code !== 'UPSTREAM_UNAVAILABLE'

const unknownService = ({ service }: Read): Outcome => ({
  fault: {
    code: 'UPSTREAM_UNAVAILABLE',
    message: 'The service is not configured any more.',
    service,
  },
})
