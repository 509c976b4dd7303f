import type { PortolanError } from './portolanError.ts'
import type { LiveEvent } from './readEvent.ts'
import type { ResumeRule } from './resume.ts'
import type { Ending } from './transport.ts'

/** How far a subscription has come, over all its connections. */
export interface Course {
  /** The cursor of the last event that arrived. */
  position: string | undefined
  /** Connections in a row that brought nothing. */
  attempts: number
  /** Times in a row that the gateway ended it at one position. */
  stuck: number
  /** Events so far. */
  arrived: number
  /** Whether the gateway was ever asked. */
  isOpened: boolean
  /** The event that the reader needs before the next one. */
  gap?: Extract<LiveEvent<never>, { kind: 'gap' }>
}

/** One connection that is over. */
export interface EndedConnection {
  readonly ending: Ending
  /** Whether it brought an event, or lasted. */
  readonly isHealthy: boolean
}

/** Failures at one position until its cursor is dropped, or the subscription given up. */
const maxStuck = 3

/** Whether a gateway or its services have too much to do, which passes. */
const isBusy = (code: string) => /^UPSTREAM_(?!REJECTED)|^RATE_LIMITED$/.test(code)

/** Whether no other cursor would help. */
const isFinal = (code: string) => /^(UNAUTHENTICATED|DOCUMENT_NOT_TRUSTED|GRAPHQL_\w+)$/.test(code)

/** Decides what follows a connection that ended: connect again, end, or fail with an error. Updates `course`. */
export function follow(
  course: Course,
  { ending, isHealthy }: EndedConnection,
  rule: ResumeRule | undefined,
): 'again' | 'end' | PortolanError {
  if (ending.kind === 'refused') return ending.error
  if (ending.kind === 'failed' && isFinal(ending.error.code)) return ending.error
  if (isHealthy) course.attempts = course.stuck = 0
  course.attempts++
  if (ending.kind === 'complete') {
    // A gateway may end a long stream that has cursors. Only one that is always empty is at its end.
    if (!rule?.cursor || (!isHealthy && ++course.stuck >= maxStuck)) return 'end'
  }
  if (ending.kind === 'failed' && !isBusy(ending.error.code)) {
    const { error } = ending
    const isFault = error.code === 'INTERNAL_SERVER_ERROR'
    if (!isFault || ++course.stuck >= maxStuck) {
      if (course.position === undefined) return error
      course.position = undefined
      course.stuck = 0
      course.gap = { kind: 'gap', reason: isFault ? 'CURSOR_STUCK' : error.code, error }
    }
  }
  const isRepeated = rule !== undefined && !rule.cursor
  if (course.position === undefined && course.isOpened && !isRepeated) {
    course.gap ??= { kind: 'gap', reason: 'NO_CURSOR' }
  }
  return 'again'
}

/** Seconds that the gateway asked to wait. */
export const waitOf = (ending: Ending): number =>
  (ending.kind === 'lost' ? ending.retryAfter : ending.kind === 'failed' ? ending.error.retryAfter : 0) ?? 0
