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
  const unanswered = new WeakSet<WebSocket>()
  const ping = () => {
    for (const socket of sockets) {
      if (unanswered.has(socket)) socket.terminate()
      unanswered.add(socket)
      socket.ping()
    }
    stop = clock.after(interval, ping)
  }
  let stop = clock.after(interval, ping)
  return {
    watch: (socket) => void socket.on('pong', () => unanswered.delete(socket)),
    stop: () => stop(),
  }
}
