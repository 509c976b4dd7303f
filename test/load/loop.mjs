// How long the event loop of this process stands still, by its own work and by that of other processes.
import { readFileSync } from 'node:fs'

const interval = 5

/**
 * Milliseconds that the main thread has waited for a core: Linux counts them. On other systems it is not
 * known, and counts as none.
 */
function readWaited() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

/** Watches from now on. */
export function watchLoop() {
  let at = performance.now()
  let waited = readWaited()
  let longest = { stillMs: 0, wallMs: 0 }
  const mark = () => {
    at = performance.now()
    waited = readWaited()
  }
  const measure = () => {
    const wallMs = Math.max(0, performance.now() - at - interval)
    const stillMs = Math.max(0, wallMs - (readWaited() - waited))
    longest = {
      stillMs: Math.max(longest.stillMs, stillMs),
      wallMs: Math.max(longest.wallMs, wallMs),
    }
    mark()
  }
  setInterval(measure, interval)
  return {
    /** Runs work of the measurement itself, which does not count as standing still. */
    without(work) {
      measure()
      work()
      mark()
    },
    reset() {
      longest = { stillMs: 0, wallMs: 0 }
    },
    /** The longest stand-still, without and with the time that the process waited for a core. */
    longest: () => longest,
  }
}
