import { expect, test } from 'vitest'
import { groupRows } from '../../src/parts/groupRows.ts'

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

/** The groups of the rows from one number to another, of which 0 was the first row. */
const groups = (from: number, to: number) => groupRows(numbers(from, to), -from, 3)

test('groups contain all rows in order', () => {
  for (const from of [0, -1, -2, -3, -4, -7]) {
    for (const to of [1, 2, 3, 4, 9]) {
      const found = groups(from, to)
      expect(found.flatMap(({ rows }) => rows)).toEqual(numbers(from, to))
      expect(found.every(({ rows }) => rows.length > 0 && rows.length <= 3)).toBe(true)
    }
  }
})

test('rows added at either end do not change full groups', () => {
  const full = groups(0, 9)
  expect(full.map(({ number }) => number)).toEqual([0, 1, 2])
  for (const more of [groups(-1, 10), groups(-3, 12), groups(-5, 9)]) {
    for (const group of full) expect(more).toContainEqual(group)
  }
})

test('an empty list has no groups', () => {
  expect(groupRows([], 0, 3)).toEqual([])
})
