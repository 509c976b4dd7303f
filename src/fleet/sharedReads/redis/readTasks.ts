import type { RedisSession } from '../../redis/redisSession.ts'
import { type RunRead, seriesStart } from '../sharedReads.ts'
import { type Notice, recordOf, type Task } from './messages.ts'
import { deliver, dismiss, type PendingReads } from './pendingReads.ts'
import type { ReadStore } from './readStore.ts'

/** What happens to the reads of a fleet, for metrics. */
export interface FleetEvents {
  /** A read was answered: by this process for the fleet, by the fleet, or by this process alone. */
  onRead(from: 'own' | 'shared' | 'fallback'): void
  onNotice(): void
  /** Bytes of bodies that were written to Redis, or read from it. */
  onBytes(direction: 'written' | 'read', bytes: number): void
}

/** The parts that tasks and notices use. */
export interface TaskContext {
  readonly store: ReadStore
  readonly pending: PendingReads
  readonly events: FleetEvents
}

/** Milliseconds until no process waits for a task any more. */
const forgetTaskMs = 15_000

/** Runs a task for the fleet. Returns the notice of its end, if any process can wait for one. */
export async function runTask(
  { store, pending, events, run }: TaskContext & { readonly run: RunRead },
  session: RedisSession,
  id: string,
  task: Task,
): Promise<Notice | undefined> {
  const { askedAt, maxAgeMs, timeoutMs, ...read } = task
  if (session.now() - askedAt > forgetTaskMs) return undefined
  const known = await store.load(session, id)
  if (known && known.at >= askedAt - maxAgeMs)
    return { at: known.at, since: known.since, hash: known.hash }
  const at = session.now()
  const outcome = await run(read, { signal: session.signal, timeoutMs })
  if (!outcome) return { at, isUnknown: true }
  events.onRead('own')
  const own = pending.get(id)
  if (own) own.ownAt = at
  const since = seriesStart(known, at)
  if ('fault' in outcome) return { at, since, fault: outcome.fault }
  const record = recordOf(outcome, at, since)
  await store.save(session, id, record)
  if (own) own.kept = { hash: record.hash, outcome }
  return { at, since, hash: record.hash }
}

/** Delivers the result of a notice. The body is loaded from Redis if it has changed. */
export async function receiveNotice(
  { store, pending, events }: TaskContext,
  session: RedisSession,
  id: string,
  notice: Notice,
): Promise<void> {
  const read = pending.get(id)
  if (!read) return
  const { at, since, hash, fault } = notice
  // A task that two processes have run has two notices.
  if (at < read.lastAt || (at === read.lastAt && read.waiters.size === 0)) return
  const isOwn = at === read.ownAt
  events.onNotice()
  if (!isOwn) events.onRead('shared')
  const now = session.now()
  const times = { ageMs: now - at, seriesMs: since && now - since }
  if (fault && (isOwn || isOfUpstream(fault))) {
    return deliver(read, { outcome: { fault }, ...times })
  }
  if (hash === undefined) return dismiss(read)
  read.lastAt = at
  if (read.kept?.hash !== hash) {
    const record = await store.load(session, id).catch(() => undefined)
    if (!record) return dismiss(read)
    read.kept = { hash: record.hash, outcome: record.outcome }
  }
  deliver(read, { outcome: read.kept.outcome, ...times })
  if (read.followers.size === 0) read.kept = undefined
}

/**
 * Whether a fault is an answer of the upstream, or its silence. A service that one process could not reach, or
 * does not try to reach now, may answer others.
 */
const isOfUpstream = ({ code, http }: { code: string; http?: unknown }): boolean =>
  http !== undefined || code !== 'UPSTREAM_UNAVAILABLE'
