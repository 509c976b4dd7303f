import type { Signer } from '../signing/signer.ts'
import {
  cursorError,
  decodeCursor,
  encodeCursor,
  type Position,
  readPosition,
  signCursor,
  verifyCursor,
  writePosition,
} from './cursor.ts'

/** Consecutive records of a page whose positions differ by equal steps. They share one signature. */
interface Run {
  readonly first: Position
  readonly step: Step
  length: number
  /** The signed text of the run, once a cursor needed it. */
  sealed?: string
}

/** The step to the position of the next record: added to the number in its key, or to its index or offset. */
interface Step {
  readonly key: bigint
  readonly index: number
}

const purpose = 'cursor run 2'

/** The longest run that is read, in characters. Opaque upstream keys are the longest part. */
const maxSealedLength = 4096

/**
 * Writes the cursors of a page of the list named `list`, by the index of a record on the page. A cursor is a
 * signed run of records and an index in it: a signature for each edge would cost more than the edge itself.
 */
export function createPageCursors(
  signer: Signer,
  list: () => string,
  positions: () => readonly Position[],
): (index: number) => string {
  let places: readonly (readonly [run: Run, index: number])[] | undefined
  return (index) => {
    places ??= findRuns(positions())
    const [run, place] = places[index] ?? []
    if (!run) throw new RangeError(`The page has no record ${index}.`)
    if (run.length === 1) return encodeCursor(signer, list(), run.first)
    run.sealed ??= signCursor(signer, { purpose, list: list() }, writeRun(run))
    return `${run.sealed}.${place}`
  }
}

/**
 * The position of a cursor of `createPageCursors` or `encodeCursor`. Throws `BAD_USER_INPUT` unless it was made
 * for the list named `list`.
 */
export function decodePageCursor(signer: Signer, list: string, cursor: string): Position {
  const [sealed = '', place, ...rest] = cursor.split('.')
  if (place === undefined) return decodeCursor(signer, list, cursor)
  const opening = { purpose, list, maxLength: maxSealedLength, read: readRun }
  const run = verifyCursor(signer, opening, sealed)
  const isPlace = /^(?:0|[1-9]\d{0,5})$/.test(place) && rest.length === 0
  if (!isPlace || Number(place) >= run.length) throw cursorError('INVALID_CURSOR')
  return positionIn(run, Number(place))
}

function findRuns(positions: readonly Position[]): [Run, number][] {
  const places: [Run, number][] = []
  let run: Run | undefined
  let before: Position | undefined
  for (const [i, position] of positions.entries()) {
    const isNext = run && before && isOneStep(run.step, before, position)
    if (!run || !isNext) run = { first: position, step: stepBetween(position, positions[i + 1]), length: 0 }
    places.push([run, run.length])
    run.length += 1
    before = position
  }
  return places
}

const noStep: Step = { key: 0n, index: 0 }

/** The step from a position to the one after it. None if they are not of one key. */
function stepBetween(position: Position, next: Position | undefined): Step {
  if (position.kind === 'keyset' && next?.kind === 'keyset') {
    return { key: next.key - position.key, index: next.offset - position.offset }
  }
  if (position.kind !== 'keyset' && next && next.kind !== 'keyset') {
    return { key: 0n, index: next.index - position.index }
  }
  return noStep
}

/** The position of a record of a run. It may be beyond the end. */
function positionIn({ first, step }: Run, place: number): Position {
  if (first.kind !== 'keyset') return { ...first, index: first.index + step.index * place }
  const key = first.key + step.key * BigInt(place)
  return { ...first, key, offset: first.offset + step.index * place }
}

/** Whether a step leads from one position to the other. Positions are compared without new objects: pages are long. */
function isOneStep(step: Step, from: Position, to: Position): boolean {
  if (from.kind === 'keyset') {
    if (to.kind !== 'keyset' || to.offset - from.offset !== step.index) return false
    return to.key - from.key === step.key
  }
  return to.kind !== 'keyset' && to.index - from.index === step.index && isBeside(from, to)
}

/** Whether two positions differ in their index at most. */
function isBeside(one: IndexedPosition, other: IndexedPosition): boolean {
  if (one.kind === 'opaque') {
    return other.kind === 'opaque' && one.key === other.key && one.isForward === other.isForward
  }
  if (other.kind === 'opaque' || one.from !== other.from) return false
  return positionKey(one) === positionKey(other)
}

type IndexedPosition = Exclude<Position, { readonly kind: 'keyset' }>

const positionKey = (position: Exclude<IndexedPosition, { readonly kind: 'opaque' }>) =>
  position.kind === 'record' ? `${position.key} ${position.next?.key}` : position.next?.key

const writeRun = ({ first, step, length }: Run): string => `${length},${step.key},${step.index},${writePosition(first)}`

function readRun(text: string): Run | undefined {
  const [, length, key, index, written = ''] = /^(\d+),(-?\d+),(-?\d+),(.+)$/s.exec(text) ?? []
  const first = readPosition(written)
  if (!first || key === undefined) return undefined
  return { first, length: Number(length), step: { key: BigInt(key), index: Number(index) } }
}
