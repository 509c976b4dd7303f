import { expect, test } from 'vitest'
import { isFinal, isPassing, passingFault, waitOf } from '../../src/app/retries.ts'

const error = (code: string, retryAfter?: number) => ({
  message: 'x',
  extensions: { code, ...(retryAfter && { retryAfter }) },
})
const lacking = (code: string) => ({
  account: { balances: { unavailableChains: [{ chainId: 'a-1', code }] } },
})

test('only temporary faults are retried', () => {
  expect(passingFault({}, [])).toBeUndefined()
  expect(passingFault({ list: [null, 7, 'x'] }, [])).toBeUndefined()
  expect(passingFault({}, [error('BAD_USER_INPUT')])).toBeUndefined()
  expect(passingFault({}, [error('BAD_USER_INPUT'), error('UPSTREAM_TIMEOUT', 7)])).toEqual({
    retryAfter: 7,
  })
  expect(passingFault(lacking('UPSTREAM_UNAVAILABLE'), [])).toEqual({})
  expect(passingFault(lacking('NOT_CONFIGURED'), [])).toBeUndefined()
})

test('retry delays grow to one minute, and are at least the retryAfter of the gateway', () => {
  expect([0, 1, 2, 10].map((attempt) => waitOf(attempt))).toEqual([4_000, 8_000, 16_000, 60_000])
  expect([waitOf(0, 9), waitOf(0, 1), waitOf(0, 'soon')]).toEqual([9_000, 4_000, 4_000])
})

test('final faults are not retried', () => {
  const codes = ['BAD_USER_INPUT', 'UPSTREAM_REJECTED', 'NOT_FOUND', 'UNAUTHENTICATED']
  expect(codes.map(isFinal)).toEqual([true, true, true, true])
  expect(['UPSTREAM_TIMEOUT', 'NETWORK', 'INTERNAL_SERVER_ERROR', ''].some(isFinal)).toBe(false)
  expect(codes.some(isPassing)).toBe(false)
})
