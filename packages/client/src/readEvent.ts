import { errorOf, PortolanError } from './portolanError.ts'
import { type ResumeRule, valueAt } from './resume.ts'
import type { Ending, Result } from './transport.ts'

/** An event that a subscription yields. */
export type LiveEvent<Data> =
  /** `error` says which fields of the event failed. */
  | { readonly kind: 'data'; readonly data: Data; readonly error?: PortolanError }
  /** The gateway says something in place of a record. */
  | { readonly kind: 'notice'; readonly data: Data; readonly notice: unknown }
  /**
   * Events are missing here: read what is shown anew. The reason is `NO_CURSOR` if nothing says where to
   * continue, `CURSOR_STUCK` if the gateway failed at the cursor three times, else the gateway's code.
   */
  | { readonly kind: 'gap'; readonly reason: string; readonly error?: PortolanError }
  /** The gateway said that nothing more comes. */
  | { readonly kind: 'end' }

/** The kind of a result: an event with its cursor, one that was read before, or the end of the subscription. */
export type Reading<Data> =
  | { readonly event: LiveEvent<Data>; readonly cursor: string | undefined }
  | { readonly ending: Ending }
  | undefined

/** Reads a result of a subscription that has come to a cursor. */
export function readEvent<Data>(
  { data, errors }: Result,
  rule: ResumeRule | undefined,
  position: string | undefined,
): Reading<Data> {
  const error = errors && errorOf(errors, { partialData: data })
  const cursor = valueAt(data, rule?.cursor)
  if (data == null || (rule?.cursor && typeof cursor !== 'string')) {
    if (error) return { ending: { kind: 'failed', error } }
    const message = `The event has no cursor at \`${rule?.cursor}\`.`
    return { ending: { kind: 'refused', error: new PortolanError('NO_CURSOR', message) } }
  }
  const at = { cursor: typeof cursor === 'string' ? cursor : undefined }
  const notice = valueAt(data, rule?.notice)
  if (notice == null) {
    if (at.cursor !== undefined && at.cursor === position) return undefined
    return { event: { kind: 'data', data: data as Data, ...(error && { error }) }, ...at }
  }
  return valueAt(data, rule?.kind) === 'GAP'
    ? { event: { kind: 'gap', reason: 'GAP' }, ...at }
    : { event: { kind: 'notice', data: data as Data, notice }, ...at }
}
