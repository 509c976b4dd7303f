import type { Client } from './client.ts'
import type { Operation } from './document.ts'
import type { LiveEvent } from './readEvent.ts'
import type { Result } from './transport.ts'

/** A subscription in which events are missing. */
export interface Gap {
  /** As of a `gap` of `subscribe`. */
  readonly reason: string
  readonly operation: Operation
}

/** How subscriptions of another library are resumed. */
export interface ObserveOptions {
  /** Called where events are missing: read anew what is shown. */
  readonly onGap: (gap: Gap) => void
}

/** The reader of a subscription of another library. */
interface Observer {
  next(result: Result): void
  error(error: unknown): void
  complete(): void
}

/** Passes the events of a subscription on to an observer. The returned function ends it. */
export function observe(
  client: Client,
  operation: Operation,
  observer: Observer,
  { onGap }: ObserveOptions,
): () => void {
  const { query, variables } = operation
  const live = client.subscribe<unknown, object>(query, variables)
  const pass = (event: LiveEvent<unknown>) => {
    if (event.kind === 'gap') onGap({ reason: event.reason, operation })
    // A notice has its place in the document, beside the record that it stands for.
    if (event.kind === 'notice') observer.next({ data: event.data })
    if (event.kind !== 'data') return
    const { data, error } = event
    observer.next({ data, ...(error && { errors: error.errors }) })
  }
  const read = async () => {
    for await (const event of live) pass(event)
    observer.complete()
  }
  read().catch((error) => observer.error(error))
  return () => void live.return()
}
