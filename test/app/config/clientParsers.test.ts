import { expect, test } from 'vitest'
import { apiKeys, rateLimits, trustedProxies } from '../../../src/app/config/clientParsers.ts'
import { signingKeys } from '../../../src/engine/network/parsers.ts'

const long = 'k'.repeat(32)

test.each([
  [trustedProxies, 'none', []],
  [trustedProxies, 'loopback, 10.0.0.0/8,2001:db8::1', ['loopback', '10.0.0.0/8', '2001:db8::1']],
  [rateLimits, '500', { everyone: { pointsPerSecond: 500 }, byKey: new Map() }],
  [rateLimits, '500:2000', { everyone: { pointsPerSecond: 500, burst: 2_000 }, byKey: new Map() }],
  [rateLimits, '0', { everyone: { pointsPerSecond: 0 }, byKey: new Map() }],
  [
    rateLimits,
    '500, a=5:9,b=0',
    {
      everyone: { pointsPerSecond: 500 },
      byKey: new Map([
        ['a', { pointsPerSecond: 5, burst: 9 }],
        ['b', { pointsPerSecond: 0 }],
      ]),
    },
  ],
  [rateLimits, 'a=5', { everyone: undefined, byKey: new Map([['a', { pointsPerSecond: 5 }]]) }],
  [apiKeys, 'wallet=abcdefghijklmno=', new Map([['wallet', 'abcdefghijklmno=']])],
  [signingKeys, `${long}, ${long}2`, [long, `${long}2`]],
])('a parser reads %s', (schema, text, value) => {
  expect(schema.parse(text)).toEqual(value)
})

test.each([
  [trustedProxies, '10.0.0.0/33', "has '10.0.0.0/33', which is not an address"],
  [trustedProxies, 'proxy.example', "has 'proxy.example', which is not an address"],
  [trustedProxies, '', "has '', which is not an address"],
  [rateLimits, '5:', 'must be points, points:burst, or name=points:burst for one client'],
  [rateLimits, '5:0', 'must be points, points:burst, or name='],
  [rateLimits, '-1', 'must be points, points:burst, or name='],
  [rateLimits, '5:6:7', 'must be points, points:burst, or name='],
  [rateLimits, '500,a=5:9,600', 'must have one limit without a name, and name=points:burst for others'],
  [rateLimits, '500,a=5,a=6', 'names a twice'],
  [rateLimits, '500,=5', 'must be a comma-separated list of name=value'],
  [rateLimits, 'a=x', 'for a must be points or points:burst'],
  [apiKeys, 'wallet=short', 'for wallet must be a key of 16 to 256 letters'],
  [apiKeys, `wallet=${long},wallet=${long}2`, 'names wallet twice'],
  [apiKeys, `a=${long},b=${long}`, 'must not have a key twice'],
  [apiKeys, long, 'must be a comma-separated list of name=value'],
  [apiKeys, `=${long}`, 'must be a comma-separated list of name=value'],
  [signingKeys, `${long},short`, 'must be keys of at least 32 characters each'],
])('a parser refuses %s %s', (schema, text, message) => {
  const result = schema.safeParse(text)
  expect(result.error?.issues.map((issue) => issue.message).join()).toContain(message)
  // A key is never repeated.
  expect(result.error?.message).not.toContain(long)
})
