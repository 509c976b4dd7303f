import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { RedisSession } from '../../../engine/redis/redisSession.ts'
import { outcomeForm, type ReadRequest } from './sharedReads.ts'

/** An answer as it is kept in Redis and published. Those of other versions are ignored. */
const answerForm = z.object({
  v: z.literal(2),
  /** When its read began, by the clock of Redis. */
  at: z.int().min(0),
  /** When the series of such reads began. */
  since: z.number(),
  /** The process that read it. */
  by: z.string(),
  outcome: outcomeForm,
})

/** The answer to a read, and where it is from. */
export type SharedAnswer = z.output<typeof answerForm>

/** How long the answer to a read is kept, in milliseconds, and how long it is known that a POST was taken. */
const keptMs = { GET: 10 * 60_000, POST: 24 * 60 * 60_000 }

/** Milliseconds that a process may take longer than its request. Then its lease ends. */
const graceMs = 1_000

/**
 * Takes the lease of a read. The keys are the newest answer, the lease, and the leases of such reads by the time when they
 * end. Other processes may have set their clocks by Redis a moment earlier, so an answer may be a little ahead of it.
 */
const beginScript = `
local kept = redis.pcall('GET', KEYS[1])
if type(kept) ~= 'string' then kept = '' end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local at = tonumber(string.match(kept, '^{"v":2,"at":(%d+)') or '')
if at and at >= tonumber(ARGV[4]) and at <= now + 1000 then return {'kept', kept} end
local leftMs = redis.call('PTTL', KEYS[2])
if leftMs > 0 then return {'leased', leftMs} end
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[2]) then return {'full', 0} end
redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[3])
redis.call('ZADD', KEYS[3], now + ARGV[3], ARGV[1])
return {'begun', kept}`

/** Gives up a lease, keeps the answer unless it is a fault, and publishes it. */
const endScript = `
redis.call('ZREM', KEYS[3], ARGV[1])
if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
if ARGV[4] ~= '' then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[4]) end
redis.call('PUBLISH', ARGV[3], ARGV[2])`

const replyForm = z.tuple([z.enum(['kept', 'leased', 'full', 'begun']), z.union([z.string(), z.number()])])

/** The lease of one read, for one process. */
export interface Lease {
  readonly id: string
  /** Tells the holders of all leases apart. */
  readonly holder: string
  /** The reads that count together, and how many of them the fleet may have under way. */
  readonly kind: string
  readonly cap: number
  readonly method: keyof typeof keptMs
  /** Milliseconds that the read may take. */
  readonly timeoutMs: number
}

/**
 * Takes a lease, unless there is an answer of this time or later, another process has it for this many milliseconds more, or
 * the fleet holds all leases that its cap allows. The text is the newest answer.
 */
export async function beginLease(session: RedisSession, lease: Lease, notBefore: number) {
  const leaseMs = Math.ceil(lease.timeoutMs) + graceMs
  const reply = await evaluate(session, beginScript, lease, lease.cap, leaseMs, notBefore)
  const [state, value] = replyForm.parse(reply)
  return { state, text: String(value), leftMs: Number(value) }
}

/** Ends a lease with an answer, whose first properties are `v` and `at`. Returns the bytes that were written. */
export async function endLease(session: RedisSession, lease: Lease, answer: SharedAnswer) {
  const { outcome } = answer
  const text = JSON.stringify(answer)
  const channel = `${session.prefix}:news:${lease.id}`
  await evaluate(session, endScript, lease, text, channel, 'fault' in outcome ? '' : keptMs[lease.method])
  return Buffer.byteLength(text)
}

const evaluate = (
  session: RedisSession,
  script: string,
  { id, kind, holder }: Lease,
  ...values: readonly (string | number)[]
) => {
  const keys = [`read:${id}`, `lease:${id}`, `reads:${kind}`].map((key) => `${session.prefix}:${key}`)
  return session.run((client) => client.eval(script, keys.length, ...keys, holder, ...values))
}

/** The answer in a text. Undefined if it is not one of this version. */
export function answerIn(text: string): SharedAnswer | undefined {
  try {
    return answerForm.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** A short name of a read, which is the same in all processes. */
export const idOf = ({ source, target, body = '' }: ReadRequest): string =>
  createHash('sha256').update(`${source} ${target} ${body}`).digest('base64url').slice(0, 27)
