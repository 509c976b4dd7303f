import type { Operation } from './document.ts'
import { PortolanError, type ResponseError } from './portolanError.ts'

/** A result of an operation, or one event of a subscription. */
export interface Result {
  readonly data?: unknown
  readonly errors?: readonly ResponseError[]
}

/** The reader of a subscription. After `end`, nothing more is called. */
export interface Sink {
  /** The gateway has been asked. */
  opened(): void
  next(result: Result): void
  end(ending: Ending): void
}

/** Why a subscription ended. */
export type Ending =
  /** The gateway said that nothing more comes. */
  | { readonly kind: 'complete' }
  /** The gateway ended it with an error. */
  | { readonly kind: 'failed'; readonly error: PortolanError }
  /** The connection was lost, or refused for now. With `problem`, it is known why nothing passed. */
  | {
      readonly kind: 'lost'
      readonly retryAfter?: number | undefined
      readonly problem?: PortolanError
    }
  /** It makes no sense to try again, as with a refused key. */
  | { readonly kind: 'refused'; readonly error: PortolanError }

/** Begins a subscription. The returned function ends it, and the sink hears no more. */
export type Subscribe = (operation: Operation, sink: Sink) => () => void

/** The end of a connection that opened, but over which nothing came. */
export const held = (): Ending => ({
  kind: 'lost',
  problem: new PortolanError('BUFFERED', 'The connection opens, but no event passes: a proxy buffers.'),
})
