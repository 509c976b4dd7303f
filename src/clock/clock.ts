/** Time as polls see it, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds; only differences count. */
  now(): number
  /** Runs something once after that many milliseconds, unless the function it returns is called. */
  after(milliseconds: number, run: () => void): () => void
}

/** The time of the machine; it does not jump when somebody sets the machine's date. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
}

/** Runs work that is given up, as `late()`, after that many milliseconds, or with the signal's reason. */
export async function withDeadline<T>(
  clock: Clock,
  options: { milliseconds: number; signal: AbortSignal; late: () => Error },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { milliseconds, signal, late } = options
  signal.throwIfAborted()
  const controller = new AbortController()
  const leave = () => controller.abort(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  const cancel = clock.after(milliseconds, () => controller.abort(late()))
  try {
    return await new Promise<T>((resolve, reject) => {
      // Work that ignores its signal must not hold its place either.
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason))
      work(controller.signal).then(resolve, reject)
    })
  } finally {
    cancel()
    signal.removeEventListener('abort', leave)
  }
}

/** Resolves after that many milliseconds; rejects with the signal's reason when it aborts. */
export async function pause(
  clock: Clock,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const leave = () => {
      cancel()
      reject(signal.reason)
    }
    const cancel = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', leave)
      resolve()
    })
    signal.addEventListener('abort', leave, { once: true })
  })
}
