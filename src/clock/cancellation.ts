/** Tells work that nobody needs its result any more. It costs far less than an `AbortSignal`. */
export interface Cancellation {
  readonly isCancelled: boolean
  /** Why. Undefined until then. */
  readonly reason: unknown
  /**
   * Called once, when the work is cancelled. There is one such function at a time: the step under way
   * sets it, and removes it when it ends.
   */
  onCancel: (() => void) | undefined
  /** Aborts with the cancellation, for code that needs a signal. It is made when it is first read. */
  readonly signal: AbortSignal
}

/** A cancellation, and the function that cancels. Only the first call of it has an effect. */
export interface CancellationSource extends Cancellation {
  cancel(reason: unknown): void
}

/** Creates a cancellation. */
export function createCancellation(): CancellationSource {
  let controller: AbortController | undefined
  let isCancelled = false
  let reason: unknown
  const source: CancellationSource = {
    onCancel: undefined,
    get isCancelled() {
      return isCancelled
    },
    get reason() {
      return reason
    },
    get signal() {
      if (!controller) {
        controller = new AbortController()
        if (isCancelled) controller.abort(reason)
      }
      return controller.signal
    },
    cancel(cause) {
      if (isCancelled) return
      isCancelled = true
      reason = cause
      source.onCancel?.()
      controller?.abort(cause)
    },
  }
  return source
}
