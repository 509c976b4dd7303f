import { once } from 'node:events'
import { createConnection } from 'node:net'

/** Posts a document. Returns the status and the body of the response. */
export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; type: string | null; body: Json; headers: Headers }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: (await response.json()) as Json,
    headers: response.headers,
  }
}

// The shape of a response is given by the document in the test.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Json = any

/** Sends bytes as they are, and reads until the server closes the connection. */
export async function raw(origin: string, ...parts: (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = createConnection(Number(port), hostname)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  await once(socket, 'connect')
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}
