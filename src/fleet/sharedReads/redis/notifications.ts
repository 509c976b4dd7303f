import type { RedisSession } from '../../redis/redisSession.ts'
import { decodeNotice, encodeNotice, type Notice } from './messages.ts'

/** Notices of reads that have ended, between all gateways. */
export interface ReadNotifications {
  /** Resolves when notices of this read arrive. */
  join(id: string): Promise<void>
  leave(id: string): void
  publish(id: string, notice: Notice): void
}

/** Opens the notices of a session. A message that is not a notice of this version is ignored. */
export function openNotifications(
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
