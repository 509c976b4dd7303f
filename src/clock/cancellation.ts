import { createSignal, type Signal } from './signal.ts'

/** Tells the one step of a piece of work that is under way that nobody needs its result any more. */
export interface Cancellation {
  readonly isCancelled: boolean
  /** Why. Undefined until then. */
  readonly reason: unknown
  /**
   * Called once, when the work is cancelled. There is one such function at a time: the step under way
   * sets it, and removes it when it ends.
   */
  onCancel: (() => void) | undefined
  /** Aborts with the cancellation, for code that needs a signal. */
  readonly signal: Signal
}

/** A cancellation, and the function that cancels. Only the first call of it has an effect. */
export interface CancellationSource extends Cancellation {
  cancel(reason: unknown): void
}

/** Creates a cancellation. */
export function createCancellation(): CancellationSource {
  const signal = createSignal()
  const source = {
    isCancelled: false,
    reason: undefined as unknown,
    onCancel: undefined as (() => void) | undefined,
    signal,
    cancel(reason: unknown) {
      if (source.isCancelled) return
      source.isCancelled = true
      source.reason = reason
      source.onCancel?.()
      signal.abort(reason)
    },
  }
  return source
}
