import type { Clock } from '../../clock/clock.ts'

/** A source that can be paused, such as a socket. */
interface Pausable {
  pause(): void
  resume(): void
}

/**
 * Limits a socket to so many messages a second. Returns a function to call at each message. Excess
 * messages are delayed by TCP backpressure. None are dropped or queued here.
 */
export function createThrottle(socket: Pausable, perSecond: number, clock: Clock): () => void {
  let start = clock.now()
  let count = 0
  return () => {
    const now = clock.now()
    if (now - start >= 1_000) {
      start = now
      count = 0
    }
    count += 1
    // Messages above the limit had arrived before the pause, which has its timer already.
    if (count !== perSecond) return
    socket.pause()
    clock.after(start + 1_000 - now, () => socket.resume())
  }
}
