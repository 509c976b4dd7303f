import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const source = new URL('../../src/', import.meta.url)
const files = ['pages', 'parts', 'values', 'csv', 'app'].flatMap((folder) =>
  readdirSync(new URL(folder, source), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => `${folder}/${name}`),
)

/** What a reader would see: values of such properties, the heads of facts and tables, and text between tags. */
const words = [
  /\b(?:title|caption|placeholder|aria-label|label|legend)="[^"]*[a-z]{2}[^"]*"/g,
  /\[\s*'[A-Z][a-z]+(?: [a-z]+)*',/g,
  /number: '[A-Z][^']*'/g,
  /<(?:p|h1|h2|h3|td|th|span|a|button|summary|strong|small)(?: [^>=]+=[^>]+)?>\s*[A-Za-z]{2,}[^<{(]*<\//g,
]

test.each(files)('%s has no hard-coded words', (name) => {
  const code = readFileSync(new URL(name, source), 'utf8')
  expect(words.flatMap((pattern) => code.match(pattern) ?? [])).toEqual([])
})
