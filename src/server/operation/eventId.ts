import type { ExecutionResult } from 'graphql'

const eventId = Symbol('eventId')

/** A result that knows the id of its event. The id is made when it is read. */
type IdentifiedResult = ExecutionResult & { readonly [eventId]?: () => string }

/** The result of an event, with the cursor of the event as its id, if the event has one. */
export function withEventId(result: ExecutionResult, event: unknown): ExecutionResult {
  const identified: IdentifiedResult = hasCursor(event)
    ? { ...result, [eventId]: event.cursor }
    : result
  return identified
}

const hasCursor = (event: unknown): event is { readonly cursor: () => string } =>
  typeof event === 'object' &&
  event !== null &&
  'cursor' in event &&
  typeof event.cursor === 'function'

/** The id of the event of a result. Undefined if a client cannot continue after it. */
export const eventIdOf = (result: IdentifiedResult): string | undefined => result[eventId]?.()
