import { isIP } from 'node:net'

/**
 * The IP address in a text, in one form: without a port, brackets or zone, in lower case, and IPv4 as IPv4
 * even where IPv6 wraps it. Undefined if the text holds no address.
 */
export function parseAddress(text: string): string | undefined {
  const bare = withoutPort(text.trim().toLowerCase()).replace(/%.*$/, '')
  const version = isIP(bare)
  if (version !== 6) return version === 4 ? bare : undefined
  return mappedIPv4(groupsOf(bare)) ?? bare
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
export function clientOf(address: string): string {
  if (isIP(address) !== 6) return address
  const network = groupsOf(address).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/** The eight 16-bit groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const first = readGroups(head)
  if (tail === undefined) return first
  const last = readGroups(tail)
  return [...first, ...Array(8 - first.length - last.length).fill(0), ...last]
}

const readGroups = (text: string): number[] =>
  text === ''
    ? []
    : text.split(':').flatMap((part) => (part.includes('.') ? dotted(part) : [parseInt(part, 16)]))

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
