/** Calls back after some milliseconds. */
export interface Timer {
  /** Returns what cancels it. */
  after(milliseconds: number, callback: () => void): () => void
}

/** The timers of this process. */
export const systemTimer: Timer = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}
