import { createHash } from 'node:crypto'
import { z } from 'zod'
import { readFault } from '../readFault.ts'
import { type Outcome, type ReadRequest, readKeyAt } from '../sharedReads.ts'

/** The version of all messages between gateways. Messages of other versions are ignored. */
const version = 1

/** An outcome, as it is kept in Redis. Faults are not kept. */
export interface KeptRecord {
  /** When it was read, by the clock of Redis. It is the version of the record. */
  readonly at: number
  /** When its series of reads began, by the same clock. */
  readonly since: number
  /** Tells bodies apart. */
  readonly hash: string
  readonly outcome: Outcome
}

/** The message that a read has ended. */
export type Notice = z.output<typeof noticeForm>

/** The data of a job. */
export type Task = z.output<typeof taskForm>

const time = z.number().min(0)
const versionForm = z.literal(version)

const headForm = z.object({
  ...{ v: versionForm, at: time, since: time, hash: z.string(), hasBody: z.boolean() },
})

const noticeForm = z.object({
  at: time,
  /** When the series of reads of the outcome that is kept began. */
  since: time.optional(),
  /** The hash of the outcome that is kept. */
  hash: z.string().optional(),
  /** Set if the read failed. */
  fault: readFault.optional(),
  /** Set if the process that should have read it does not know the service. */
  isUnknown: z.boolean().optional(),
})
const sentNotice = noticeForm.extend({ v: versionForm })

const taskForm = z.object({
  service: z.string(),
  source: z.string(),
  target: z.string().startsWith('/'),
  route: z.string(),
  body: z.string().optional(),
  askedAt: time,
  maxAgeMs: time,
  timeoutMs: z.number().min(1).max(60_000),
})
/** The version of tasks with a body. Gateways that do not know them would send a GET. */
const bodyVersion = 2

const sentTask = taskForm.extend({ v: z.literal([version, bodyVersion]) })

/** A short name of a read, which is the same in all processes. */
export const idOf = (read: ReadRequest): string =>
  createHash('sha256').update(readKeyAt(read)).digest('base64url').slice(0, 27)

/** Makes a record of an outcome. */
export const recordOf = (outcome: Outcome, at: number, since: number): KeptRecord => ({
  ...{ outcome, at, since },
  hash: createHash('sha256').update(bodyOf(outcome)).digest('base64url').slice(0, 22),
})

const bodyOf = (outcome: Outcome): string =>
  'body' in outcome && outcome.body !== null ? outcome.body : ''

/** A record as text: a line of JSON, then the body as it came. */
export const encodeRecord = ({ at, since, hash, outcome }: KeptRecord): string => {
  const hasBody = 'body' in outcome && outcome.body !== null
  return `${JSON.stringify({ v: version, at, since, hash, hasBody })}\n${bodyOf(outcome)}`
}

/** The record in a text. Undefined if it is not one of this version. */
export function decodeRecord(text: string | null): KeptRecord | undefined {
  const end = text?.indexOf('\n') ?? -1
  if (text === null || end < 0) return undefined
  const head = parsed(headForm, text.slice(0, end))
  if (!head) return undefined
  const { at, since, hash, hasBody } = head
  const record = recordOf({ body: hasBody ? text.slice(end + 1) : null }, at, since)
  // A record that was cut or changed is none.
  return record.hash === hash ? record : undefined
}

/** The text of a notice. */
export const encodeNotice = (notice: Notice): string => JSON.stringify({ v: version, ...notice })

/** The notice in a text. Undefined if it is not one of this version. */
export const decodeNotice = (text: string): Notice | undefined => parsed(sentNotice, text)

/** The data of a job. */
export const encodeTask = (task: Task): object => ({
  v: task.body === undefined ? version : bodyVersion,
  ...task,
})

/** The task in the data of a job. Undefined if it is not one of this version. */
export const decodeTask = (data: unknown): Task | undefined => sentTask.safeParse(data).data

function parsed<T>(form: z.ZodType<T>, text: string): T | undefined {
  try {
    return form.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
