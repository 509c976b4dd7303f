import ipaddr from 'ipaddr.js'

// The same rule as the gateway has for the hosts of NFT media, which a package of its own cannot import. A test
// compares both.

/** Addresses in public ranges behind which clouds answer their own machines, with credentials among others. */
const cloudServices = new Set(['168.63.129.16'])

/** All of IPv6 that is routed between networks (RFC 4291, 2.4). It leaves out forms that hold an IPv4 address. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Networks of an organisation, and its own machine. Link-local addresses, which clouds answer, are not among them. */
const privateRanges = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'])
/** In private ranges too, clouds answer their machines at some addresses. */
const privateCloudServices = new Set(['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'])

/** Whether a message may be sent to an address: a public one, or with `allowsPrivate` also one of a private network. */
export function isAllowedAddress(text: string, allowsPrivate: boolean): boolean {
  const address = parse(text)
  if (!address || cloudServices.has(text)) return false
  const range = address.range()
  if (allowsPrivate && privateRanges.has(range)) return !privateCloudServices.has(address.toString())
  return range === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(globalUnicast))
}

/** Undefined for a text that is no address in its usual form, such as `127.1`. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined
}
