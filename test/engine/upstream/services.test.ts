import { expect, test } from 'vitest'
import { servicesAt } from '../../../src/engine/network/networkOptions.ts'
import { isChainId } from '../../../src/engine/network/parsers.ts'
import { isServiceName, serviceLabel, serviceNames } from '../../../src/engine/upstream/services.ts'

test('a chain never has the name of another service', () => {
  expect(serviceNames.filter(isChainId)).toEqual([])
  for (const chainId of ['constructor', 'toString', 'router-1']) {
    expect([isServiceName(chainId), isChainId(chainId)]).toEqual([false, true])
    expect(serviceLabel(chainId)).toBe(`The indexer of ${chainId}`)
  }
})

test('only a service with a URL is configured', () => {
  expect(servicesAt({ pricesUrl: 'http://p' })).toEqual({ prices: { url: 'http://p' } })
})
