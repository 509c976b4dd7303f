import { EventEmitter } from 'node:events'
import { maxHeaderSize, type Server } from 'node:http'
import { Socket } from 'node:net'
import { createRequestId, requestIdHeader } from '../../telemetry/requestId.ts'
import type { ErrorCode, InputReason, RefusingLimit } from '../../upstream/error.ts'

/**
 * Counts the connections and the requests that Node itself refuses because of a limit. A client whose URL or
 * headers are too large gets an answer that says what to do.
 */
export function followRefusals(server: Server, onRefusal: (limit: RefusingLimit) => void): void {
  server.on('drop', () => onRefusal('connections'))
  // A listener of this event would have to answer all errors in the place of Node.
  const emit = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event === 'clientError' && isHeaderOverflow(args[0])) {
      onRefusal('header_size')
      if (sendTooLarge(args[1])) return true
    }
    return EventEmitter.prototype.emit.call(server, event, ...args)
  }
  server.emit = emit
}

const isHeaderOverflow = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'HPE_HEADER_OVERFLOW'

/** Answers a request that could not be parsed. False if the socket may be in the middle of another answer. */
function sendTooLarge(socket: unknown): boolean {
  if (!(socket instanceof Socket) || !socket.writable || isAnswering(socket)) return false
  const requestId = createRequestId()
  const message = `The URL and the headers are larger than ${maxHeaderSize} bytes together. Send the document by POST.`
  const code: ErrorCode = 'BAD_USER_INPUT'
  const reason: InputReason = 'INVALID_REQUEST'
  const body = JSON.stringify({ errors: [{ message, extensions: { code, reason, requestId } }] })
  const head = [
    'HTTP/1.1 431 Request Header Fields Too Large',
    `${requestIdHeader}: ${requestId}`,
    // The origin is not known. The answer is safe for any page.
    'access-control-allow-origin: *',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
  return true
}

/** Whether an earlier request on the connection is not answered yet. Node keeps its response here. */
const isAnswering = (socket: Socket): boolean => Boolean(Reflect.get(socket, '_httpMessage'))
