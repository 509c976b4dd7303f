import type { RedisSession } from '../redis/redisSession.ts'
import { type Answer, answerIn, channelOf } from './leases.ts'
import type { ReadResult } from './sharedReads.ts'

/** A read whose answer this process needs, now or each time there is a new one. */
export interface WaitingRead {
  /** Calls of `read` that wait. Undefined makes a caller send the request itself. */
  readonly waiters: Set<(result: ReadResult | undefined) => void>
  readonly followers: Set<(result: ReadResult) => void>
  /** When the newest answer was read, by the clock of Redis. */
  lastAt: number
}

/** The reads that a process waits for, and the connection on which their answers come. */
export function createWaitingReads() {
  const reads = new Map<string, WaitingRead>()
  let channels: ReturnType<typeof openChannels> | undefined
  return {
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
      channels?.leave(id)
    },
    /** Resolves when answers to this read arrive, or at once without a session. */
    subscribe: async (id: string) => channels?.join(id),
    /** Subscribes to all that is waited for. When the session ends, all who wait send their requests themselves. */
    async connect(
      session: RedisSession,
      onAnswer: (read: WaitingRead, answer: Answer, bytes: number) => void,
    ) {
      const opened = openChannels(session, (id, text) => {
        const read = reads.get(id)
        const answer = read && answerIn(text)
        if (!answer || answer.at < read.lastAt) return
        read.lastAt = answer.at
        onAnswer(read, answer, Buffer.byteLength(text))
      })
      await Promise.all([...reads.keys()].map(opened.join))
      if (session.signal.aborted) return
      channels = opened
      session.signal.addEventListener('abort', () => {
        channels = undefined
        for (const read of reads.values()) settle(read, undefined)
      })
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

/** The channels of a session, over one connection. */
function openChannels(session: RedisSession, onMessage: (id: string, text: string) => void) {
  const start = channelOf(session, '')
  const subscriber = session.connect()
  const joined = new Map<string, Promise<void>>()
  subscriber.on('message', (channel: string, text: string) =>
    onMessage(channel.slice(start.length), text),
  )
  return {
    join(id: string): Promise<void> {
      const known = joined.get(id)
      if (known) return known
      const joining = session.run(async () => void (await subscriber.subscribe(start + id)))
      joining.catch(() => joined.delete(id))
      joined.set(id, joining)
      return joining
    },
    leave(id: string): void {
      if (!joined.delete(id) || session.signal.aborted) return
      subscriber.unsubscribe(start + id).catch(() => {})
    },
  }
}
