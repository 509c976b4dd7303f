import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'

/**
 * The IP address in a text, in one form: without a port, brackets or zone, in lower case, and IPv4 as IPv4
 * even where IPv6 wraps it. Undefined if the text holds no address.
 */
export function parseAddress(text: string): string | undefined {
  const bare = withoutPort(text.trim().toLowerCase()).replace(/%.*$/, '')
  const version = isIP(bare)
  if (version !== 6) return version === 4 ? bare : undefined
  return mappedIPv4(parseGroups(bare)) ?? bare
}

/** Strips the port of `192.0.2.1:80` and `[2001:db8::1]:80`, and the brackets. */
function withoutPort(text: string): string {
  const [, bracketed, dotted] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? []
  return bracketed ?? dotted ?? text
}

/**
 * The part of an address that identifies a client: all of an IPv4 address, or the first 64 bits of an IPv6
 * address, since one client has all addresses of a /64 (RFC 6177).
 */
export function toClient(address: string): string {
  if (isIP(address) !== 6) return address
  const network = parseGroups(address).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/** The eight 16-bit groups of an IPv6 address. */
function parseGroups(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const first = readGroups(head)
  if (tail === undefined) return first
  const last = readGroups(tail)
  return [...first, ...Array(8 - first.length - last.length).fill(0), ...last]
}

const readGroups = (text: string): number[] =>
  text === '' ? [] : text.split(':').flatMap((part) => (part.includes('.') ? dotted(part) : [parseInt(part, 16)]))

/** The two groups of a part in dotted form, as in `::ffff:192.0.2.1`. */
function dotted(part: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

/** The IPv4 address in `::ffff:0:0/96`, as RFC 4291 maps them. */
function mappedIPv4(groups: readonly number[]): string | undefined {
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined
}

/** Where a request comes from. */
export interface RequestOrigin {
  /** In the form of `parseAddress`. Empty if the connection is gone already. */
  readonly address: string
  /** Whether the client is on this machine and no proxy names it. */
  readonly isLocal: boolean
}

/** Returns a test whether an address is that of a trusted proxy. */
export function createProxyTest(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = networkList(trustedProxies)
  return (address) => contains(trusted, address)
}

/** Finds out where requests come from. */
export type OriginOf = (request: IncomingMessage) => RequestOrigin

/** Networks that have names. Express uses the same names for the same purpose. */
const proxyNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/**
 * Reads `X-Forwarded-For`, or `Forwarded` without it, but only as far as trusted proxies wrote them: the
 * client is the last address that is not a trusted proxy. The client itself may have written the addresses before it.
 * `onUntrusted` is called with the first address that forwards requests without being trusted.
 */
export function createOriginFinder(
  trustedProxies: readonly string[],
  onUntrusted: (address: string) => void,
): OriginOf {
  const trusted = networkList(trustedProxies)
  const loopback = networkList(['loopback'])
  let isReported = false

  // Requests on one connection come from one peer, and lists of networks take long to look through.
  const peers = new WeakMap<Socket, RequestOrigin>()
  const peerOf = (socket: Socket): RequestOrigin => {
    const address = parseAddress(socket.remoteAddress ?? '') ?? ''
    const peer = { address, isLocal: contains(loopback, address) }
    if (address !== '') peers.set(socket, peer)
    return peer
  }

  return ({ headers, socket }) => {
    const origin = peers.get(socket) ?? peerOf(socket)
    const hops = parseHops(headers)
    if (hops.length === 0) return origin
    const peer = origin.address
    if (!contains(trusted, peer)) {
      if (!isReported) onUntrusted(peer)
      isReported = true
      return { address: peer, isLocal: false }
    }
    let address = peer
    for (const hop of hops.reverse()) {
      const next = parseAddress(hop)
      // A proxy that names its clients writes addresses only.
      if (next === undefined) break
      address = next
      if (!contains(trusted, next)) break
    }
    return { address, isLocal: false }
  }
}

/** The header that names the origin of a request. Empty for a request that no proxy forwarded. */
export const forwardedText = (headers: IncomingMessage['headers']): string =>
  headers['x-forwarded-for'] === undefined ? (headers.forwarded ?? '') : `x ${headers['x-forwarded-for']}`

/** The addresses that proxies added, the nearest last. */
function parseHops(headers: IncomingMessage['headers']): string[] {
  const listed = headers['x-forwarded-for']
  if (listed !== undefined) return String(listed).split(',')
  if (headers.forwarded === undefined) return []
  // RFC 7239: for=192.0.2.1;proto=https, for="[2001:db8::1]:4711"
  return headers.forwarded.split(',').map((element) => /(?:^|;)\s*for="?([^;"]*)/i.exec(element)?.[1] ?? '')
}

function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks.flatMap((name) => proxyNetworks[name] ?? [name])) {
    const [address = '', bits] = network.split('/')
    const type = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, type)
    else list.addSubnet(address, Number(bits), type)
  }
  return list
}

const contains = (list: BlockList, address: string): boolean => {
  const version = isIP(address)
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
}
