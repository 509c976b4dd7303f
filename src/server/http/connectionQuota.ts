import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** What each client may hold open at once, so that no single one takes the place of all. */
export interface ConnectionQuota {
  /** Takes a place for a client; gives what frees it again, or undefined when the client has all of its own. */
  acquire(client: string | undefined): (() => void) | undefined
}

/** Opens a quota of that many places for each client. One who is not known by an address has no bound. */
export function createConnectionQuota(places: number): ConnectionQuota {
  const taken = new Map<string, number>()

  const free = (client: string) => {
    const left = (taken.get(client) ?? 0) - 1
    if (left > 0) taken.set(client, left)
    else taken.delete(client)
  }

  return {
    acquire(client) {
      if (client === undefined) return () => {}
      const count = taken.get(client) ?? 0
      if (count >= places) return undefined
      taken.set(client, count + 1)
      return () => free(client)
    },
  }
}

/**
 * The address a request comes from. A peer on this machine or a private network may be a proxy, so that
 * it is asked whom it speaks for; undefined when it speaks for itself.
 */
export function clientIp({ headers, socket }: IncomingMessage): string | undefined {
  const peer = socket.remoteAddress ?? ''
  if (!isPrivateAddress(peer)) return peer
  const hops = String(headers['x-forwarded-for'] ?? '').split(',')
  // From the right: what stands left of the first stranger is what that stranger claims.
  return hops
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
    .findLast((hop) => !isPrivateAddress(hop))
}

const near = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  near.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  near.addSubnet(network, bits, 'ipv6')
}

const isPrivateAddress = (address: string): boolean => {
  const version = isIP(address)
  return version !== 0 && near.check(address, version === 6 ? 'ipv6' : 'ipv4')
}
