import { createServer, type Socket } from 'node:net'
import type { Clock } from '../kit/clock/clock.ts'
import { shareConnections } from '../server/http/connections.ts'
import { listenOn } from '../server/http/listen.ts'
import type { RefusingLimit } from '../upstream/error.ts'

/** The port that all workers serve. The primary accepts its connections, and reads nothing from them. */
export interface SharedPort {
  /** The origin of its URLs. */
  readonly origin: string
  /** Connections that no worker could be given yet. */
  readonly waiting: number
  /** Adds a worker that serves. `give` sends it a connection. */
  join(give: (connection: Socket) => void): PortWorker
  /** Accepts no more connections. Workers still get those that wait. */
  stop(): void
  /** Accepts no more connections, and closes those that wait. */
  close(): void
}

/** The place of a worker at the port. It is given a connection only after it has the one before. */
export interface PortWorker {
  /** The worker has the connection. */
  received(): void
  /** The process has ended. A connection that it was given and does not have goes to another worker. */
  leave(): void
}

/** The parts of a shared port. */
export interface SharedPortOptions {
  /** 0 for a free one. */
  readonly port: number
  readonly host: string
  /** How many connections may wait. One address may hold three quarters of them, unless it is a proxy. */
  readonly maxConnections: number
  readonly isProxy: (address: string) => boolean
  /** How long a connection may wait, in milliseconds. */
  readonly maxWaitMs: number
  readonly clock: Pick<Clock, 'after'>
  /** Is called for each connection that waits too long, or is one too many. */
  readonly onRefusal: (limit: RefusingLimit) => void
  /** Is called if a connection cannot be accepted. */
  readonly onError: (error: Error) => void
}

/** Opens a port for workers. While none of them serves, connections wait. Rejects if it cannot be used. */
export async function openSharedPort(options: SharedPortOptions): Promise<SharedPort> {
  const { port, host, maxConnections, isProxy, maxWaitMs, clock, onRefusal, onError } = options
  const server = createServer({ pauseOnConnect: true })
  /** Connections that wait, the oldest first, each with a function that cancels its deadline. */
  const waiting = new Map<Socket, () => void>()
  /** Workers that can be given a connection. The one that has waited longest is the first. */
  const free = new Map<PortWorker, (connection: Socket) => void>()

  const forget = (connection: Socket) => {
    waiting.get(connection)?.()
    waiting.delete(connection)
  }
  const giveAll = () => {
    for (const [worker, give] of free) {
      const [connection] = waiting.keys()
      if (!connection) return
      forget(connection)
      free.delete(worker)
      give(connection)
    }
  }
  const wait = (connection: Socket) => {
    if (connection.destroyed) return
    const cancel = clock.after(maxWaitMs, () => {
      onRefusal('busy')
      connection.destroy()
    })
    waiting.set(connection, cancel)
    giveAll()
  }

  const connections = { isIdle: (connection: Socket) => waiting.has(connection) }
  shareConnections(server, { maxConnections, isProxy, connections, onRefusal })
  server.on('drop', () => onRefusal('connections'))
  server.on('connection', (connection) => {
    connection.on('error', ignore)
    connection.once('close', () => forget(connection))
    wait(connection)
  })
  const origin = await listenOn(port, host)(server)
  server.on('error', onError)

  return {
    origin,
    get waiting() {
      return waiting.size
    },
    join(give) {
      let given: Socket | undefined
      const become = () =>
        free.set(worker, (connection) => {
          given = connection
          give(connection)
        })
      const worker: PortWorker = {
        received() {
          // The worker has a descriptor of its own: this closes only that of the primary.
          given?.destroy()
          given = undefined
          become()
          giveAll()
        },
        leave() {
          free.delete(worker)
          if (given) wait(given)
          given = undefined
        },
      }
      become()
      giveAll()
      return worker
    },
    stop: () => void server.close(),
    close() {
      server.close()
      for (const connection of waiting.keys()) connection.destroy()
    },
  }
}

/** Nothing is read from a connection, so that a worker notices its faults. */
const ignore = () => {}
