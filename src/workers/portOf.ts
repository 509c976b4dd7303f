import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/**
 * The port that workers can listen on: the given one, or for 0 one that is free now. Rejects as a server
 * would if this process cannot listen on it.
 */
export async function portOf(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  // A server that listens on a port has an address of this kind.
  const { port: actual } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return actual
}
