import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/** Real milliseconds that a request may take before it counts as one that waits for the clock of a test. */
const longestMs = 10

const ends = ['undici:request:trailers', 'undici:request:error']

/** The HTTP requests of this process. */
export interface Traffic extends Disposable {
  /** How many requests were sent or answered so far. */
  readonly changes: number
  /** Resolves when an open request is answered, when none is open, or when all of them wait for the clock of a test. */
  answered(): Promise<void>
}

/** Watches the requests that undici sends, which is also what `fetch` does. */
export function watchTraffic(): Traffic {
  const open = new Set<unknown>()
  let changes = 0
  const opened = (message: unknown) => {
    changes += 1
    open.add(Object(message).request)
  }
  const ended = (message: unknown) => {
    changes += 1
    open.delete(Object(message).request)
  }
  subscribe('undici:request:create', opened)
  for (const end of ends) subscribe(end, ended)
  return {
    get changes() {
      return changes
    },
    async answered() {
      const before = changes
      const last = performance.now() + longestMs
      while (open.size > 0 && changes === before && performance.now() < last) await nextTurn()
    },
    [Symbol.dispose]() {
      unsubscribe('undici:request:create', opened)
      for (const end of ends) unsubscribe(end, ended)
    },
  }
}

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((done) => setImmediate(done))
