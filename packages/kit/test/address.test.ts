import { expect, test } from 'vitest'
import { isPrivateAddress, isPublicAddress } from '../src/address.ts'

// The first and last address of each range, and the neighbours that are public (IANA registries of special addresses).

test.each([
  ['this network', '0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['private', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['shared by carriers', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['link-local', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['private', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['protocols', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['documents', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['relays of 6to4', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['private', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['benchmarks', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['documents', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['documents', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['multicast', '224.0.0.0', '239.255.255.255', '223.255.255.255', null],
  ['reserved and broadcast', '240.0.0.0', '255.255.255.255', null, null],
  ['a service of a cloud', '168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['all below global unicast', '::', '1fff:ffff::', null, '2600::1'],
  ['loopback', '::1', '::1', null, null],
  ['IPv4 in IPv6', '::ffff:0.0.0.0', '::ffff:255.255.255.255', null, null],
  ['IPv4 in IPv6', '::1.2.3.4', '::93.184.216.34', null, null],
  ['NAT64', '64:ff9b::', '64:ff9b::ffff:ffff', null, null],
  ['NAT64 of a network', '64:ff9b:1::', '64:ff9b:1:ffff::', null, null],
  ['discarded', '100::', '100::ffff', null, null],
  ['Teredo', '2001::', '2001:0:ffff::', null, null],
  ['documents', '2001:db8::', '2001:db8:ffff::', '2001:db7:ffff::', '2001:db9::'],
  ['6to4', '2002::', '2002:ffff::', null, '2003::'],
  ['documents', '3fff::', '3fff:fff::', '3ffe::', null],
  ['segments', '5f00::', '5f00:ffff::', null, null],
  ['unique local', 'fc00::', 'fdff::', null, null],
  ['link-local', 'fe80::', 'febf::', null, null],
  ['site-local', 'fec0::', 'feff::', null, null],
  ['multicast', 'ff00::', 'ffff::', null, null],
])('%s: from %s to %s is not public', (_name, first, last, before, after) => {
  for (const address of [first, last]) expect([address, isPublicAddress(address)]).toEqual([address, false])
  for (const address of [before, after]) {
    if (address !== null) expect([address, isPublicAddress(address)]).toEqual([address, true])
  }
})

test.each([
  ...['', 'localhost', '1', '127.1', '0x7f.0.0.1', '0177.0.0.1', '2130706433', '8.8.8.8.'],
  ...['8.8.8.8/0', ' 8.8.8.8', '[2600::1]', '::ffff:8.8.8.8', '1.2.3.4.5', 'fe80::1%eth0'],
])('%j is not a public address', (text) => {
  expect(isPublicAddress(text)).toBe(false)
})

test.each(['8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001:82b::200e'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test.each(['127.0.0.1', '10.1.2.3', '192.168.0.1', '172.16.0.1', '100.64.0.1', '::1', 'fd12::1'])(
  '%s is in a private network, and not public',
  (address) => {
    expect([isPrivateAddress(address), isPublicAddress(address)]).toEqual([true, false])
  },
)

test.each([
  // Clouds answer their machines here, so no switch opens them.
  ...['169.254.169.254', 'fe80::1', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'],
  // They stand for an address of IPv4, or for many machines, or for none.
  ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '0.0.0.0', '::', '224.0.0.1', '255.255.255.255'],
  ...['127.1', '2130706433', '0x7f000001', 'localhost', ''],
])('%s is neither public nor in a private network', (address) => {
  expect([isPrivateAddress(address), isPublicAddress(address)]).toEqual([false, false])
})

test('the addresses where clouds answer their machines are refused in each spelling', () => {
  for (const address of ['FD00:EC2::254', 'fd00:0ec2:0:0::254', 'fd20:ce:0::0254']) {
    expect([address, isPrivateAddress(address)]).toEqual([address, false])
  }
})
