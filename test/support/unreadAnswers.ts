import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** The body of a POST request from an address, as bytes of HTTP. */
export const postText = (address: string, body: string): string =>
  `POST /graphql HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/**
 * Asks for the answer to a query, and reads none of it but its first bytes. Resolves once it has begun. What the
 * kernel keeps for such a connection is some megabytes.
 */
export async function leaveUnread(url: string, address: string, query: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
  socket.write(postText(address, JSON.stringify({ query })))
  await once(socket, 'readable')
  return socket
}
