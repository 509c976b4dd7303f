import { later } from './later.ts'
import type { Http } from './query.ts'
import { createSockets, type SocketOptions } from './socket.ts'
import type { Subscribe } from './transport.ts'

/** How subscriptions reach the gateway. */
export interface TransportOptions extends Pick<SocketOptions, 'hello' | 'keepAlive'> {
  readonly http: Http
  /** Null or undefined where there are no sockets. */
  readonly webSocketImpl: typeof WebSocket | null | undefined
  /** Called when a connection works. */
  readonly onWorks: () => void
}

/** Failed sockets in a row after which they count as blocked. */
const maxBlocked = 2

/** Subscriptions over one socket, or each over an event stream where sockets are blocked or held. */
export function createTransport(options: TransportOptions): Subscribe {
  const { http, webSocketImpl, hello, keepAlive, onWorks } = options
  let blocked = 0
  // Most networks let sockets pass, so a page loads this part only if it has to.
  const streams = later(async () => {
    const { createEventStreams } = await import('./eventStream.ts')
    return createEventStreams(http, 3 * keepAlive, onWorks)
  })
  const sockets =
    webSocketImpl &&
    createSockets({
      ...{ webSocketImpl, hello, keepAlive, url: http.url.replace(/^http/, 'ws') },
      onTried(outcome) {
        blocked = { works: 0, failed: blocked + 1, held: maxBlocked }[outcome]
        if (outcome === 'works') onWorks()
      },
    })
  return (operation, sink) => {
    if (sockets && blocked < maxBlocked) return sockets(operation, sink)
    let isOpened = false
    return streams(operation, {
      ...sink,
      opened() {
        isOpened = true
        sink.opened()
      },
      end(ending) {
        // Nothing gets through this way, so sockets are tried again.
        if (ending.kind === 'lost' && (!isOpened || ending.problem)) blocked = 0
        sink.end(ending)
      },
    })
  }
}
