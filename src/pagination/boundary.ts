import { type Position, readPosition, writePosition } from './cursor.ts'

/**
 * A place in a list: one of its ends, or beside a record, or the record itself. A place between two records
 * has two names, one for each of them. It stays the same when records are added at an end of the list.
 */
export type Boundary =
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'before' | 'after' | 'at'; readonly position: Position }

/** The position to read from, which is not read itself. Null for an end of the list, undefined if nothing is left. */
export function positionBeside(
  boundary: Boundary,
  isForward: boolean,
): Position | null | undefined {
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
export const writeBoundary = (boundary: Boundary): string =>
  letters[boundary.kind] + ('position' in boundary ? writePosition(boundary.position) : '')

/** The boundary that `writeBoundary` wrote. Undefined for any other text. */
export function readBoundary(text: string): Boundary | undefined {
  if (text === letters.start) return { kind: 'start' }
  if (text === letters.end) return { kind: 'end' }
  const kind = (['before', 'after', 'at'] as const).find((name) => text[0] === letters[name])
  const position = readPosition(text.slice(1))
  return kind && position && { kind, position }
}
