import { expect, test } from 'vitest'
import { choiceOf, filterOf, filterOfSpan, isChosen, queryOf, spanOf } from '../../src/pages/account/activityFilter.ts'
import { fieldTime, utcOf } from '../../src/values/format.ts'

const choice = (query: string) => choiceOf(new URLSearchParams(query))

test('a filter is read from the URL and written to it', () => {
  const query = 'chain=a-1&kind=send&result=failed&since=2026-01-02T03%3A04Z&until=2026-01-03T00%3A00%3A07Z'
  expect(queryOf(choice(query)).toString()).toBe(query)
  expect(queryOf(choice('')).toString()).toBe('')
})

test('invalid URL values are dropped', () => {
  expect(queryOf(choice('kind=toString&result=maybe&since=yesterday')).toString()).toBe('')
})

test('filterOf maps the chain, kind and result', () => {
  expect(filterOf(choice('since=2026-01-02T03:04'))).toBeUndefined()
  expect(filterOf(choice('chain=a-1&result=success'))).toEqual({
    chainIds: ['a-1'],
    isSuccessful: true,
  })
  expect(filterOf(choice('kind=vote'))?.messageTypes).toContain('cosmos.gov.v1.MsgVote')
})

test('filterOfSpan is empty without an end, so that live records are shown', () => {
  const span = (since: string, until: string) => filterOfSpan(spanOf({ since, until }))
  expect(span('2026-01-02T03:04', '')).toEqual({})
  expect(span('', '2026-01-03T00:00')).toEqual({ until: new Date(2026, 0, 3).toISOString() })
  expect(span('2026-01-02T03:04', '2026-01-03T00:00')).toEqual({
    since: new Date(2026, 0, 2, 3, 4).toISOString(),
    until: new Date(2026, 0, 3).toISOString(),
  })
})

test('isChosen checks kind, result and time of a live transaction', () => {
  const send = {
    messages: [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend' }],
    isSuccessful: true,
    timestamp: '2026-01-02T00:00:00Z',
  }
  expect(isChosen(choice(''), send)).toBe(true)
  expect(isChosen(choice('kind=send&result=success'), send)).toBe(true)
  expect(isChosen(choice('kind=vote'), send)).toBe(false)
  expect(isChosen(choice('result=failed'), send)).toBe(false)
  expect(isChosen(choice('since=2026-02-01T00:00'), send)).toBe(false)
  expect(isChosen(choice('since=2026-01-01T00:00'), send)).toBe(true)
})

test('a link names the same times in all time zones, and an older one without a zone means local times', () => {
  const at = Date.UTC(2026, 0, 2, 8, 4)
  for (const time of ['2026-01-02T08:04Z', '2026-01-02T03:04-05:00']) {
    expect(spanOf(choice(new URLSearchParams({ since: time }).toString()))).toEqual({ since: at, until: undefined })
  }
  const local = choice('since=2026-01-02T03%3A04')
  expect(spanOf(local).since).toBe(new Date(2026, 0, 2, 3, 4).getTime())
  expect(local.since).toBe(utcOf('2026-01-02T03:04'))
})

test.each(['2026-07-02T03:04', '2026-01-02T23:59:58', '0002-01-02T03:04', ''])(
  'a field shows the time %s that was typed',
  (typed) => expect(fieldTime(utcOf(typed))).toBe(typed),
)
