import { randomBytes } from 'node:crypto'
import type { WebSocket } from 'ws'
import type { Clock } from '../../kit/clock/clock.ts'

/** Detects clients that have stopped answering. */
export interface Pings {
  /** Includes a new socket. */
  watch(socket: WebSocket): void
  stop(): void
}

/** Pings the sockets every so many milliseconds. Drops a socket that has not answered by the next ping. */
export function startPings(
  sockets: Iterable<WebSocket>,
  { interval, clock }: { interval: number; clock: Clock },
): Pings {
  const unanswered = new WeakMap<WebSocket, string>()
  const ping = () => {
    for (const socket of sockets) {
      if (unanswered.has(socket)) socket.terminate()
      // A client that reads nothing cannot know the text, so it cannot pretend to answer.
      const text = randomBytes(8).toString('hex')
      unanswered.set(socket, text)
      socket.ping(text)
    }
    stop = clock.after(interval, ping)
  }
  let stop = clock.after(interval, ping)
  return {
    watch(socket) {
      socket.on('pong', (bytes) => {
        if (unanswered.get(socket) === String(bytes)) unanswered.delete(socket)
      })
    },
    stop: () => stop(),
  }
}
