import ipaddr from 'ipaddr.js'

/** Addresses in public ranges behind which clouds answer their own machines, with credentials among others. */
const publicCloudServices = new Set(['168.63.129.16'])

/** All of IPv6 that is routed between networks (RFC 4291, 2.4). It leaves out forms that hold an IPv4 address. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address is that of a host on the public internet, by the registries of special addresses (RFC 6890).
 * False for a text that is no address in its usual form, such as `127.1`.
 */
export function isPublicAddress(text: string): boolean {
  const address = parse(text)
  if (address?.range() !== 'unicast' || publicCloudServices.has(text)) return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}

/** Networks of an organisation, and its own machine. Link-local addresses, which clouds answer, are not among them. */
const privateRanges = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'])

/** In private ranges too, clouds answer their machines at some addresses. */
const privateCloudServices = new Set(['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'])

/** Whether an address is that of a host in a private network, or of this machine, and not one where clouds answer theirs. */
export function isPrivateAddress(text: string): boolean {
  const address = parse(text)
  return address !== undefined && privateRanges.has(address.range()) && !privateCloudServices.has(address.toString())
}

/** Undefined for a text that is no address in its usual form. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined
}
