import { IncomingMessage, type ServerResponse } from 'node:http'
import { type HttpError, sendError } from './httpError.ts'
import { addHeaders, type Handler, openReply } from './reply.ts'
import { pathOf } from './requestGuards.ts'
import type { TransportServices } from './transportServices.ts'

/**
 * A listener for the requests of a server. It gives each an id, logs it, and answers unexpected faults. `onEnd` is called
 * when a response has ended, or its connection has.
 */
export function createRequestListener(
  { clock, log, shared }: Pick<TransportServices, 'clock' | 'log' | 'shared'>,
  state: { readonly isDraining: boolean },
  handle: Handler,
  onEnd: (request: IncomingMessage, response: ServerResponse) => void,
) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const started = clock.now()
    const reply = openReply(request, response)
    const { requestId } = reply
    response.on('close', () => {
      const seconds = (clock.now() - started) / 1000
      const { statusCode: status } = response
      const path = pathOf(request)
      log.debug({ requestId, method: request.method, path, status, seconds }, 'request')
      onEnd(request, response)
    })
    if (state.isDraining) addHeaders(reply, { connection: 'close' })
    if (shared.service.isSandbox) addHeaders(reply, { 'x-portolan-sandbox': 'true' })
    const onError = (error: unknown) => {
      if (!response.destroyed) log.error({ requestId, err: error }, 'request failed')
      if (response.headersSent) response.destroy()
      else sendError(reply, unexpected)
    }
    try {
      handle(request, reply)?.catch(onError)
    } catch (error) {
      onError(error)
    }
  }
}

const unexpected: HttpError = { status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'Unexpected error.' }

/**
 * A request. Node reads `upgrade` of it. A server may ignore an upgrade that it does not
 * offer (RFC 9110, 7.8). Java's client offers HTTP/2 with each request that is not encrypted.
 */
export class IncomingRequest extends IncomingMessage {
  // Node's own constructor sets `upgrade`. A field of this class would be set a second time.
  declare private mayUpgrade: boolean

  get upgrade(): boolean {
    if (!this.mayUpgrade) return false
    return this.method === 'CONNECT' || isWebSocket(this.headers.upgrade)
  }

  set upgrade(value: boolean) {
    this.mayUpgrade = value
  }
}

/** Whether a list of protocols has WebSocket. */
const isWebSocket = (protocols = ''): boolean =>
  protocols.split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket')
