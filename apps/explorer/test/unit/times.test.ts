import { expect, test } from 'vitest'
import { timesOf } from '../../src/app/TimesContext.tsx'
import { localDate } from '../../src/values/format.ts'

test('times are ages unless the browser has kept that they are dates', () => {
  expect([null, '', 'ages', 'dates', '"dates"'].map(timesOf)).toEqual(['ages', 'ages', 'ages', 'dates', 'ages'])
})

test('a date has its year, and seconds on a clock of 24 hours', () => {
  const { TZ } = process.env
  process.env.TZ = 'UTC'
  try {
    expect(localDate('2026-11-08T14:03:09.123Z')).toMatch(/^2026-11-0\d \d\d:03:09$/)
  } finally {
    process.env.TZ = TZ
  }
})
