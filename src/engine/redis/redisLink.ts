import { type Clock, pause } from '../../kit/clock/clock.ts'
import { withDeadline } from '../../kit/clock/deadline.ts'
import { SignalSource } from '../../kit/clock/signal.ts'
import { RedisSession } from './redisSession.ts'

/** The Redis that the gateways of a fleet share. */
export interface RedisOptions {
  /** With `redis:` or `rediss:`. It may hold a user and a password. */
  readonly url: string
  /** What the keys of this fleet begin with. Default: `portolan`. */
  readonly prefix?: string | undefined
}

/** Who hears of the sessions of a connection. */
interface LinkListener {
  /** Called when there is a session, after a time without one. */
  readonly onUp?: () => void
  /** Called when there is none any more, or the first attempt has failed. */
  readonly onDown: (reason: string) => void
}

/** Milliseconds to the first attempt after a session ended, and the longest between two attempts. */
const firstRetryMs = 500
const lastRetryMs = 4_000

/** Milliseconds after which a session counts as sound, so that the next retry is quick again. */
const soundAfterMs = 15_000

/** Milliseconds between two health checks of the session. */
const heartbeatMs = 1_000

/** Milliseconds for opening a session. */
const openTimeoutMs = 5_000

/**
 * The connection to Redis, with a circuit of its own. While Redis is gone, slow, full or answers nonsense,
 * there is no session, and the gateway works without one. It is tried again every few seconds. A new
 * session takes nothing over from the last one, so it does not matter whether Redis has lost its data.
 */
export class RedisLink {
  /** What all keys begin with. */
  readonly prefix: string
  readonly #url: string
  readonly #clock: Clock
  readonly #random: () => number
  readonly #listener: LinkListener
  readonly #parts: ((session: RedisSession) => Promise<void>)[] = []
  readonly #closing = new SignalSource()
  #session: RedisSession | undefined
  #isUp: boolean | undefined
  #running: Promise<void> = Promise.resolve()
  /** How many commands were sent. */
  commands = 0

  /** Nothing is sent before `open`. `random` is from 0 up to, but not including, 1. */
  constructor({ url, prefix = 'portolan' }: RedisOptions, clock: Clock, random: () => number, listener: LinkListener) {
    this.#url = url
    this.prefix = prefix
    this.#clock = clock
    this.#random = random
    this.#listener = listener
  }

  /** The open session. Undefined while there is none. */
  get session(): RedisSession | undefined {
    return this.#session
  }

  /** Adds, before `open`, what runs on each session before it is used. */
  use(part: (session: RedisSession) => Promise<void>): void {
    this.#parts.push(part)
  }

  /** Begins to connect. Resolves when the first attempt has ended. */
  open(): Promise<void> {
    return new Promise((resolve) => {
      this.#running = this.#run(resolve)
    })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(onFirst: () => void) {
    const closing = this.#closing
    for (let waitMs = firstRetryMs; !closing.aborted; waitMs = Math.min(lastRetryMs, waitMs * 2)) {
      const startedAt = this.#clock.now()
      const reason = await this.#runSession(onFirst)
      this.#session = undefined
      if (!closing.aborted && this.#isUp !== false) this.#listener.onDown(reason)
      this.#isUp = false
      onFirst()
      if (this.#clock.now() - startedAt >= soundAfterMs) waitMs = firstRetryMs
      await pause(this.#clock, waitMs * (0.75 + this.#random() / 2), closing).catch(() => {})
    }
  }

  /** Opens a session, and resolves when it has ended, to the reason. */
  async #runSession(onOpen: () => void): Promise<string> {
    const clock = this.#clock
    const onCommand = () => {
      this.commands += 1
    }
    const opened = new RedisSession(this.prefix, { url: this.#url, clock, onCommand })
    const abort = () => opened.fail('closed')
    this.#closing.addEventListener('abort', abort)
    try {
      const late = () => new Error('it did not answer in time')
      await withDeadline(clock, { milliseconds: openTimeoutMs, late }, async () => {
        await opened.start()
        for (const part of this.#parts) await part(opened)
      })
      if (opened.signal.aborted) return String(opened.signal.reason)
      this.#session = opened
      this.#isUp = true
      this.#listener.onUp?.()
      onOpen()
      while (!opened.signal.aborted) {
        await pause(clock, heartbeatMs, opened.signal)
        await opened.check()
      }
    } catch (error) {
      opened.fail(findReason(error))
    } finally {
      this.#closing.removeEventListener('abort', abort)
    }
    return String(opened.signal.reason)
  }
}

/** Why something failed, without addresses and passwords. */
function findReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  // The first word of an error of Redis is its code, such as OOM or READONLY.
  const [word = ''] = error.message.split(' ')
  return code ?? (/^[A-Z]{3,}$/.test(word) ? word : error.message.slice(0, 100))
}
