import type { Hook } from './config.ts'
import type { HooksIo } from './io.ts'
import type { LiveRecord } from './liveRecord.ts'
import type { Message, PostAnswer } from './post/post.ts'
import { signedHeaders } from './signature.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** When attempts are made, after the first one. Between the last two, hours pass. */
const attemptsAt = [
  ...[0, 5 * second, 5 * minute, 30 * minute],
  ...[2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
]
/** How long a receiver may take. */
const timeoutMs = 20 * second

/** What came of an event: its receiver has it, or has refused it for a day, or the hooks should stop. */
export type Delivered =
  | { readonly kind: 'delivered' | 'stopped' }
  | { readonly kind: 'refused'; readonly reason: string }

/** What events are delivered with. */
export interface DeliverOptions {
  readonly io: HooksIo
  post(message: Message): Promise<PostAnswer>
}

/** Sends an event until its receiver takes it: at once, then after longer and longer waits, for a day. */
export async function deliver(hook: Hook, record: LiveRecord, { io, post }: DeliverOptions): Promise<Delivered> {
  const startedAt = io.now()
  const body = JSON.stringify(toBody(hook, record, startedAt))
  let reason = ''
  let notBefore = startedAt
  for (const [attempt, offset] of attemptsAt.entries()) {
    // Receivers that failed together are not asked together again.
    const at = Math.max(startedAt + offset * (1 + 0.1 * io.random()), notBefore)
    if (attempt > 0) await io.wait(Math.max(0, at - io.now()))
    if (io.signal.aborted) return { kind: 'stopped' }
    const answer = await sendOnce(hook, record.id, body, { io, post })
    if (io.signal.aborted && typeof answer === 'string') return { kind: 'stopped' }
    if (typeof answer !== 'string') {
      if (answer.status >= 200 && answer.status < 300) return { kind: 'delivered' }
      reason = `status ${answer.status}`
      if (answer.status === 410) return { kind: 'refused', reason }
      notBefore = io.now() + 1_000 * (Number(answer.retryAfter) || 0)
    } else reason = answer
    io.log(`${hook.name}: attempt ${attempt + 1} failed: ${reason}`)
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
    // Only the code: a message can have the URL.
    const { code } = error as NodeJS.ErrnoException
    return abort.signal.aborted ? 'no answer in time' : `no answer (${code ?? 'not allowed'})`
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
