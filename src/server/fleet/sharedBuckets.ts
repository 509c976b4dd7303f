import { z } from 'zod'
import type { RedisLink } from '../../engine/redis/redisLink.ts'
import type { RedisSession } from '../../engine/redis/redisSession.ts'
import { type Clock, pause } from '../../kit/clock/clock.ts'

/** What was not yet taken from a bucket, which is filled with points a second, up to its size. */
interface Untaken {
  readonly points: number
  readonly size: { readonly pointsPerSecond: number; readonly burst: number }
}

/** Points that clients spend are collected for this many milliseconds, and sent together. */
const tellMs = 50

/** The most buckets in one command, so that no command holds up Redis for long. */
const maxBuckets = 200

/**
 * Takes points from buckets, and returns how many each has left. A full bucket is not stored. A client never owes
 * more than a whole bucket, as in one gateway.
 */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local left = {}
for i, key in ipairs(KEYS) do
  local taken, perSecond, burst = tonumber(ARGV[3*i-2]), tonumber(ARGV[3*i-1]), tonumber(ARGV[3*i])
  local points, at = unpack(redis.call('HMGET', key, 'points', 'at'))
  points = points and math.min(burst, points + (now - at) * perSecond / 1000) or burst
  points = math.max(-burst, points - taken)
  if points < burst then
    redis.call('HSET', key, 'points', points, 'at', string.format('%.3f', now))
    redis.call('PEXPIRE', key, math.ceil((burst - points) * 1000 / perSecond))
  end
  left[i] = string.format('%.3f', points)
end
return left`

const replyForm = z.array(z.coerce.number())

/**
 * Opens the buckets of a fleet. While Redis is gone nothing is taken, and what could not be taken is not
 * made up for later: each gateway counts by itself then. `onLeft` is called with what the bucket of a client held lately,
 * after all that was taken here.
 */
export function createSharedBuckets(
  link: Pick<RedisLink, 'session'>,
  clock: Clock,
  onLeft: (client: string, points: number) => void,
) {
  const untaken = new Map<string, Untaken>()
  let isRunning = false

  const send = async (session: RedisSession, batch: readonly [string, Untaken][]) => {
    const keys = batch.map(([client]) => `${session.prefix}:bucket:${client}`)
    const values = batch.flatMap(([, { points, size }]) => [points, size.pointsPerSecond, size.burst])
    const reply = await session.run((redis) => redis.eval(script, keys.length, ...keys, ...values))
    const left = replyForm.parse(reply)
    for (const [index, [client]] of batch.entries()) {
      const points = left[index]
      if (points !== undefined) onLeft(client, points - (untaken.get(client)?.points ?? 0))
    }
  }

  const run = async (session: RedisSession) => {
    isRunning = true
    try {
      await pause(clock, 0, session.signal)
      while (untaken.size > 0) {
        const batch = [...untaken].slice(0, maxBuckets)
        for (const [client] of batch) untaken.delete(client)
        await send(session, batch)
        await pause(clock, untaken.size < maxBuckets ? tellMs : 0, session.signal)
      }
    } catch {
      // The session sees the faults of its connection.
      untaken.clear()
    } finally {
      isRunning = false
    }
  }

  return {
    /** Takes points from the bucket of a client, at once or within a twentieth of a second. Never waits. */
    take(client: string, points: number, size: Untaken['size']): void {
      const { session } = link
      if (!session) return
      untaken.set(client, { points: points + (untaken.get(client)?.points ?? 0), size })
      if (!isRunning) void run(session)
    },
  }
}
