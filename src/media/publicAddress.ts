import ipaddr from 'ipaddr.js'

/** Addresses in public ranges behind which clouds answer their own machines, with credentials among others. */
const cloudServices = new Set(['168.63.129.16'])

/** All of IPv6 that is routed between networks (RFC 4291, 2.4). It leaves out forms that hold an IPv4 address. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address is that of a host on the public internet, by the registries of special addresses (RFC 6890).
 * False for a text that is no address in its usual form, such as `127.1`.
 */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return ipaddr.IPv4.parse(text).range() === 'unicast' && !cloudServices.has(text)
  }
  if (!ipaddr.IPv6.isValid(text)) return false
  const address = ipaddr.IPv6.parse(text)
  return address.range() === 'unicast' && address.match(globalUnicast)
}
