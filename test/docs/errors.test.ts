import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorCodes, inputReasons, otherReasons } from '../../src/engine/upstream/error.ts'
import { readPage } from '../support/docBlocks.ts'

const page = readPage('docs/errors.md')

/** The rows of the table below a heading, each as its cells. */
function rowsBelow(heading: string): string[][] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  return rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$|`/g, '')))
}

test('the table of error codes is complete and has no other code', () => {
  const rows = rowsBelow('Codes')
  const codes = [...errorCodes, 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED']
  expect(rows.map(([code]) => code).toSorted()).toEqual(codes.toSorted())
  for (const [, meaning, advice] of rows) {
    expect([meaning, advice]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)])
  }
})

test('the table of BAD_USER_INPUT reasons is complete', () => {
  const reasons = rowsBelow('Reasons of `BAD_USER_INPUT`').map(([reason]) => reason)
  expect(reasons.toSorted()).toEqual([...inputReasons].toSorted())
})

test('the table of other reasons is complete, with their codes', () => {
  const rows = rowsBelow('Reasons of other codes').map(([reason, code]) => [reason, code])
  expect(rows.toSorted()).toEqual(Object.entries(otherReasons).toSorted())
})

test('the reasons that src gives are those of the lists', () => {
  const folder = join(import.meta.dirname, '..', '..', 'src')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('sandbox'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const given = sources.flatMap((text) =>
    [...text.matchAll(/\breason: '([A-Z_]+)'/g)].map(([, reason]) => reason ?? ''),
  )
  const others = new Set(given.filter((reason) => !(inputReasons as readonly string[]).includes(reason)))
  expect([...others].toSorted()).toEqual(Object.keys(otherReasons).toSorted())
})
