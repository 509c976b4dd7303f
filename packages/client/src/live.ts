import { type Course, type EndedConnection, follow, waitOf } from './course.ts'
import type { Operation } from './document.ts'
import { createInbox } from './inbox.ts'
import type { PortolanError } from './portolanError.ts'
import { type LiveEvent, readEvent } from './readEvent.ts'
import type { ResumeRule } from './resume.ts'
import type { Ending, Result, Subscribe } from './transport.ts'
import { pause, type RetryDelay } from './wait.ts'

/** `behind`: the gateway says that records are late or missing. `offline`: the connection was lost. */
export type LiveStatus = 'connecting' | 'live' | 'behind' | 'offline' | 'ended'

/**
 * A subscription that outlives its connections. It begins at once, and ends when its signal aborts or its
 * reader leaves. Rejects with a `PortolanError` if it cannot continue.
 */
export interface Live<Data> extends AsyncIterableIterator<LiveEvent<Data>, undefined> {
  /** The cursor of the last event that was read. Undefined if none had one. */
  readonly cursor: string | undefined
  readonly status: LiveStatus
  /** Why nothing arrives, such as that a proxy buffers. Undefined if that is not known, or something arrives. */
  readonly problem: PortolanError | undefined
  /** Calls back with each new status, and when the problem changes. The returned function stops it. */
  onStatus(listener: (status: LiveStatus) => void): () => void
  return(): Promise<IteratorReturnResult<undefined>>
}

/** The parts that a live subscription is made of. */
export interface LiveOptions {
  readonly operation: Operation
  readonly subscribe: Subscribe
  readonly retryDelay: RetryDelay
  /** A function for each subscription that waits after a lost connection, which ends its wait. */
  readonly sleepers: Set<() => void>
  /** Undefined for a document of which nothing is known. */
  readonly rule: ResumeRule | undefined
  /** The cursor to begin after. */
  readonly from: string | undefined
  readonly signal: AbortSignal | undefined
}

/** Events that wait for a slow reader. Beyond, the subscription pauses, and later continues at its cursor. */
const maxWaiting = 1_000
/** Milliseconds after which a connection counts as one that worked. */
const healthyMs = 10_000

/** Starts a subscription. */
export function createLive<Data>(options: LiveOptions): Live<Data> {
  const { rule, retryDelay, sleepers } = options
  const given = options.operation.variables[rule?.variable ?? '']
  const position = options.from ?? (typeof given === 'string' ? given : undefined)
  const course: Course = { position, attempts: 0, stuck: 0, arrived: 0, isOpened: false }
  const inbox = createInbox<{ event: LiveEvent<Data>; cursor: string | undefined }>(maxWaiting)
  const stopped = new AbortController()
  const listeners = new Set<(status: LiveStatus) => void>()
  let cursor = position
  let status: LiveStatus = 'connecting'
  let problem: PortolanError | undefined

  const setStatus = (next: LiveStatus, why?: PortolanError) => {
    if ((status === next && problem === why) || status === 'ended') return
    status = next
    problem = why
    for (const listener of listeners) listener(next)
  }
  const stop = (error?: Error) => {
    setStatus('ended')
    options.signal?.removeEventListener('abort', abort)
    stopped.abort()
    inbox.close(error)
  }
  const abort = () => stop()
  const put = (event: LiveEvent<Data>) => inbox.put({ event, cursor: course.position })

  const read = (result: Result): Ending | undefined => {
    const reading = readEvent<Data>(result, rule, course.position)
    if (!reading) return undefined
    if ('ending' in reading) return reading.ending
    course.arrived++
    course.position = reading.cursor ?? course.position
    put(reading.event)
    setStatus(reading.event.kind === 'notice' ? 'behind' : 'live')
    return inbox.isFull ? { kind: 'lost' } : undefined
  }
  const opened = () => {
    course.isOpened = true
    if (course.gap) put(course.gap)
    delete course.gap
    setStatus('live')
  }
  const run = async () => {
    while (!stopped.signal.aborted) {
      const leg = await connect(options, course, { read, opened, signal: stopped.signal })
      if (inbox.isFull) await inbox.drained()
      if (stopped.signal.aborted) return
      const next = follow(course, leg, rule)
      if (next === 'end') put({ kind: 'end' })
      if (next !== 'again') return stop(next === 'end' ? undefined : next)
      setStatus('offline', (leg.ending.kind === 'lost' && leg.ending.problem) || problem)
      const wait = 1000 * waitOf(leg.ending)
      const delay = Math.max(wait, retryDelay(course.attempts - 1))
      const isLost = leg.ending.kind === 'lost' && wait === 0
      await pause(delay, stopped.signal, isLost ? sleepers : undefined)
    }
  }

  options.signal?.addEventListener('abort', abort)
  if (options.signal?.aborted) stop()
  else run().catch(stop)

  const done = { value: undefined, done: true } as const
  return {
    get cursor() {
      return cursor
    },
    get status() {
      return status
    },
    get problem() {
      return problem
    },
    onStatus(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async next() {
      const entry = await inbox.take()
      if (!entry) return done
      cursor = entry.cursor
      return { value: entry.event, done: false }
    },
    async return() {
      inbox.clear()
      stop()
      return done
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** The follower of one connection. */
interface Follower {
  readonly opened: () => void
  /** Reads an event. Returns why the connection has to end, if it has to. */
  readonly read: (result: Result) => Ending | undefined
  readonly signal: AbortSignal
}

/** One connection, from the position of the course on. Resolves when it is over. */
const connect = (
  { operation, subscribe, rule }: LiveOptions,
  course: Course,
  { opened, read, signal }: Follower,
): Promise<EndedConnection> =>
  new Promise((resolve) => {
    const startedAt = Date.now()
    let isOver = false
    const { arrived, position } = course
    let leave: (() => void) | undefined
    const end = (ending: Ending) => {
      if (isOver) return
      isOver = true
      leave?.()
      signal.removeEventListener('abort', abort)
      resolve({ ending, isHealthy: course.arrived > arrived || Date.now() - startedAt > healthyMs })
    }
    const abort = () => end({ kind: 'lost' })
    signal.addEventListener('abort', abort)
    // A cursor that was dropped is not sent again, though the reader passed it as a variable.
    const after = rule?.variable && { [rule.variable]: position }
    const variables = { ...operation.variables, ...after }
    leave = subscribe(
      { ...operation, variables },
      {
        opened,
        next(result) {
          if (isOver) return
          const ending = read(result)
          if (ending) end(ending)
        },
        end,
      },
    )
    if (isOver) leave()
  })
