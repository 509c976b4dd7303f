import type { Steps } from '#kit/steps'
import { UnboundedChanges } from '#words/balanceChanges/bound'
import type { Context } from '../../engine/graphql/builder.ts'
import { tooLarge } from '../../engine/upstream/error.ts'
import type { Awaitable } from '../../kit/awaitable.ts'

/**
 * Reads something from a record, in several turns of the client if it is long. `field` is what is read, as the graph
 * calls it.
 * @throws QUERY_TOO_COMPLEX with the reason `RECORD_TOO_LARGE` if the record has too much to read.
 */
export const readRecord = <T>({ scope }: Pick<Context, 'scope'>, field: string, steps: Steps<T>): Awaitable<T> =>
  scope.work.run(bounded(field, steps))

function* bounded<T>(field: string, steps: Steps<T>): Steps<T> {
  try {
    return yield* steps
  } catch (error) {
    if (!(error instanceof UnboundedChanges)) throw error
    throw tooLarge(`The transaction is too large for \`${field}\`. ${error.message}`)
  }
}
