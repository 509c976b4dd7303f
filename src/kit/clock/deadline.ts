import type { Clock } from './clock.ts'
import { type Signal, SignalSource } from './signal.ts'
import type { StartTimeout } from './timeouts.ts'

/** How long work may take. */
export interface DeadlineOptions {
  readonly milliseconds: number
  /** Ends the work early, with its own reason. */
  readonly signal?: Signal | undefined
  /** The reason when the time is up. A `TimeoutError` by default. */
  readonly late?: () => Error
}

/** A signal for work that has a deadline. */
export interface Deadline {
  /** Aborts when the time is up, or with the signal of the options. */
  readonly signal: Signal
  /** Frees the timer and the listener. Call it when the work is done. */
  close(): void
}

const timedOut = (): Error => new DOMException('The operation timed out.', 'TimeoutError')

/**
 * Opens a deadline. Unlike `AbortSignal.any`, a closed deadline leaves nothing behind on a signal that
 * outlives it, such as a subscription's, which outlives each of its events.
 */
export function openDeadline(clock: Clock, { milliseconds, ...options }: DeadlineOptions): Deadline {
  const { due = Number.POSITIVE_INFINITY } = options.signal ?? {}
  const signal = new SignalSource(Math.min(due, clock.now() + milliseconds))
  const close = limitWork(signal, (run) => clock.after(milliseconds, run), options)
  return { signal, close }
}

/**
 * Ends work that has started with the signal `ending`: when the time of the timeout is up, or with the
 * signal of the options. The function it returns frees the timeout and the listener.
 */
export function limitWork(
  ending: SignalSource,
  startTimeout: StartTimeout,
  { signal, late = timedOut }: Omit<DeadlineOptions, 'milliseconds'>,
): () => void {
  const close = () => {
    cancel()
    signal?.removeEventListener('abort', onAbort)
  }
  const onAbort = () => {
    close()
    ending.abort(signal?.reason)
  }
  const cancel = startTimeout(() => {
    close()
    ending.abort(late())
  })
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()
  return close
}

/**
 * Runs work under a deadline. Rejects with the reason of the deadline as soon as it aborts, even if the
 * work ignores the signal it gets.
 */
export async function withDeadline<T>(
  clock: Clock,
  options: DeadlineOptions,
  work: (signal: Signal) => Promise<T>,
): Promise<T> {
  if (options.signal?.aborted) throw options.signal.reason
  const { signal, close } = openDeadline(clock, options)
  try {
    return await new Promise<T>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      work(signal).then(resolve, reject)
    })
  } finally {
    close()
  }
}
