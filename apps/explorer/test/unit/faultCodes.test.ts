import { expect, test } from 'vitest'
import { isPassing } from '../../../../packages/client/src/portolanError.ts'
import { isFinal } from '../../src/values/faultCodes.ts'

test('final faults are not retried', () => {
  const codes = ['BAD_USER_INPUT', 'UPSTREAM_REJECTED', 'NOT_FOUND', 'UNAUTHENTICATED']
  expect(codes.map(isFinal)).toEqual([true, true, true, true])
  expect(['UPSTREAM_TIMEOUT', 'NETWORK', 'INTERNAL_SERVER_ERROR', ''].some(isFinal)).toBe(false)
  expect(codes.some(isPassing)).toBe(false)
})
