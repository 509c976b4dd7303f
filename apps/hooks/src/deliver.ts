import type { Hook } from './config.ts'
import type { HooksIo } from './io.ts'
import type { LiveRecord } from './liveRecord.ts'
import { type Message, type PostAnswer, PostRefusal } from './post/post.ts'
import { parseRetryAfter } from './post/retryAfter.ts'
import { signedHeaders } from './signature.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The waits between attempts: they are made after 0 and 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours. */
const waits = [
  ...[5 * second, 5 * minute - 5 * second, 25 * minute, 1.5 * hour],
  ...[3 * hour, 5 * hour, 4 * hour, 6 * hour, 4 * hour],
]
/** How long a receiver may take. */
const timeoutMs = 20 * second
/** The longest wait that a receiver can ask for with one answer, in milliseconds. */
const longestMs = 24 * hour

/** The failed attempts of an event. They are kept, so that a program that starts again continues with the next one. */
export interface Attempts {
  readonly id: string
  readonly count: number
  /** When the receiver gets the next one, in milliseconds since 1970. */
  readonly nextAt: number
  /** Why the last one failed. */
  readonly reason: string
}

/** What came of an event: its receiver has it, or has refused it for a day, or the hooks should stop. */
export type Delivery =
  | { readonly kind: 'delivered' | 'stopped' }
  | { readonly kind: 'refused'; readonly reason: string }

/** What events are delivered with. */
export interface DeliverOptions {
  readonly io: HooksIo
  post(message: Message): Promise<PostAnswer>
}

/** What is known of attempts before, and where those that fail are kept. */
export interface AttemptsStore {
  readonly attempts?: Attempts | undefined
  keep(attempts: Attempts): Promise<void>
}

/**
 * Sends an event until its receiver takes it: at once, then after longer and longer waits, for a day. A receiver can ask
 * for a longer wait, and for none that is shorter. A wait that is left from a program before holds for any event.
 */
export async function deliver(
  hook: Hook,
  record: LiveRecord,
  { io, post }: DeliverOptions,
  { attempts: before, keep }: AttemptsStore,
): Promise<Delivery> {
  const isSame = before?.id === record.id
  let reason = isSame ? before.reason : ''
  // The clock may have been set back since.
  let nextAt = Math.min(before?.nextAt ?? 0, io.now() + longestMs)
  if (before && nextAt > io.now()) {
    const until = new Date(nextAt).toISOString()
    io.log(`${hook.name}: waits until ${until}, since attempt ${before.count} failed: ${before.reason}`)
  }
  const body = JSON.stringify(toBody(hook, record, io.now()))
  for (let count = isSame ? before.count : 0; count <= waits.length; count += 1) {
    if (nextAt > io.now()) await io.wait(nextAt - io.now())
    if (io.signal.aborted) return { kind: 'stopped' }
    const sentAt = io.now()
    const answer = await sendOnce(hook, record.id, body, { io, post })
    if (io.signal.aborted && typeof answer === 'string') return { kind: 'stopped' }
    let askedMs = 0
    if (typeof answer !== 'string') {
      if (answer.status >= 200 && answer.status < 300) return { kind: 'delivered' }
      reason = `status ${answer.status}`
      if (answer.status === 410) return { kind: 'refused', reason }
      askedMs = Math.min(parseRetryAfter(answer.retryAfter, io.now()) ?? 0, longestMs)
    } else reason = answer
    io.log(`${hook.name}: attempt ${count + 1} failed: ${reason}`)
    // The random part spreads the retries to receivers that failed at the same time.
    const usual = sentAt + (waits[count] ?? 0) * (1 + 0.1 * io.random())
    nextAt = Math.max(usual, io.now() + askedMs)
    await keep({ id: record.id, count: count + 1, nextAt, reason })
  }
  return { kind: 'refused', reason }
}

/** The answer to one attempt, or why there is none. */
async function sendOnce(
  hook: Hook,
  id: string,
  body: string,
  { io, post }: DeliverOptions,
): Promise<PostAnswer | string> {
  const abort = new AbortController()
  const stop = () => abort.abort()
  io.signal.addEventListener('abort', stop)
  const timestamp = Math.floor(io.now() / 1_000)
  const headers = hook.secrets.length > 0 ? signedHeaders({ id, timestamp, body }, hook.secrets) : {}
  const cancel = io.after(timeoutMs, stop)
  try {
    return await post({ url: hook.url, headers, body, signal: abort.signal })
  } catch (error) {
    if (abort.signal.aborted) return 'no answer in time'
    if (error instanceof PostRefusal) return error.message
    // Only the code: the message of another error can have the URL.
    return `no answer (${(error as NodeJS.ErrnoException).code ?? 'unknown fault'})`
  } finally {
    cancel()
    io.signal.removeEventListener('abort', stop)
  }
}

/** What a receiver gets: a message of its chat, or the event with its type, its time and its cursor. */
function toBody({ template, chatId }: Hook, record: LiveRecord, now: number): unknown {
  if (template) return template.toBody(record, chatId)
  const { id: _id, type, ...rest } = record
  return { type, timestamp: timeOf(record) ?? new Date(now).toISOString(), ...rest }
}

/** The time of a record, if the document selects it. */
function timeOf({ data }: LiveRecord): string | undefined {
  const time = (data as { node?: { timestamp?: unknown } | null } | null)?.node?.timestamp
  return typeof time === 'string' ? time : undefined
}
