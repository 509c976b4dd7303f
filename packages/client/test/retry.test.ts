import { expect, test } from 'vitest'
import { passingFault, retryWait } from '../src/react/retry.ts'

const error = (code: string, retryAfter?: number) => ({
  message: 'x',
  extensions: { code, ...(retryAfter && { retryAfter }) },
})
const lacking = (code: string) => ({
  account: { balances: { unavailableChains: [{ chainId: 'a-1', code }] } },
})

test('only temporary faults are retried', () => {
  expect(passingFault({ data: {} })).toBeUndefined()
  expect(passingFault({ data: { list: [null, 7, 'x'] } })).toBeUndefined()
  expect(passingFault({ data: {}, fieldErrors: [error('BAD_USER_INPUT')] })).toBeUndefined()
  expect(passingFault({ data: {}, fieldErrors: [error('BAD_USER_INPUT'), error('UPSTREAM_TIMEOUT', 7)] })).toEqual({
    retryAfter: 7,
  })
  expect(passingFault({ data: lacking('UPSTREAM_UNAVAILABLE') })).toEqual({})
  expect(passingFault({ data: lacking('NOT_CONFIGURED') })).toBeUndefined()
})

test('retry delays grow to one minute, and are at least the retryAfter of the gateway', () => {
  expect([0, 1, 2, 10].map((attempt) => retryWait(attempt, undefined))).toEqual([4_000, 8_000, 16_000, 60_000])
  expect([retryWait(0, 9), retryWait(0, 1), retryWait(0, 'soon')]).toEqual([9_000, 4_000, 4_000])
})
