import type { Redis, RedisOptions } from 'ioredis'
import { messageOf } from '#kit/errors'
import type { Clock } from '../../kit/clock/clock.ts'
import { withDeadline } from '../../kit/clock/deadline.ts'
import { SignalSource } from '../../kit/clock/signal.ts'
import { loadRedis } from './loadRedis.ts'

/** Milliseconds for a command. A Redis that needs longer costs more than it saves. */
const commandTimeoutMs = 500

/** Milliseconds in which a sound Redis answers. A gateway does without one that takes longer. */
export const slowAfterMs = 100

/** How many slow or failed answers in a row end a session. One may be due to this process. */
const maxSlow = 3

/** Errors of a Redis that cannot be used at all, by their first word. */
const stateErrors = /^(OOM|READONLY|LOADING|MISCONF|NOAUTH|WRONGPASS|NOPERM|MASTERDOWN|NOREPLICAS|CLUSTERDOWN)\b/

/** No connection is made again by itself, and no command waits for one. */
const connectionOptions: RedisOptions = {
  retryStrategy: () => null,
  maxRetriesPerRequest: null,
  connectTimeout: 2_000,
  enableReadyCheck: true,
  showFriendlyErrorStack: false,
}

interface Options {
  readonly url: string
  readonly clock: Clock
  /** Called for each command. */
  readonly onCommand: () => void
}

/** Connections to Redis that live and end together. They are never connected again: a new session is. */
export class RedisSession {
  /** What all keys begin with. */
  readonly prefix: string
  /** Aborts with a reason, which is a text, when the session ends. */
  readonly signal = new SignalSource()
  readonly #options: Options
  readonly #connections: Redis[] = []
  #class: Awaited<ReturnType<typeof loadRedis>> | undefined
  #client: Redis | undefined
  /** What the clock of Redis is ahead of ours. */
  #offsetMs = 0
  #slow = 0

  constructor(prefix: string, options: Options) {
    this.prefix = prefix
    this.#options = options
  }

  /** The connection for commands. */
  get client(): Redis {
    if (!this.#client) throw new Error('The session is not connected.')
    return this.#client
  }

  /** Milliseconds since 1970, by the clock of Redis: the same for all who use it. */
  now(): number {
    return this.#options.clock.now() + this.#offsetMs
  }

  /** Ends the session. Only the first call has an effect. */
  fail(reason: string): void {
    if (this.signal.aborted) return
    this.signal.abort(reason)
    for (const connection of this.#connections) connection.disconnect()
  }

  /** Opens another connection. */
  connect(): Redis {
    if (!this.#class || this.signal.aborted) throw new Error('The session has ended.')
    const connection = new this.#class(this.#options.url, connectionOptions)
    let cause = 'the connection was closed'
    connection.on('error', (error: Error & { code?: string }) => {
      cause = error.code ?? (stateErrors.exec(error.message)?.[1] || cause)
    })
    connection.on('end', () => this.fail(cause))
    const send = connection.sendCommand.bind(connection)
    const counted: typeof send = (...command) => {
      this.#options.onCommand()
      return send(...command)
    }
    connection.sendCommand = counted
    this.#connections.push(connection)
    return connection
  }

  /** Connects, and tests that Redis takes writes and answers quickly. */
  async start(): Promise<void> {
    this.#class = await loadRedis()
    const client = this.connect()
    this.#client = client
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve)
      this.signal.addEventListener('abort', () => reject(new Error(String(this.signal.reason))))
    })
    for (let checks = 0; checks < maxSlow; checks += 1) await this.check()
    if (this.signal.aborted) throw new Error(String(this.signal.reason))
    if (this.#slow > 0) throw new Error('it is too slow')
  }

  /**
   * Runs commands. Rejects when they fail or take too long. The session ends if that shows that Redis cannot
   * be used now.
   */
  async run<T>(commands: (client: Redis) => Promise<T>): Promise<T> {
    const { signal } = this
    const client = this.#client
    if (!client || signal.aborted) throw new Error('The session has ended.')
    const limits = {
      milliseconds: commandTimeoutMs,
      signal,
      late: () => new Error('it is too slow'),
    }
    try {
      return await withDeadline(this.#options.clock, limits, () => commands(client))
    } catch (error) {
      const message = messageOf(error)
      const state = stateErrors.exec(message)?.[1]
      if (state) this.fail(state)
      else if (message === 'it is too slow') this.#count(true)
      throw error
    }
  }

  /** Tests again that Redis takes writes and answers quickly. */
  async check(): Promise<void> {
    const { clock } = this.#options
    const startedAt = clock.now()
    const set = (client: Redis) => client.set(`${this.prefix}:check`, '1', 'PX', 10_000)
    try {
      const [time] = await this.run((client) => Promise.all([client.time(), set(client)]))
      const takenMs = clock.now() - startedAt
      const [seconds = 0, micros = 0] = time.map(Number)
      this.#offsetMs = seconds * 1_000 + micros / 1_000 - startedAt - takenMs / 2
      this.#count(takenMs > slowAfterMs)
    } catch {
      if (!this.signal.aborted && this.#slow === 0) this.fail('a command failed')
    }
  }

  /** Counts an answer, and ends the session after too many bad ones in a row. */
  #count(isBad: boolean) {
    this.#slow = isBad ? this.#slow + 1 : 0
    if (this.#slow >= maxSlow) this.fail('it is too slow')
  }
}
