import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import type { RefusingLimit } from '../../upstream/error.ts'

/** Counts the connections and the requests that Node itself refuses because of a limit. */
export function followRefusals(server: Server, onRefusal: (limit: RefusingLimit) => void): void {
  server.on('drop', () => onRefusal('connections'))
  // A listener of this event would have to answer in the place of Node.
  const emit = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event === 'clientError' && isHeaderOverflow(args[0])) onRefusal('header_size')
    return EventEmitter.prototype.emit.call(server, event, ...args)
  }
  server.emit = emit
}

const isHeaderOverflow = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'HPE_HEADER_OVERFLOW'
