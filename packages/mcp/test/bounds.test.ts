import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemTimer } from '#kit/clock'
import { runs } from '../../support/property.ts'
import { bound, clean, type Json, maxRows } from '../src/bounds.ts'
import { lastEvent } from '../src/watch.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const listsIn = (value: Json): (readonly Json[])[] =>
  typeof value !== 'object' || value === null
    ? []
    : [...(Array.isArray(value) ? [value] : []), ...Object.values(value).flatMap(listsIn)]

test('lists are cut at ten rows, and answers that fit are unchanged', () => {
  const values = fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ depthSize: 'medium', maxDepth: 4 }), {
    maxKeys: 8,
  })
  const property = fc.property(values, fc.integer({ min: 2_000, max: 24_000 }), (value, bytes) => {
    const json = JSON.parse(JSON.stringify(value))
    const bounded = bound(json, bytes)
    for (const list of listsIn(bounded.value)) expect(list.length).toBeLessThanOrEqual(maxRows)
    if (!bounded.isCut) expect(bounded.value).toEqual(json)
    else expect(JSON.stringify(bounded.value).length).toBeLessThan(JSON.stringify(json).length)
  })
  fc.assert(property, { numRuns: runs(200) })
})

test('an answer with large rows loses whole rows', () => {
  const rows = Array.from({ length: 10 }, (_, index) => ({ index, text: 'x'.repeat(5_000) }))
  const { value, isCut } = bound({ rows, name: 'kept' }, 24_000)
  expect(isCut).toBe(true)
  expect(value.name).toBe('kept')
  expect(value.rows).toEqual(rows.slice(0, 3))
})

test('invisible characters are removed from text, and long text is cut', () => {
  const text = 'pay\u202Eevil\u0000\u200Bnow\n'
  expect(clean({ memo: text, none: null }, 'concise')).toEqual({ memo: 'payevilnow' })
  expect(clean('y'.repeat(300), 'concise')).toHaveLength(200)
  expect(clean('y'.repeat(300), 'full')).toHaveLength(300)
})

test('lastEvent resolves to the newest event at its deadline', async () => {
  let isClosed = false
  const events = (async function* () {
    try {
      yield { data: { state: 1 } }
      yield { data: { state: 2 } }
      await new Promise(() => {})
    } finally {
      isClosed = true
    }
  })()
  const found = lastEvent(events, systemTimer, { milliseconds: 20_000, isLast: () => false })
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await found).toEqual({ data: { state: 2 } })
  expect(isClosed).toBe(false)

  const ended = (async function* () {
    try {
      yield { data: { state: 1 } }
      yield { data: { state: 9 } }
      yield { data: { state: 10 } }
    } finally {
      isClosed = true
    }
  })()
  const last = await lastEvent(ended, systemTimer, {
    milliseconds: 20_000,
    isLast: ({ data }) => data?.state === 9,
  })
  expect(last).toEqual({ data: { state: 9 } })
  await vi.advanceTimersByTimeAsync(0)
  expect(isClosed).toBe(true)
})
