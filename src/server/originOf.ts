import type { AddressInfo } from 'node:net'

/** The URL of a server that listens at an address, without a path. Throws if the address is not of a port. */
export function originOf(address: string | AddressInfo | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}
