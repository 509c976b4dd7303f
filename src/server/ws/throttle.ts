import type { Clock } from '../../clock/clock.ts'

/** A source that can be paused, such as a socket. */
interface Pausable {
  pause(): void
  resume(): void
}

/**
 * Limits a socket to so many messages a second. Returns a function that handles a message, now or when its
 * second comes. The socket is paused meanwhile, so TCP holds back its client, and only messages that had
 * arrived with the last packet wait here.
 */
export function createThrottle(
  socket: Pausable,
  perSecond: number,
  clock: Clock,
): (handle: () => void) => void {
  const waiting: (() => void)[] = []
  let start = clock.now()
  let count = 0

  const pauseIfFull = () => {
    if (count < perSecond) return
    socket.pause()
    clock.after(start + 1_000 - clock.now(), goOn)
  }

  const goOn = () => {
    start = clock.now()
    const due = waiting.splice(0, perSecond)
    count = due.length
    socket.resume()
    for (const handle of due) handle()
    pauseIfFull()
  }

  return (handle) => {
    if (count >= perSecond) {
      waiting.push(handle)
      return
    }
    const now = clock.now()
    if (now - start >= 1_000) {
      start = now
      count = 0
    }
    count += 1
    handle()
    pauseIfFull()
  }
}
