import { type Clock, pause } from '../../../kit/clock/clock.ts'
import { withDeadline } from '../../../kit/clock/deadline.ts'
import { createSignal, orAborted, type Signal } from '../../../kit/clock/signal.ts'
import type { RedisLink } from '../../redis/redisLink.ts'
import type { RedisSession } from '../../redis/redisSession.ts'
import type {
  Outcome,
  ReadOptions,
  ReadRequest,
  ReadResult,
  RunRead,
  SharedReads,
} from '../sharedReads.ts'
import { decodeNotice, encodeNotice, idOf, type Notice } from './messages.ts'
import { createPendingReads, type PendingReads } from './pendingReads.ts'
import { openReadQueue, type ReadQueue } from './readQueue.ts'
import { createReadStore, keepMs, type ReadStore } from './readStore.ts'
import { type FleetEvents, receiveNotice, runTask } from './readTasks.ts'

/** The parts and bounds of shared reads through Redis. */
export interface RedisReadsOptions {
  readonly link: RedisLink
  readonly clock: Clock
  readonly run: RunRead
  /** The most requests in flight of this process. */
  readonly caps: { readonly router: number; readonly indexers: number }
  /** How many processes have these caps together. The cap of the fleet is the sum of theirs. */
  readonly sharers: number
  readonly events: FleetEvents
}

/** The parts that run while there is a session. */
interface Connected {
  readonly session: RedisSession
  readonly notifications: ReadNotifications
  readonly queueOf: (read: Pick<ReadRequest, 'service'>) => ReadQueue
  /** Ends the tasks of this process. */
  close(): Promise<unknown>
}

interface Context {
  readonly options: RedisReadsOptions
  readonly pending: PendingReads
  readonly store: ReadStore
}

/** Milliseconds for the tasks under way when the gateway closes. */
const closeTimeoutMs = 4_000

/** Milliseconds to wait for a notice. Then a caller checks that its task still exists. */
const noticeTimeoutMs = 10_000

/** Shared reads through Redis: tasks in a BullMQ queue, bodies in keys, and notices by pub/sub. */
export function createRedisReads(options: RedisReadsOptions): SharedReads {
  const { link, run, events } = options
  let connected: Connected | undefined
  const pending = createPendingReads((id) => connected?.notifications.leave(id))
  const context = { options, pending, store: createReadStore(events.onBytes) }
  link.use(async (session) => {
    const opened = await connect(context, session)
    if (session.signal.aborted) return
    connected = opened
    session.signal.addEventListener('abort', () => {
      connected = undefined
      pending.dismissAll()
    })
  })

  /** A read without the fleet. */
  const runAlone = async (read: ReadRequest, options: ReadOptions): Promise<ReadResult> => {
    const outcome = (await run(read, options)) ?? unknownService(read)
    events.onRead('fallback')
    return { outcome, ageMs: 0, isShared: false }
  }

  return {
    async read(read, options) {
      const { signal } = options
      if (signal.aborted) throw signal.reason
      const open = connected
      const result = open && (await readShared(context, open, read, options).catch(() => undefined))
      if (signal.aborted) throw signal.reason
      return result ?? runAlone(read, options)
    },
    follow(read, listener) {
      const id = idOf(read)
      const followed = pending.open(id)
      followed.followers.add(listener)
      // If it fails, the follower still reads by itself, and joins again with that.
      connected?.notifications.join(id).catch(() => {})
      return () => {
        followed.followers.delete(listener)
        pending.release(id, followed)
      }
    },
    async close() {
      const open = connected
      connected = undefined
      const late = { milliseconds: closeTimeoutMs }
      // Another gateway would wait some seconds for a task that this one leaves.
      await withDeadline(options.clock, late, async () => open?.close()).catch(() => {})
      await link.close()
    },
  }
}

