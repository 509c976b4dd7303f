import type { Redis, RedisOptions } from 'ioredis'
import type { Clock } from '../../kit/clock/clock.ts'
import { withDeadline } from '../../kit/clock/deadline.ts'
import { createSignal, type Signal } from '../../kit/clock/signal.ts'
import { loadRedis } from './loadRedis.ts'

/** Connections to Redis that live and end together. They are never connected again: a new session is. */
export interface RedisSession {
  /** The prefix of all keys. */
  readonly prefix: string
  /** The connection for commands. */
  readonly client: Redis
  /** Opens another connection. */
  connect(): Redis
  /** Milliseconds since 1970, by the clock of Redis: the same for all who use it. */
  now(): number
  /** Aborts with a reason, which is a text, when the session ends. */
  readonly signal: Signal
  /**
   * Runs commands. Rejects when they fail or take too long. The session ends if that shows that Redis cannot
   * be used now.
   */
  run<T>(commands: (client: Redis) => Promise<T>): Promise<T>
  /** Ends the session. Only the first call has an effect. */
  fail(reason: string): void
}

/** A session as its link has it. */
export interface OpenRedisSession extends RedisSession {
  /** Connects, and tests that Redis takes writes and answers quickly. */
  start(): Promise<void>
  /** Tests it again. */
  check(): Promise<void>
}

/** Milliseconds for a command. A Redis that needs longer costs more than it saves. */
const commandTimeoutMs = 500

/** Milliseconds in which a sound Redis answers. A gateway does without one that takes longer. */
export const slowAfterMs = 100

/** How many slow or failed answers in a row end a session. One may be due to this process. */
const maxSlow = 3

/** Errors of a Redis that cannot be used at all, by their first word. */
const stateErrors =
  /^(OOM|READONLY|LOADING|MISCONF|NOAUTH|WRONGPASS|NOPERM|MASTERDOWN|NOREPLICAS|CLUSTERDOWN)\b/

/** Opens a session. It connects with `start`. */
export function openRedisSession(options: {
  readonly url: string
  readonly prefix: string
  readonly clock: Clock
  /** Called for each command. */
  readonly onCommand: () => void
}): OpenRedisSession {
  const { url, prefix, clock, onCommand } = options
  const signal = createSignal()
  const connections: Redis[] = []
  let RedisClass: Awaited<ReturnType<typeof loadRedis>> | undefined
  let client: Redis | undefined
  /** What the clock of Redis is ahead of ours. */
  let offsetMs = 0
  let slow = 0

  const fail = (reason: string) => {
    if (signal.aborted) return
    signal.abort(reason)
    for (const connection of connections) connection.disconnect()
  }

  const connect = (): Redis => {
    if (!RedisClass || signal.aborted) throw new Error('The session has ended.')
    const connection = new RedisClass(url, connectionOptions)
    let cause = 'the connection was closed'
    connection.on('error', (error: Error & { code?: string }) => {
      cause = error.code ?? (stateErrors.exec(error.message)?.[1] || cause)
    })
    connection.on('end', () => fail(cause))
    const send = connection.sendCommand.bind(connection)
    const counted: typeof send = (...command) => {
      onCommand()
      return send(...command)
    }
    connection.sendCommand = counted
    connections.push(connection)
    return connection
  }

  /** Counts an answer, and ends the session after too many bad ones in a row. */
  const count = (isBad: boolean, reason: string) => {
    slow = isBad ? slow + 1 : 0
    if (slow >= maxSlow) fail(reason)
  }

  const timed = async <T>(commands: (client: Redis) => Promise<T>): Promise<T> => {
    if (!client || signal.aborted) throw new Error('The session has ended.')
    const open = client
    const late = () => new Error('it is too slow')
    const limits = { milliseconds: commandTimeoutMs, signal, late }
    return withDeadline(clock, limits, () => commands(open))
  }

  const run: RedisSession['run'] = async (commands) => {
    try {
      return await timed(commands)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const state = stateErrors.exec(message)?.[1]
      if (state) fail(state)
      else if (message === 'it is too slow') count(true, message)
      throw error
    }
  }

  const check = async () => {
    const startedAt = clock.now()
    try {
      const [time] = await run((open) =>
        Promise.all([open.time(), open.set(`${prefix}:check`, '1', 'PX', 10_000)]),
      )
      const takenMs = clock.now() - startedAt
      const [seconds = 0, micros = 0] = time.map(Number)
      offsetMs = seconds * 1_000 + micros / 1_000 - startedAt - takenMs / 2
      count(takenMs > slowAfterMs, 'it is too slow')
    } catch {
      if (!signal.aborted && slow === 0) fail('a command failed')
    }
  }

  return {
    prefix,
    signal,
    connect,
    fail,
    run,
    check,
    get client() {
      if (!client) throw new Error('The session is not connected.')
      return client
    },
    now: () => clock.now() + offsetMs,
    async start() {
      RedisClass = await loadRedis()
      client = connect()
      const ready = client
      await new Promise<void>((resolve, reject) => {
        ready.once('ready', resolve)
        signal.addEventListener('abort', () => reject(new Error(String(signal.reason))))
      })
      for (let checks = 0; checks < maxSlow; checks += 1) await check()
      if (signal.aborted) throw new Error(String(signal.reason))
      if (slow > 0) throw new Error('it is too slow')
    },
  }
}

/** No connection is made again by itself, and no command waits for one. */
const connectionOptions: RedisOptions = {
  retryStrategy: () => null,
  maxRetriesPerRequest: null,
  connectTimeout: 2_000,
  enableReadyCheck: true,
  showFriendlyErrorStack: false,
}
