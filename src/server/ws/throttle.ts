import type { Clock } from '../../kit/clock/clock.ts'
import type { Client } from '../clients/client.ts'

/** A source that can be paused, such as a socket. */
export interface Pausable {
  pause(): void
  resume(): void
}

/** A source that several pause, each for its own reason. It continues once all of them have resumed it. */
export function createPauses(source: Pausable): Pausable {
  let count = 0
  return {
    pause() {
      count += 1
      if (count === 1) source.pause()
    },
    resume() {
      count -= 1
      if (count === 0) source.resume()
    },
  }
}

/**
 * Returns a function that handles a message when the turn of its client comes. The source is paused while
 * its messages wait.
 */
export function createTurnTaker(source: Pausable, clientNow: () => Client): (handle: () => void) => void {
  let waiting = 0
  return (handle) => {
    const done = clientNow().turn(handle)
    if (!(done instanceof Promise)) return
    waiting += 1
    if (waiting === 1) source.pause()
    void done.finally(() => {
      waiting -= 1
      if (waiting === 0) source.resume()
    })
  }
}

/**
 * Limits a socket to this many messages a second. Returns a function that handles a message, now or when its
 * second comes. The socket is paused meanwhile, so TCP holds back its client, and only messages that had
 * arrived with the last packet wait here.
 */
export function createThrottle(socket: Pausable, perSecond: number, clock: Clock): (handle: () => void) => void {
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
