/** The time a piece of work has. */
export interface Deadline {
  /** Aborts with a `TimeoutError` when the time is up, or with the client. */
  readonly signal: AbortSignal
  /** Frees the timer; to be called when the work is done. */
  close(): void
}

/**
 * Opens a deadline of that many milliseconds under a client's signal. Unlike `AbortSignal.any` it
 * leaves nothing behind on a signal that outlives it, as a subscription's does each of its events.
 */
export function openDeadline(client: AbortSignal, milliseconds: number): Deadline {
  const controller = new AbortController()
  const close = () => {
    clearTimeout(timer)
    client.removeEventListener('abort', leave)
  }
  const leave = () => {
    close()
    controller.abort(client.reason)
  }
  const timer = setTimeout(() => {
    close()
    controller.abort(new DOMException('The operation ran out of time.', 'TimeoutError'))
  }, milliseconds)
  client.addEventListener('abort', leave)
  if (client.aborted) leave()
  return { signal: controller.signal, close }
}
