import type { Context } from './builder.ts'

/** A list in memory that is searched often, in pieces that each hold the event loop for well below a millisecond. */
export interface Pieces<T> {
  readonly count: number
  /** The values of a piece, which are made when they are needed first, and then kept. */
  at(index: number): readonly T[]
}

const pieceLength = 1_000

/** The pieces of a list, with what `make` gives for each item. */
export function splitIntoChunks<T, R>(all: readonly T[], make: (item: T) => R): Pieces<R> {
  const made: (readonly R[])[] = []
  return {
    count: Math.ceil(all.length / pieceLength),
    at(index) {
      made[index] ??= all.slice(index * pieceLength, (index + 1) * pieceLength).map(make)
      return made[index]
    },
  }
}

/**
 * Calls `visit` for all values in their order, each piece when the turn of the client comes. Rejects when the
 * operation ends.
 */
export async function scan<T>(
  { scheduler, scope }: Pick<Context, 'scheduler' | 'scope'>,
  pieces: Pieces<T>,
  visit: (value: T) => void,
): Promise<void> {
  for (let index = 0; index < pieces.count; index += 1) {
    if (scope.signal.aborted) throw scope.signal.reason
    await scheduler.run(scope.requester.client, () => pieces.at(index).forEach(visit))
  }
}
