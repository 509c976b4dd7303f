import { describe, expect, test } from 'vitest'
import { maxWatched, readWatchedTransfers } from '../../src/app/watchedTransfers.ts'
import { formOf, queryOfForms, unscaled } from '../../src/pages/quote/quoteForm.ts'

describe('watched transfers', () => {
  test.each([null, '', '{', 'null', '7', '{"chainId":"a"}', '[null,1,"x",{"chainId":1,"hash":"h"}]'])(
    'invalid storage %j is an empty list',
    (kept) => {
      expect(readWatchedTransfers(kept)).toEqual([])
    },
  )

  test('invalid entries are dropped, and the list is bounded', () => {
    const one = { chainId: 'a-1', hash: 'AB' }
    expect(readWatchedTransfers(JSON.stringify([{ ...one, other: 1 }, null]))).toEqual([one])
    const many = Array.from({ length: 90 }, (_, index) => ({ ...one, hash: `${index}` }))
    expect(readWatchedTransfers(JSON.stringify(many))).toHaveLength(maxWatched)
  })
})

describe('quotes', () => {
  const form = {
    ...{ from: { chainId: 'a-1', denom: 'ibc/2 %' }, to: { chainId: 'b-1', denom: '' } },
    ...{ amount: '1.5', isFast: true },
  }

  test('the URL stores a quote and a pinned quote', () => {
    const query = queryOfForms(form, { ...form, amount: '2', isFast: false })
    const read = new URLSearchParams(query.toString())
    expect(formOf(read, '')).toEqual(form)
    expect(formOf(read, 'vs-')).toEqual({ ...form, amount: '2', isFast: false })
    expect(formOf(queryOfForms(form, undefined), 'vs-')).toBeUndefined()
  })

  test.each([
    ['1', 6, '1000000'],
    ['0,5', 6, '500000'],
    ['0.0000001', 6, undefined],
    ['-1', 6, undefined],
    ['1e3', 6, undefined],
    ['', 6, undefined],
  ])('%j with %i decimals is %j base units', (value, decimals, expected) => {
    expect(unscaled(value, decimals)).toBe(expected)
  })
})
