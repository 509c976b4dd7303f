import type { z } from 'zod'
import { keyIdBytes, type Signer, signatureBytes } from '../signing/signer.ts'
import { GatewayError } from '../upstream/error.ts'

/** The purpose of a signed text: the form of cursor, with a number that changes with it, and the list. */
export interface CursorScope {
  readonly purpose: string
  readonly list: string
}

const signed = (list: string, text: string): string => `${list}\n${text}`

/** A text with its signature, in base64url. It is valid for one list. */
export function signCursor(signer: Signer, { purpose, list }: CursorScope, text: string): string {
  const signature = signer.sign(purpose, signed(list, text))
  return Buffer.concat([signer.keyId, signature, Buffer.from(text)]).toString('base64url')
}

/** How a cursor is read back. */
export interface Opening<T> extends CursorScope {
  readonly maxLength: number
  /** Reads what was sealed. Undefined for any other text. */
  readonly read: (text: string) => T | undefined
}

/**
 * Reads the text of `signCursor`. Throws `BAD_USER_INPUT` unless it was sealed for that list and has at most
 * `maxLength` characters. The reason is `CURSOR_EXPIRED` for a text signed with an unknown key, `CURSOR_OF_ANOTHER_LIST`
 * for a text signed for another list, and else `INVALID_CURSOR`.
 */
export function verifyCursor<T>(signer: Signer, { purpose, list, maxLength, read }: Opening<T>, sealed: string): T {
  const bytes = Buffer.from(sealed.length <= maxLength ? sealed : '', 'base64url')
  const id = bytes.subarray(0, keyIdBytes)
  const signature = bytes.subarray(keyIdBytes, keyIdBytes + signatureBytes)
  const text = bytes.subarray(keyIdBytes + signatureBytes).toString()
  // Node ignores characters that are not base64url, so the text must also be written the same way.
  const isWritten = sealed !== '' && bytes.toString('base64url') === sealed
  const value = isWritten ? read(text) : undefined
  if (value === undefined) throw cursorError('INVALID_CURSOR')
  if (!signer.knowsKey(id)) throw cursorError('CURSOR_EXPIRED')
  if (signer.verify(purpose, signed(list, text), signature)) return value
  throw cursorError('CURSOR_OF_ANOTHER_LIST')
}

const messages = {
  INVALID_CURSOR: 'Invalid cursor. Use a cursor that this gateway returned, as it is.',
  CURSOR_EXPIRED:
    'The cursor was signed with a key that this gateway does not have, such as before a restart without SIGNING_KEYS. Start the list again.',
  CURSOR_OF_ANOTHER_LIST:
    'The cursor is of another list. Use a cursor of the same list, with the same filters and order.',
}

/** The error for a cursor that cannot be used, and why. */
export const cursorError = (reason: keyof typeof messages): GatewayError =>
  new GatewayError('BAD_USER_INPUT', messages[reason], { reason })

/** Whether an error says that a cursor was signed with a key that is gone. */
export const isExpired = (error: unknown): boolean => error instanceof GatewayError && error.reason === 'CURSOR_EXPIRED'

/** JSON of a cursor. Undefined for a text of another form. */
export function readJson<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** A record by its distance to a key, for lists whose page keys bound their records. */
export interface KeysetPosition {
  readonly kind: 'keyset'
  readonly key: bigint
  /**
   * Records from the record of `key` to this one, in list order: 1 is the record after it, -1 the one
   * before it.
   */
  readonly offset: number
}

/** A record by its index, counted from one end of the list. */
export interface OffsetPosition {
  readonly kind: 'offset'
  readonly from: 'start' | 'end'
  /** 0 is the first record from that end. */
  readonly index: number
  /** The key of its page and the index that it leads to, until it is certain that keys of the list count records. */
  readonly next?: { readonly key: string; readonly at: number }
}

/** A record by its own key, for lists that take the key of a record. */
export interface RecordPosition {
  readonly kind: 'record'
  /** The key as JSON text. */
  readonly key: string
  /** Its index when it was read. */
  readonly from: 'start' | 'end'
  readonly index: number
  /** As in `OffsetPosition`. */
  readonly next?: OffsetPosition['next']
}

/** A record by its index on the page of an opaque key. */
export interface OpaquePosition {
  readonly kind: 'opaque'
  /** The key that the page was requested with. Null for the first page. */
  readonly key: string | null
  /** 0 is the first record of the page, -1 the record just before the page. */
  readonly index: number
  /** The direction of the read. An opaque key leads in that direction only. */
  readonly isForward: boolean
}

/** Where a record is in an upstream list. */
export type Position = KeysetPosition | OffsetPosition | OpaquePosition | RecordPosition

/** The maximum length of a cursor, in characters. Opaque upstream keys are the longest part. */
const maxCursorLength = 4096

/**
 * A cursor for a position in the list named `list`. It is invalid for every other list. It is signed,
 * because a position that a client made up can cost the upstream more than any page.
 */
export function encodeCursor(signer: Signer, list: string, position: Position): string {
  return signCursor(signer, { purpose, list }, writePosition(position))
}