/** Opens the queues and the notices of a session. */
async function connect(context: Context, session: RedisSession): Promise<Connected> {
  const { options, pending } = context
  const { caps, sharers, run, events } = options
  const parts = { ...context, run, events }
  const notifications = openNotifications(
    session,
    (id, notice) => void receiveNotice(parts, session, id, notice),
  )
  const open = (name: 'router' | 'indexers') =>
    openReadQueue(session, {
      name,
      cap: caps[name] * sharers,
      ownCap: caps[name],
      run: (id, task) => runTask(parts, session, id, task),
      publish: notifications.publish,
    })
  const [router, indexers] = await Promise.all([open('router'), open('indexers')])
  await Promise.all(pending.ids().map(notifications.join))
  return {
    ...{ session, notifications },
    queueOf: ({ service }) => (service === 'router' ? router : indexers),
    close: () => Promise.all([router.close(), indexers.close()]),
  }
}

/** The result of the fleet. Undefined if this process has to send the request itself. */
async function readShared(
  { options: { clock, events }, pending, store }: Context,
  { session, notifications, queueOf }: Connected,
  read: ReadRequest,
  { signal, maxAgeMs, timeoutMs }: ReadOptions,
): Promise<ReadResult | undefined> {
  const id = idOf(read)
  const own = pending.open(id)
  const done = createSignal()
  let resolve = (_result: ReadResult | undefined) => {}
  const notice = new Promise<ReadResult | undefined>((settle) => {
    resolve = settle
  })
  own.waiters.add(resolve)
  try {
    await notifications.join(id)
    const askedAt = session.now()
    const known = await store.load(session, id)
    if (known && askedAt - known.at <= maxAgeMs) {
      events.onRead('shared')
      const ageMs = Math.max(0, askedAt - known.at)
      const seriesMs = Math.max(0, askedAt - known.since)
      return { outcome: known.outcome, ageMs, seriesMs, isShared: true }
    }
    const queue = queueOf(read)
    const task = { ...read, askedAt, timeoutMs, maxAgeMs: Math.min(maxAgeMs, keepMs) }
    await queue.add(id, task)
    const waiting = untilGone(clock, queue, id, done)
    return await orAborted(Promise.race([notice, waiting]), signal)
  } finally {
    done.abort()
    own.waiters.delete(resolve)
    pending.release(id, own)
  }
}

/** Resolves when a task has been gone for some time, and no notice has come. */
async function untilGone(clock: Clock, queue: ReadQueue, id: string, done: Signal) {
  try {
    do await pause(clock, noticeTimeoutMs, done)
    while (await queue.has(id))
  } catch {
    // No caller waits any more, or Redis fails.
  }
  return undefined
}

const unknownService = ({ service }: ReadRequest): Outcome => ({
  fault: {
    code: 'UPSTREAM_UNAVAILABLE',
    message: 'The service is not configured any more.',
    service,
  },
})

/** Notices of reads that have ended, between all gateways. */
export interface ReadNotifications {
  /** Resolves when notices of this read arrive. */
  join(id: string): Promise<void>
  leave(id: string): void
  publish(id: string, notice: Notice): void
}

/** Opens the notices of a session. A message that is not a notice of this version is ignored. */
function openNotifications(
  session: RedisSession,
  onNotice: (id: string, notice: Notice) => void,
): ReadNotifications {
  const channels = `${session.prefix}:news:`
  const subscriber = session.connect()
  const joined = new Map<string, Promise<void>>()
  subscriber.on('message', (channel: string, message: string) => {
    const notice = channel.startsWith(channels) && decodeNotice(message)
    if (notice) onNotice(channel.slice(channels.length), notice)
  })
  return {
    join(id) {
      const known = joined.get(id)
      if (known) return known
      const joining = session.run(async () => {
        await subscriber.subscribe(channels + id)
      })
      joining.catch(() => joined.delete(id))
      joined.set(id, joining)
      return joining
    },
    leave(id) {
      if (!joined.delete(id) || session.signal.aborted) return
      subscriber.unsubscribe(channels + id).catch(() => {})
    },
    publish(id, notice) {
      // A lost notice only costs time: all processes that wait for it read again.
      session.run((client) => client.publish(channels + id, encodeNotice(notice))).catch(() => {})
    },
  }
}
