import { type Clock, pause } from '../../kit/clock/clock.ts'
import { withDeadline } from '../../kit/clock/deadline.ts'
import { createSignal } from '../../kit/clock/signal.ts'
import { openRedisSession, type RedisSession } from './redisSession.ts'

/** Something that runs on each session: it is opened before the session is used. */
export type RedisPart = (session: RedisSession) => Promise<void>

/**
 * The connection to Redis, with a circuit of its own. While Redis is gone, slow, full or answers nonsense,
 * there is no session, and the gateway works without one. It is tried again every few seconds. A new
 * session takes nothing over from the last one, so it does not matter whether Redis has lost its data.
 */
export interface RedisLink {
  /** The open session. Undefined while there is none. */
  readonly session: RedisSession | undefined
  /** How many commands were sent. */
  readonly commands: number
  /** Adds a part, before `open`. */
  use(part: RedisPart): void
  /** Begins to connect. Resolves when the first attempt has ended. */
  open(): Promise<void>
  close(): Promise<void>
}

/** How to reach Redis. */
export interface RedisLinkOptions {
  /** With `redis:` or `rediss:`. */
  readonly url: string
  /** The prefix of all keys. */
  readonly prefix: string
  readonly clock: Clock
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
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

/** Creates a link. Nothing is sent before `open`. */
export function createRedisLink(options: RedisLinkOptions): RedisLink {
  const { clock, random, onUp, onDown } = options
  const parts: RedisPart[] = []
  const closing = createSignal()
  let session: RedisSession | undefined
  let isUp: boolean | undefined
  let running: Promise<void> = Promise.resolve()

  let commands = 0
  const onCommand = () => {
    commands += 1
  }

  const down = (reason: string) => {
    session = undefined
    if (closing.aborted || isUp === false) return
    isUp = false
    onDown(reason)
  }

  /** Opens a session, and resolves when it has ended, to the reason. */
  const runSession = async (onOpen: () => void): Promise<string> => {
    const opened = openRedisSession({ ...options, onCommand })
    const abort = () => opened.fail('closed')
    closing.addEventListener('abort', abort)
    try {
      const late = () => new Error('it did not answer in time')
      await withDeadline(clock, { milliseconds: openTimeoutMs, late }, async () => {
        await opened.start()
        for (const part of parts) await part(opened)
      })
      if (opened.signal.aborted) return String(opened.signal.reason)
      session = opened
      isUp = true
      onUp?.()
      onOpen()
      while (!opened.signal.aborted) {
        await pause(clock, heartbeatMs, opened.signal)
        await opened.check()
      }
    } catch (error) {
      opened.fail(reasonOf(error))
    } finally {
      closing.removeEventListener('abort', abort)
    }
    return String(opened.signal.reason)
  }

  const run = async (onFirst: () => void) => {
    for (let waitMs = firstRetryMs; !closing.aborted; waitMs = Math.min(lastRetryMs, waitMs * 2)) {
      const startedAt = clock.now()
      down(await runSession(onFirst))
      onFirst()
      if (clock.now() - startedAt >= soundAfterMs) waitMs = firstRetryMs
      await pause(clock, waitMs * (0.75 + random() / 2), closing).catch(() => {})
    }
  }

  return {
    get session() {
      return session
    },
    get commands() {
      return commands
    },
    use: (part) => void parts.push(part),
    open: () =>
      new Promise((resolve) => {
        running = run(resolve)
      }),
    async close() {
      closing.abort()
      await running
    },
  }
}

/** Why something failed, without addresses and passwords. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  // The first word of an error of Redis is its code, such as OOM or READONLY.
  const [word = ''] = error.message.split(' ')
  return code ?? (/^[A-Z]{3,}$/.test(word) ? word : error.message.slice(0, 100))
}
