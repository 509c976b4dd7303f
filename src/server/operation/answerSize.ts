import type { GraphQLError } from 'graphql'
import type { Limits } from '../../engine/limits/limits.ts'
import { limitExceeded, tooLarge } from '../../engine/upstream/error.ts'
import type { UnreadAnswers } from './unreadAnswers.ts'

/**
 * Counts the bytes of one answer, or of one event of a subscription, while they are written, and the rows of its lists,
 * without those of pages. Short texts count one byte for each character, long ones their bytes in UTF-8.
 */
export interface AnswerSize {
  /** Bytes so far. */
  readonly bytes: number
  readonly rows: number
  /** Counts a leaf: its name, and the length of its text. Throws an error that `stops` the answer if it is too much. */
  add(length: number): void
  /** Counts the rows of a list. Throws `QUERY_TOO_COMPLEX` if the list has too many, or all lists together have. */
  addRows(count: number): void
  /** Whether `add` has thrown this error. The whole field of the root is then null. */
  stops(error: GraphQLError): boolean
  /** Frees the bytes that the answer holds among the waiting answers. Its transport counts them from then. */
  close(): void
}

/** Counts nothing. */
export const uncounted: AnswerSize = {
  bytes: 0,
  rows: 0,
  add() {},
  addRows() {},
  stops: () => false,
  close() {},
}

/** After this many bytes, what is being written counts among the answers that wait. */
const stepBytes = 64 * 1024

/** Rows of one list at most. Transactions have some hundreds; one list of many thousands holds up all other clients. */
const maxListRows = 5_000

/** Rows of lists inside records that cost a point. Those of an answer may cost as much as an operation may. */
export const rowsOfPoint = 4

/** Opens the count of an answer to a client. */
export function createAnswerSize(
  client: string,
  { maxAnswerBytes, maxCost }: Pick<Limits, 'maxAnswerBytes' | 'maxCost'>,
  unread: UnreadAnswers,
): AnswerSize {
  const maxRows = maxCost * rowsOfPoint
  let tooManyRows: Error | undefined
  let error: Error | undefined
  let releases: (() => void)[] | undefined
  let checkAt = Math.min(stepBytes, maxAnswerBytes)

  const check = () => {
    if (size.bytes > maxAnswerBytes) {
      const message = `The answer is larger than ${maxAnswerBytes} bytes. Select fewer fields, or use smaller pages.`
      error = limitExceeded('answer_bytes', 'QUERY_TOO_COMPLEX', message)
    } else {
      error = unread.refuse(client)
    }
    if (error) throw error
    releases ??= []
    releases.push(unread.hold(client, stepBytes))
    checkAt = Math.min(checkAt + stepBytes, maxAnswerBytes)
  }
  const size = {
    bytes: 0,
    rows: 0,
    addRows(count: number) {
      if (count > maxListRows) {
        throw tooLarge(`The list has ${count} rows. The limit is ${maxListRows}.`)
      }
      if (size.rows + count > maxRows) {
        // One error for all lists of the operation: it is refused once.
        const message = `The lists inside the records have more than ${maxRows} rows together. Use smaller pages.`
        tooManyRows ??= limitExceeded('rows_per_operation', 'QUERY_TOO_COMPLEX', message)
        throw tooManyRows
      }
      size.rows += count
    },
    add(length: number) {
      // Nothing more is written, so that fields that come late cost no memory.
      if (error) throw error
      size.bytes += length
      while (size.bytes > checkAt) check()
    },
    stops: (thrown: GraphQLError) => error !== undefined && (thrown === error || thrown.originalError === error),
    close() {
      for (const release of releases ?? []) release()
      releases = undefined
    },
  }
  return size
}

/** Texts of up to this many characters count one byte for each. To count the others takes longer than to write them. */
const shortText = 256

/** Bytes of a text in an answer, roughly. */
export const textBytes = (text: string): number => (text.length > shortText ? Buffer.byteLength(text) : text.length)

/** Bytes of a name, and of what JSON has around it and its value. */
export const nameBytes = (name: string): number => name.length + 4

/** Counts a value as JSON would write it. Values may be nested deeper than the stack is. */
export function countValue(size: AnswerSize, value: unknown, ofName = 0): void {
  size.add(ofName)
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') size.add(textBytes(next) + 3)
    else if (Array.isArray(next)) for (const item of next) open.push(item)
    else if (typeof next === 'object' && next !== null) {
      for (const [name, part] of Object.entries(next)) {
        size.add(nameBytes(name))
        open.push(part)
      }
    } else size.add(shortLeaf)
  }
}

/** Bytes of a number, a boolean or null, roughly. */
export const shortLeaf = 6
