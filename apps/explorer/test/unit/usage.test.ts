import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type UsingTransaction, usageOf } from '../../src/values/usage.ts'

const at = (timestamp: string | null, height: number, ...signers: (string | null)[]): UsingTransaction => ({
  ...{ timestamp, height, isSuccessful: height % 2 === 0 },
  signers: signers.map((hexAddress) => ({ account: hexAddress === null ? null : { hexAddress } })),
})

const rows = [
  at('2026-11-30T14:05:00Z', 9, '0xa', '0xb'),
  at('2026-11-30T14:00:00.5Z', 8, '0xa'),
  at('2026-11-30T13:59:59.9Z', 7, null),
  at('2026-11-29T23:00:00Z', 5, '0xa'),
]

test('transactions are counted by hour of UTC, with their blocks and signers', () => {
  expect(usageOf(rows, 'hour', false)).toEqual([
    {
      ...{ start: '2026-11-30T14:00:00Z', transactions: 2, failed: 1, signers: 2 },
      ...{ firstHeight: 8, lastHeight: 9, isWhole: false },
    },
    {
      ...{ start: '2026-11-30T13:00:00Z', transactions: 1, failed: 1, signers: 0 },
      ...{ firstHeight: 7, lastHeight: 7, isWhole: true },
    },
    {
      ...{ start: '2026-11-29T23:00:00Z', transactions: 1, failed: 1, signers: 1 },
      ...{ firstHeight: 5, lastHeight: 5, isWhole: false },
    },
  ])
})

test.each([null, at(null, 6, '0xc')])('no row is whole beside a transaction that may belong to it: %j', (unknown) => {
  const counted = usageOf([...rows.slice(0, 3), unknown, ...rows.slice(3)], 'hour', true)
  expect(counted.map(({ transactions, isWhole }) => [transactions, isWhole])).toEqual([
    [2, false],
    [1, false],
    [1, false],
  ])
})

test('a day has its signers once, and the oldest one is whole where nothing is older', () => {
  const days = usageOf(rows, 'day', true)
  expect(days.map(({ start, transactions, signers, isWhole }) => [start, transactions, signers, isWhole])).toEqual([
    ['2026-11-30T00:00:00Z', 3, 2, false],
    ['2026-11-29T00:00:00Z', 1, 1, true],
  ])
})

test('each transaction with a time is in one row, whatever the span', () => {
  const times = fc.date({ min: new Date('2026-01-01'), max: new Date('2026-02-01'), noInvalidDate: true })
  fc.assert(
    fc.property(fc.array(times), fc.constantFrom('hour' as const, 'day' as const), (dates, span) => {
      const all = dates.map((date, index) => at(date.toISOString(), index + 1, '0xa'))
      const counted = usageOf(all, span, true)
      expect(counted.reduce((sum, { transactions }) => sum + transactions, 0)).toBe(all.length)
      expect(counted.map(({ start }) => start)).toEqual(
        counted
          .map(({ start }) => start)
          .toSorted()
          .toReversed(),
      )
    }),
  )
})
