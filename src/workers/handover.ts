import type { Worker } from 'node:cluster'

/** What node:cluster sends to a worker with a connection, and what a worker answers. */
interface ClusterMessage {
  readonly cmd?: unknown
  readonly act?: unknown
  /** The number of a message. */
  readonly seq?: unknown
  /** The number of the message that this one answers. */
  readonly ack?: unknown
}

/**
 * Saves the connections that were on their way to a worker when it ended. Node forgets them: they stay open,
 * and nobody ever reads from them. Here Node gets the answer of a worker that takes no more connections, so
 * that it gives them to another one. If there is no other one, they are closed. Call it before the worker runs.
 */
export function saveConnections({ process: child }: Worker, hasOthers: () => boolean): void {
  const underWay = new Map<unknown, unknown>()
  const send = child.send.bind(child)
  const watched: typeof send = (message: unknown, ...rest: unknown[]) => {
    const { cmd, act, seq }: ClusterMessage = Object(message)
    if (cmd === 'NODE_CLUSTER' && act === 'newconn') underWay.set(seq, rest[0])
    return Reflect.apply(send, child, [message, ...rest])
  }
  child.send = watched
  child.on('internalMessage', ({ ack }: ClusterMessage) => void underWay.delete(ack))
  // The process has ended, and all that it had sent is read.
  child.once('close', () => {
    if (underWay.size === 0) return
    // Node leaves this event out if a connection was on its way, and then still counts on the worker.
    child.emit('disconnect')
    for (const [ack, connection] of [...underWay]) {
      if (hasOthers()) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false })
      else Object(connection).close()
    }
  })
}
