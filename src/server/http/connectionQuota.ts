import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Limits the connections that each client holds open, so that one client cannot take them all. */
export interface ConnectionQuota {
  /** Takes a slot for a client. Returns a function that frees it, or undefined if the client has none left. */
  acquire(client: string | undefined): (() => void) | undefined
  /** Clients that hold a slot. */
  readonly clients: number
}

/** At most `slots` concurrent connections per client address. Clients without an address are not limited. */
export function createConnectionQuota(slots: number): ConnectionQuota {
  const open = new Map<string, number>()

  const free = (client: string) => {
    const left = (open.get(client) ?? 0) - 1
    if (left > 0) open.set(client, left)
    else open.delete(client)
  }

  return {
    acquire(client) {
      if (client === undefined) return () => {}
      const count = open.get(client) ?? 0
      if (count >= slots) return undefined
      open.set(client, count + 1)
      return () => free(client)
    },
    get clients() {
      return open.size
    },
  }
}

/**
 * The address of the client. A peer on this machine or on a private network can be a proxy, so its
 * `X-Forwarded-For` header is read. Undefined if that header names no public address.
 */
export function clientIp({ headers, socket }: IncomingMessage): string | undefined {
  const peer = socket.remoteAddress ?? ''
  if (!isPrivateAddress(peer)) return peer
  const hops = String(headers['x-forwarded-for'] ?? '').split(',')
  // Scan from the right: entries left of the first public address are client-supplied.
  return hops
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
    .findLast((hop) => !isPrivateAddress(hop))
}

/** The key of the client that sent a request: its address, or that of the proxy that does not name it. */
export const clientKey = (request: IncomingMessage): string =>
  clientIp(request) ?? request.socket.remoteAddress ?? ''

const privateNetworks = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  privateNetworks.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  privateNetworks.addSubnet(network, bits, 'ipv6')
}

const isPrivateAddress = (address: string): boolean => {
  const version = isIP(address)
  return version !== 0 && privateNetworks.check(address, version === 6 ? 'ipv6' : 'ipv4')
}
