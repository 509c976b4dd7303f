/** Milliseconds to wait before an attempt. `attempt` counts from 0. */
export type RetryDelay = (attempt: number) => number

/** Exponential back-off with full jitter: between 0 and half a second, doubled up to half a minute. */
export const fullJitter: RetryDelay = (attempt) => Math.random() * Math.min(30_000, 500 * 2 ** Math.min(attempt, 10))

/** Calls back when the device may have its network again: a page is shown, or comes online. */
export function onWake(wake: () => void): () => void {
  const { document } = globalThis as { document?: EventTarget & { readonly hidden: boolean } }
  const shown = () => void (document?.hidden || wake())
  globalThis.addEventListener?.('online', wake)
  document?.addEventListener('visibilitychange', shown)
  return () => {
    globalThis.removeEventListener?.('online', wake)
    document?.removeEventListener('visibilitychange', shown)
  }
}

/**
 * Resolves after this many milliseconds, or when the signal aborts. With `sleepers`, also when the device wakes, or when
 * the function is called that is among them for so long.
 */
export const pause = (ms: number, signal?: AbortSignal, sleepers?: Set<() => void>): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      stopWaking?.()
      sleepers?.delete(done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    const stopWaking = sleepers && onWake(done)
    sleepers?.add(done)
    signal?.addEventListener('abort', done)
    if (signal?.aborted) done()
  })

/** A signal that aborts with another one, or after this many milliseconds. `clear` stops the time. */
export function deadline(ms: number, signal?: AbortSignal) {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => controller.abort(), ms)
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    },
  }
}
