import type { AddressInfo, Server } from 'node:net'

/** Lets a server have connections. Resolves to the origin of its URLs. Rejects if it cannot have any. */
export type Listen = (server: Server) => Promise<string>

/** Connections to a port. 0 stands for a free port. */
export const listenOn =
  (port: number, host: string): Listen =>
  (server) =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, () => resolve(originOf(server.address())))
    })

function originOf(address: string | AddressInfo | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}
