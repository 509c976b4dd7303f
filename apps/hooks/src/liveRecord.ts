import { createHash } from 'node:crypto'
import type { LiveEvent } from '@portolan/client'
import { addedPrefix, type FollowedDocument, type IdentityField } from './followed.ts'

/** An event of a subscription, as receivers get it. */
export interface LiveRecord {
  /** Names this event for ever: no other one has it, and it is the same in each attempt. That of a record is the same in each replay. */
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

/** What an event is known by before it has an id. */
export type Identified =
  /** Something in the graph, by what identifies it there for ever. */
  | { readonly by: 'record'; readonly key: string }
  /** The state of something, or a message such as a notice, by a digest of what it says. Equal ones come again later. */
  | { readonly by: 'state' | 'message'; readonly subject: string; readonly digest: string }

/** An event that has no id yet. */
export interface Unnamed {
  readonly contents: Omit<LiveRecord, 'id'>
  readonly identified: Identified
}

/** Reads an event, without what was added to its document. Undefined for the end of a subscription. */
export function readLive(
  { field, subscription, identity, rule }: FollowedDocument,
  event: LiveEvent<unknown>,
  cursor: string | undefined,
): Unnamed | undefined {
  if (event.kind === 'end') return undefined
  const message = (contents: Unnamed['contents']): Unnamed => {
    // The places of all chains are in a cursor, so it can differ when this is said again.
    const said = { ...(contents.data as object | null), cursor: undefined }
    const digest = digestOf(contents.type, said, contents.reason)
    return { contents, identified: { by: 'message', subject: 'message', digest } }
  }
  if (event.kind === 'gap') {
    return message({ type: `${subscription}.gap`, cursor, data: null, reason: event.reason })
  }
  const value = (event.data as Fields)[field] as Fields | null
  const data = withoutAdded(value)
  if (event.kind === 'notice') return message({ type: `${subscription}.notice`, cursor, data })
  const errors = event.error?.errors
    .filter(({ path }) => !String(path?.[1] ?? '').startsWith(addedPrefix))
    .map(({ message: text, path, extensions }) => ({
      message: text,
      ...(path && { path }),
      ...(extensions?.code !== undefined && { code: extensions.code }),
    }))
  const type = `${subscription}.${rule.cursor ? 'record' : 'state'}`
  const contents = { type, cursor, data, ...(errors?.length && { errors }) }
  if (rule.cursor) {
    const key = (value?.[identity.record?.name ?? ''] as { id?: unknown } | null | undefined)?.id
    // A part of it that fails can take the whole node with it.
    return typeof key === 'string' ? { contents, identified: { by: 'record', key } } : message(contents)
  }
  const digest = identity.state && value ? digestOf(partAt(value, identity.state)) : digestOf(data, errors)
  // An event without a value has nothing that says of what it is.
  const subject = identity.subject && (value ? JSON.stringify(partAt(value, identity.subject)) : digest)
  return { contents, identified: { by: 'state', subject: `state ${subject ?? ''}`, digest } }
}

type Fields = Readonly<Record<string, unknown>>

const withoutAdded = (value: Fields | null): unknown =>
  value && Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith(addedPrefix)))

const partAt = (value: Fields, { name, selections }: IdentityField): unknown => project(value[name], selections)

/** What a selection takes of a value. Lists are in an order that depends only on their contents. */
function project(value: unknown, set: IdentityField['selections']): unknown {
  if (Array.isArray(value)) return value.map((each) => JSON.stringify(project(each, set))).sort()
  if (typeof value !== 'object' || value === null || !set) return value
  return set.selections.map(
    (each) =>
      'name' in each &&
      project((value as Fields)[each.name.value], 'selectionSet' in each ? each.selectionSet : undefined),
  )
}

/** 32 characters without a full stop, which the signed text of a message has between its parts. */
export const digestOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32)
