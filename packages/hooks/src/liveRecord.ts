import { createHash } from 'node:crypto'
import type { LiveEvent } from '@portolan/client'
import type { Followed } from './resumeRule.ts'

/** An event of a subscription, as receivers get it. */
export interface LiveRecord {
  /** The same each time this event is sent to the same hook, also in a replay. */
  readonly id: string
  /** Such as `activity.record`, `activity.notice`, `transfer.state`, `activity.gap`. */
  readonly type: string
  /** Where the subscription continues after it. Undefined for states. */
  readonly cursor: string | undefined
  /** What the document selects. Null for a gap. */
  readonly data: unknown
  /** Which of its fields failed, with the codes of their errors. */
  readonly errors?: readonly { readonly message: string; readonly path?: readonly (string | number)[] }[]
  /** Why events are missing before it. */
  readonly reason?: string
}

/** The fields that name a record. */
interface Named {
  readonly cursor?: unknown
  readonly node?: { readonly id?: unknown } | null
}

/** An event as receivers get it. Undefined for the end of a subscription. `owner` is who it is sent to. */
export function toLiveRecord(
  owner: string,
  { field, subscription, rule, hasNode }: Followed,
  event: LiveEvent<unknown>,
  cursor: string | undefined,
): LiveRecord | undefined {
  if (event.kind === 'end') return undefined
  if (event.kind === 'gap') {
    const { reason } = event
    const id = idOf(owner, subscription, 'gap', reason, cursor ?? '')
    return { id, type: `${subscription}.gap`, cursor, data: null, reason }
  }
  const data = (event.data as Record<string, unknown>)[field]
  if (event.kind === 'notice') {
    const id = idOf(owner, subscription, 'notice', JSON.stringify(event.notice), cursor ?? '')
    return { id, type: `${subscription}.notice`, cursor, data }
  }
  const errors = event.error?.errors.map(({ message, path, extensions }) => ({
    message,
    ...(path && { path }),
    ...(extensions?.code !== undefined && { code: extensions.code }),
  }))
  // A cursor has the places of all chains, so the same record has another one in a replay.
  const { cursor: _cursor, ...contents } = data as Named
  const name = hasNode ? contents.node?.id : JSON.stringify(contents)
  const kind = rule.cursor ? 'record' : 'state'
  return {
    ...{ id: idOf(owner, subscription, kind, String(name)), type: `${subscription}.${kind}`, cursor, data },
    ...(errors && { errors }),
  }
}

/** Without a full stop, which the signed text has between its parts. */
const idOf = (...parts: readonly string[]): string =>
  `evt_${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32)}`