/** The position of a cursor. Throws `BAD_USER_INPUT` unless it was made for the list named `list`. */
export function decodeCursor(signer: Signer, list: string, cursor: string): Position {
  const opening = { purpose, list, maxLength: maxCursorLength, read: readPosition }
  return verifyCursor(signer, opening, cursor)
}

/** The purpose of the signature. The number changes with the form of a cursor. */
const purpose = 'cursor 2'

/** The position as text, for `readPosition`. */
export function writePosition(position: Position): string {
  switch (position.kind) {
    case 'keyset':
      return `k${position.key},${position.offset}`
    case 'offset': {
      const { from, index, next } = position
      return `${from === 'start' ? 's' : 'e'}${index}${next ? `,${next.at},${next.key}` : ''}`
    }
    case 'record': {
      const { from, index, next, key } = position
      const leading = next ? `:${next.at}:${Buffer.from(next.key).toString('base64url')}` : ''
      return `r${from === 'start' ? 's' : 'e'}${index}${leading},${key}`
    }
    case 'opaque':
      return `${position.isForward ? 'f' : 'b'}${position.index},${position.key ?? ''}`
  }
}

/** The position that `writePosition` wrote. Undefined for any other text. */
export function readPosition(text: string): Position | undefined {
  const keyset = /^k(-?\d{1,19}),(-?\d{1,15})$/.exec(text)
  if (keyset) {
    const [, key = '', offset] = keyset
    return { kind: 'keyset', key: BigInt(key), offset: Number(offset) }
  }
  const offset = /^([se])(\d{1,15})(?:,(\d{1,15}),(.+))?$/s.exec(text)
  if (offset) {
    const [, end, index, at, key] = offset
    const next = key === undefined ? {} : { next: { key, at: Number(at) } }
    return { kind: 'offset', from: end === 's' ? 'start' : 'end', index: Number(index), ...next }
  }
  const record = /^r([se])(\d{1,15})(?::(\d{1,15}):([\w-]+))?,(.+)$/s.exec(text)
  if (record) {
    const [, end, index, at, pageKey, key = ''] = record
    const next =
      pageKey === undefined ? {} : { next: { key: Buffer.from(pageKey, 'base64url').toString(), at: Number(at) } }
    return { kind: 'record', key, from: end === 's' ? 'start' : 'end', index: Number(index), ...next }
  }
  const opaque = /^([fb])(-?\d{1,15}),(.*)$/.exec(text)
  if (opaque) {
    const [, direction, index, key] = opaque
    return { kind: 'opaque', key: key || null, index: Number(index), isForward: direction === 'f' }
  }
  return undefined
}

/**
 * A place in a list: one of its ends, or beside a record, or the record itself. A place between two records
 * has two names, one for each of them. It stays the same when records are added at an end of the list.
 */
export type Boundary =
  | { readonly kind: 'start' | 'end' }
  | {
      readonly kind: 'before' | 'after' | 'at'
      readonly position: Position
      /** Which part of the record it is beside, if the list has several items of one record. */
      readonly part?: number | undefined
    }

/** The position to read from, which is not read itself. Null for an end of the list, undefined if nothing is left. */
export function positionBeside(boundary: Boundary, isForward: boolean): Position | null | undefined {
  switch (boundary.kind) {
    case 'start':
      return isForward ? null : undefined
    case 'end':
      return isForward ? undefined : null
    case 'at':
      return boundary.position
    case 'after':
      return isForward ? boundary.position : moved(boundary.position, 1)
    case 'before':
      return isForward ? moved(boundary.position, -1) : boundary.position
  }
}

/** The position one record later in list order, or one earlier. There need not be a record. */
function moved(position: Position, step: 1 | -1): Position {
  switch (position.kind) {
    case 'keyset':
      return { ...position, offset: position.offset + step }
    case 'offset':
      return { ...position, index: position.index + (position.from === 'start' ? step : -step) }
    case 'record': {
      const { from, index } = position
      return { kind: 'offset', from, index: index + (from === 'start' ? step : -step) }
    }
    case 'opaque':
      return { ...position, index: position.index + (position.isForward ? step : -step) }
  }
}

const letters = { start: 's', end: 'e', before: 'b', after: 'a', at: '@' } as const

/** The boundary as text, for `readBoundary`. */
export function writeBoundary(boundary: Boundary): string {
  const letter = letters[boundary.kind]
  if (!('position' in boundary)) return letter
  const part = boundary.part === undefined ? '' : `${boundary.part}:`
  return letter + part + writePosition(boundary.position)
}

/** The boundary that `writeBoundary` wrote. Undefined for any other text. */
export function readBoundary(text: string): Boundary | undefined {
  if (text === letters.start) return { kind: 'start' }
  if (text === letters.end) return { kind: 'end' }
  const kind = (['before', 'after', 'at'] as const).find((name) => text[0] === letters[name])
  const [, part, written = ''] = /^.(?:(\d{1,6}):)?(.*)$/s.exec(text) ?? []
  const position = readPosition(written)
  return kind && position && { kind, position, ...(part === undefined ? {} : { part: Number(part) }) }
}
