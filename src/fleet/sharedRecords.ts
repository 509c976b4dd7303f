import { createHash } from 'node:crypto'
import type { Clock } from '../kit/clock/clock.ts'
import { createTimeouts } from '../kit/clock/timeouts.ts'
import type { RedisLink } from '../redis/redisLink.ts'
import type { RedisSession } from '../redis/redisSession.ts'

/** Milliseconds for a search. A Redis that needs longer is no quicker than most upstreams. */
const lateMs = 25

/** After so many late answers in a row, nothing is asked for some time, in milliseconds. */
const maxLate = 3
const restMs = 5_000

/** The largest body that is kept, in characters. */
const maxBody = 64 * 1024

/** The form of what is kept: a version, the time of Redis at which it was read, then the body as it came. */
const form = /^1 (\d+)\n/

/** Where records are kept, and for how long. */
interface SharedRecordsOptions {
  readonly link: RedisLink
  readonly clock: Clock
  /** How long a record is kept, in milliseconds. */
  readonly ttlMs: number
  /** How a search for a record ended, or that one was written. */
  readonly onEvent: (event: 'hit' | 'miss' | 'late' | 'written') => void
}

/**
 * Keeps the bodies of records in Redis, for all gateways of a fleet. It has a circuit of its own: while Redis
 * is gone, or answers too late for a query, nothing is asked.
 */
export function createSharedRecords(options: SharedRecordsOptions) {
  const { link, clock, ttlMs, onEvent } = options
  const startTimeout = createTimeouts(clock, lateMs)
  let late = 0
  let restUntil = 0

  const onLate = () => {
    onEvent('late')
    late += 1
    if (late < maxLate) return
    late = 0
    restUntil = clock.now() + restMs
  }

  const read = (text: string | null, session: RedisSession) => {
    const head = text === null ? null : form.exec(text)
    if (text === null || !head) return undefined
    return { body: text.slice(head[0].length), ageMs: Math.max(0, session.now() - Number(head[1])) }
  }

  return {
    get isOpen() {
      return link.session !== undefined && clock.now() >= restUntil
    },
    find(source: string, target: string): Promise<ReturnType<typeof read>> {
      const { session } = link
      if (!session) return Promise.resolve(undefined)
      return new Promise((resolve) => {
        let isLate = false
        const cancel = startTimeout(() => {
          isLate = true
          onLate()
          resolve(undefined)
        })
        const end = (text: string | null) => {
          if (isLate) return
          cancel()
          late = 0
          const record = read(text, session)
          onEvent(record ? 'hit' : 'miss')
          resolve(record)
        }
        session.client.get(recordKey(session, source, target)).then(end, () => end(null))
      })
    },
    keep(source: string, target: string, body: string): void {
      const { session } = link
      if (!session || body.length > maxBody || clock.now() < restUntil) return
      const text = `1 ${Math.round(session.now())}\n${body}`
      onEvent('written')
      // Whoever reads it next asks the upstream, if it was not written.
      session.client.set(recordKey(session, source, target), text, 'PX', ttlMs).catch(() => {})
    },
  }
}

const recordKey = ({ prefix }: RedisSession, source: string, target: string): string => {
  const hash = createHash('sha256').update(`${source} ${target}`).digest('base64url')
  return `${prefix}:record:${hash.slice(0, 27)}`
}
