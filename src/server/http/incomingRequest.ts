import { IncomingMessage } from 'node:http'

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
