import type { RedisSession } from '../../../engine/redis/redisSession.ts'
import { answerIn, type SharedAnswer } from './leases.ts'
import type { ReadResult } from './sharedReads.ts'

/** A read whose answer this process needs, now or each time there is a new one. */
export interface WaitingRead {
  /** Calls of `read` that wait. Undefined makes a caller send the request itself. */
  readonly waiters: Set<(result: ReadResult | undefined) => void>
  readonly followers: Set<(result: ReadResult) => void>
  /** When the newest answer was read, by the clock of Redis. */
  lastAt: number
  /** Resolves when its answers arrive in this session. */
  joined?: Promise<void> | undefined
}

/** The reads that a process waits for, and the connection on which their answers come. */
export function createWaitingReads(prefix: string) {
  const reads = new Map<string, WaitingRead>()
  let subscriber: ReturnType<RedisSession['connect']> | undefined
  const channels = `${prefix}:news:`

  const subscribe = async (session: RedisSession, id: string, read: WaitingRead): Promise<void> => {
    read.joined ??= session.run(async () => void (await subscriber?.subscribe(channels + id)))
    await read.joined.catch((error) => {
      read.joined = undefined
      throw error
    })
  }

  return {
    subscribe,
    /** The entry of a read, which is added if there is none. */
    open(id: string): WaitingRead {
      const read = reads.get(id) ?? { waiters: new Set(), followers: new Set(), lastAt: 0 }
      reads.set(id, read)
      return read
    },
    /** Drops an entry without waiters and followers. */
    release(id: string, read: WaitingRead): void {
      // Another entry may have this id by now.
      if (read.waiters.size + read.followers.size > 0 || reads.get(id) !== read) return
      reads.delete(id)
      if (read.joined) subscriber?.unsubscribe(channels + id).catch(() => {})
    },
    /** Subscribes to all that is waited for. When the session ends, all waiters send their requests themselves. */
    async connect(
      session: RedisSession,
      onAnswer: (read: WaitingRead, answer: SharedAnswer, bytes: number) => void,
    ): Promise<void> {
      const opened = session.connect()
      opened.on('message', (channel: string, text: string) => {
        const read = reads.get(channel.slice(channels.length))
        const answer = read && answerIn(text)
        if (!answer || answer.at < read.lastAt) return
        read.lastAt = answer.at
        onAnswer(read, answer, Buffer.byteLength(text))
      })
      subscriber = opened
      session.signal.addEventListener('abort', () => {
        subscriber = undefined
        for (const read of reads.values()) {
          read.joined = undefined
          settle(read, undefined)
        }
      })
      await Promise.all([...reads].map((entry) => subscribe(session, ...entry)))
    },
  }
}

/** Gives a result to the callers that wait. Returns whether there were any. */
export function settle({ waiters }: WaitingRead, result: ReadResult | undefined): boolean {
  const waiting = [...waiters]
  waiters.clear()
  for (const resolve of waiting) resolve(result)
  return waiting.length > 0
}
