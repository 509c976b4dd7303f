import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message that came. */
export interface Received {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a receiver makes of a message. */
export type Answer = (message: Received, response: ServerResponse, request: IncomingMessage) => void

/** A receiver on loopback, which can be killed and started again on its port. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: Received[]
  kill(): Promise<void>
  restart(): Promise<void>
}

export const accept: Answer = (_message, response) => response.writeHead(204).end()

export async function startReceiver(answer: Answer = accept): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    request.on('error', () => {})
    response.on('error', () => {})
    try {
      for await (const part of request) parts.push(part)
    } catch {
      return
    }
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const message = { id: headers['webhook-id'] ?? '', headers, body: Buffer.concat(parts).toString() }
    received.push(message)
    answer(message, response, request)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  const kill = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return {
    ...{ url: `http://127.0.0.1:${port}/hook`, received, kill },
    async restart() {
      if (!server.listening) await listen(port)
    },
    [Symbol.asyncDispose]: kill,
  }
}
