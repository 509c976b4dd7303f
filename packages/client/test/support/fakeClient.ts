import type { Client } from '../../src/client.ts'
import type { QueryOptions } from '../../src/query.ts'

/** A query that a fake client was asked, and what answers it. */
export interface AskedQuery {
  readonly document: unknown
  readonly variables: Readonly<Record<string, unknown>>
  readonly options: QueryOptions
  readonly answer: (data: unknown) => void
  readonly fail: (error: Error) => void
}

/** A client whose queries a test answers, also those that were given up, and whose connection it cuts. */
export function fakeClient() {
  const asked: AskedQuery[] = []
  const listeners = new Set<() => void>()
  const fake = {
    status: 'live' as Client['status'],
    problem: undefined,
    query: (document: unknown, variables: AskedQuery['variables'], options: QueryOptions) =>
      new Promise((answer, fail) => {
        asked.push({ document, variables, options, answer, fail })
      }),
    onStatus(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return {
    asked,
    client: fake as unknown as Client,
    /** The newest query. */
    last: () => {
      const query = asked.at(-1)
      if (!query) throw new Error('No query was sent.')
      return query
    },
    become(status: Client['status']) {
      fake.status = status
      for (const listener of listeners) listener()
    },
    listeners,
  }
}
