import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/**
 * The port that workers can listen on: the given one, or for 0 one that is free now. Rejects as a server
 * would if this process cannot listen on it.
 */
async function portOf(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  // A server that listens on a port has an address of this kind.
  const { port: actual } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return actual
}

/** How often another free port is tried. */
const maxAttempts = 5

/**
 * Runs something that listens on a port. For port 0 it is one that is free now, and another one if somebody
 * takes it meanwhile. Rejects as a server would, or as what runs.
 */
export async function withPort<T>(
  wanted: number,
  host: string,
  run: (port: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(await portOf(wanted, host))
    } catch (error) {
      const isTaken = wanted === 0 && String(error).includes('EADDRINUSE')
      if (!isTaken || attempt === maxAttempts) throw error
    }
  }
}
