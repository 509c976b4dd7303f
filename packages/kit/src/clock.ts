/** Calls back after some time. Tests pass one whose time they move themselves. */
export interface Timer {
  /** Calls back once after this many milliseconds, 24 days at most. The function it returns cancels the call. */
  after(milliseconds: number, callback: () => void): () => void
}

/** The longest timer of Node, in milliseconds: a longer one would run at once. */
const longestTimer = 2 ** 31 - 1

/** The timer of this process. */
export const systemTimer: Timer = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, longestTimer))
    return () => clearTimeout(timer)
  },
}

/** Resolves after this many milliseconds, 24 days at most, or as soon as one of the signals aborts. */
export const wait = (milliseconds: number, ...signals: readonly AbortSignal[]): Promise<void> =>
  new Promise((resolve) => {
    const cancel = systemTimer.after(milliseconds, done)
    function done() {
      cancel()
      for (const signal of signals) signal.removeEventListener('abort', done)
      resolve()
    }
    for (const signal of signals) signal.addEventListener('abort', done)
    if (signals.some(({ aborted }) => aborted)) done()
  })
