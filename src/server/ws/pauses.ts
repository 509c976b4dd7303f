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
