import { expect, test } from 'vitest'
import { toNotes } from '../src/notes.ts'

test('a note agrees with its number', () => {
  expect(toNotes({ unnamed: 1, unended: 2 })).toEqual([
    '1 asset has no known symbol. It is named NULL and a number, the same one in all files.',
    '2 transfers had not ended when they were written. Export them anew, into another file, to see their ends.',
  ])
})
