import { expect, test, vi } from 'vitest'
import { RequestScope } from '../../../src/engine/upstream/requestScope.ts'
import { packRoute, parseRouteToken, tokenSigner, unpackRoute } from '../../../src/schema/router/route/routeToken.ts'
import { scopeSources } from '../../support/scopeSources.ts'
import { testSigner } from '../../support/testSigner.ts'

test('a route token unpacks to the packed route, byte for byte', () => {
  const packed = {
    terms: {
      amount_in: '5',
      amount_out: '4',
      source_asset_chain_id: 'a',
      source_asset_denom: 'ibc/ü',
      dest_asset_chain_id: 'b',
      dest_asset_denom: 'b',
    },
    requiredChainIds: ['a', 'b', 'a'],
    requiresOpHook: true,
    operations: '[ {"x" : 1e400, "y":\t12345678901234567890.10,\n "\\u00fc": "ü"} ]',
  }
  expect(unpackRoute(testSigner, packRoute(testSigner, packed) ?? '')).toEqual(packed)
})

const someTerms = {
  amount_in: '5',
  amount_out: '4',
  source_asset_chain_id: 'a',
  source_asset_denom: 'a',
  dest_asset_chain_id: 'b',
  dest_asset_denom: 'b',
}

test('a damaged route token is refused', () => {
  const token = packRoute(testSigner, {
    terms: someTerms,
    requiredChainIds: [],
    requiresOpHook: false,
    operations: '[]',
  })
  if (token === undefined) throw new Error('the token is too large')
  const bad = ['', 'x', token.slice(1), token.slice(0, -4), `${token}AAAA`, 'A'.repeat(300_000)]
  for (const text of bad) expect(() => unpackRoute(testSigner, text)).toThrow('Invalid route token.')
  const random = 'A'.repeat(3_000_000)
  expect(packRoute(testSigner, { ...unpackRoute(testSigner, token), operations: `["${random}"]` })).toBeUndefined()
})

test('a route token of another router is refused, even with the same keys', () => {
  const at = (routerSite: string) => tokenSigner({ signer: testSigner, network: { routerSite } })
  const fields = { terms: someTerms, requiredChainIds: [], requiresOpHook: false }
  const token = packRoute(at('router.example/v1'), { ...fields, operations: '[]' }) ?? ''
  expect(unpackRoute(at('router.example/v1'), token).operations).toBe('[]')
  for (const site of ['router.example/v2', 'other.example/v1', '']) {
    expect(() => unpackRoute(at(site), token)).toThrow('Invalid route token. Query the route again')
  }
})

test('a route token is unpacked once per operation', () => {
  const verify = vi.fn(testSigner.verify)
  const scope = new RequestScope(new AbortController().signal, scopeSources())
  const route = {
    terms: someTerms,
    requiredChainIds: [],
    requiresOpHook: false,
    operations: '[]',
  }
  const token = packRoute(tokenSigner({ signer: testSigner, network: {} }), route) ?? ''
  const context = { scope, signer: { ...testSigner, verify }, network: {} }
  expect(parseRouteToken(context, token)).toEqual(route)
  expect(parseRouteToken(context, token)).toBe(parseRouteToken(context, token))
  expect(verify).toHaveBeenCalledTimes(1)
})

test('a route token has at most 1 MB of text', () => {
  const route = { terms: someTerms, requiredChainIds: [], requiresOpHook: false }
  const fits = { ...route, operations: `["${'ü'.repeat(500_000)}"]` }
  expect(unpackRoute(testSigner, packRoute(testSigner, fits) ?? '')).toEqual(fits)
  const tooLarge = { ...route, operations: `["${'ü'.repeat(600_000)}"]` }
  expect(packRoute(testSigner, tooLarge)).toBeUndefined()
})
