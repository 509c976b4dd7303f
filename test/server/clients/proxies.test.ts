import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createOriginFinder } from '../../../src/server/clients/proxies.ts'

/** Finds the origin of a request from `peer` with these headers. */
function originOf(peer: string, headers: Record<string, string>, trustedProxies = ['loopback']) {
  const untrusted: string[] = []
  const find = createOriginFinder(trustedProxies, (a) => void untrusted.push(a))
  const request = { headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage
  return { ...find(request), ...find(request), untrusted }
}

const forwarded = (list: string) => ({ 'x-forwarded-for': list })

test.each([
  ['the address that a trusted proxy adds', '203.0.113.7', '203.0.113.7'],
  ['not what the client claims', '198.51.100.9, 203.0.113.7', '203.0.113.7'],
  ['without its port', '203.0.113.7:4711', '203.0.113.7'],
  ['through several trusted proxies', '203.0.113.7, 10.0.0.9, 10.1.2.3', '203.0.113.7'],
  ['the first proxy, if all are trusted', '10.0.0.9, 10.1.2.3', '10.0.0.9'],
  ['the proxy, for what is not an address', 'anything', '127.0.0.1'],
  ['the last proxy before what is not an address', '1.2.3.4, unknown, 10.1.2.3', '10.1.2.3'],
])('the client is %s', (_claim, list, address) => {
  const trusted = ['loopback', '10.0.0.0/8']
  const origin = originOf('::ffff:127.0.0.1', forwarded(list), trusted)
  expect(origin).toEqual({ address, isLocal: false, untrusted: [] })
})

test.each([
  ['for=203.0.113.7;proto=https', '203.0.113.7'],
  ['for=198.51.100.9, for="[2001:db8::1]:4711"', '2001:db8::1'],
  ['proto=https;For="203.0.113.7:80";by=10.0.0.1', '203.0.113.7'],
  ['for=unknown', '127.0.0.1'],
  ['proto=https', '127.0.0.1'],
])('with Forwarded: %s, the client is %s', (header, address) => {
  expect(originOf('127.0.0.1', { forwarded: header }).address).toBe(address)
})

test('headers of an untrusted proxy are ignored, and reported once', () => {
  expect(originOf('10.0.0.5', forwarded('203.0.113.7'))).toEqual({
    address: '10.0.0.5',
    isLocal: false,
    untrusted: ['10.0.0.5'],
  })
  expect(originOf('127.0.0.1', forwarded('203.0.113.7'), []).address).toBe('127.0.0.1')
  expect(originOf('192.168.3.4', forwarded('203.0.113.7'), ['uniquelocal']).address).toBe('203.0.113.7')
  expect(originOf('fd00::5', forwarded('203.0.113.7'), ['fd00::5']).address).toBe('203.0.113.7')
})

test('only a loopback client without a proxy is local', () => {
  expect(originOf('127.0.0.1', {})).toMatchObject({ address: '127.0.0.1', isLocal: true })
  expect(originOf('::1', {})).toMatchObject({ isLocal: true })
  expect(originOf('10.0.0.5', {})).toMatchObject({ address: '10.0.0.5', isLocal: false })
  expect(originOf('127.0.0.1', forwarded('127.0.0.1'))).toMatchObject({ isLocal: false })
})
