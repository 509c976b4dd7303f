import type { RedisSession } from '../../redis/redisSession.ts'
import { decodeRecord, encodeRecord, type KeptRecord } from './messages.ts'

/** The newest bodies that the fleet has read, in keys of Redis. */
export interface ReadStore {
  /** Undefined if there is none. */
  load(session: RedisSession, id: string): Promise<KeptRecord | undefined>
  save(session: RedisSession, id: string, record: KeptRecord): Promise<void>
}

/** How long a body is kept, in milliseconds. */
export const keepMs = 10 * 60_000

/** Opens the bodies of a fleet. `onBytes` is called with the size of each that is read or written. */
export function createReadStore(
  onBytes: (direction: 'written' | 'read', bytes: number) => void,
): ReadStore {
  const keyOf = ({ prefix }: RedisSession, id: string) => `${prefix}:reading:${id}`
  return {
    async load(session, id) {
      const text = await session.run((client) => client.get(keyOf(session, id)))
      if (text !== null) onBytes('read', Buffer.byteLength(text))
      return decodeRecord(text)
    },
    async save(session, id, record) {
      const text = encodeRecord(record)
      onBytes('written', Buffer.byteLength(text))
      await session.run((client) => client.set(keyOf(session, id), text, 'PX', keepMs))
    },
  }
}
