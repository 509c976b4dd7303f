import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type RecordedAnswer, recorded } from '../support/recorded.ts'

const page = join(import.meta.dirname, '../../docs/from-rest.md')
const head = '| Service | Version | Commit | API | Answers | Newest time in them |\n|---|---|---|---|--:|---|\n'

/** What a service says of itself. A build without a version says a word in its place. */
function told(value: unknown): string {
  if (typeof value !== 'string' || value === 'unknown') return 'unknown'
  return /\d/.test(value) ? `\`${value}\`` : `unknown: it says \`${value}\``
}

/** The row of a service, by its answers. */
function row(name: string, answers: readonly RecordedAnswer[]): string {
  const { version, commit_hash } = answers.find(({ path }) => path === '/status')?.body ?? {}
  const apis = new Set(answers.flatMap(({ path }) => /\/(v\d+)\//.exec(path)?.[1] ?? []))
  const [newest = 'unknown'] = (JSON.stringify(answers).match(/\b20\d\d-\d\d-\d\d(?=T\d\d:)/g) ?? [])
    .toSorted()
    .toReversed()
  return `| ${name} | ${told(version)} | ${told(commit_hash)} | ${[...apis].join(', ')} | ${answers.length} | ${newest} |`
}

const ofRouter = (source: RecordedAnswer['source']) => recorded.router.filter((answer) => answer.source === source)

const table = [
  row('an indexer, rollytics over a small EVM chain', recorded.indexer),
  row('the router of Skip Go, live', ofRouter('recorded')),
  row('the router of Skip Go, examples of its public description', ofRouter('description')),
].join('\n')

// DOCS=write writes the table anew.
test('the page has the version of each service whose answers were recorded', () => {
  const text = readFileSync(page, 'utf8')
  const start = text.indexOf(head) + head.length
  expect(start).toBeGreaterThan(head.length)
  const [rows = ''] = /^(\|.*\n?)*/.exec(text.slice(start)) ?? []
  if (process.env.DOCS === 'write')
    writeFileSync(page, `${text.slice(0, start)}${table}\n${text.slice(start + rows.length)}`)
  else expect(rows.trimEnd()).toBe(table)
})

test('every recorded answer is of a service in the table', () => {
  expect(ofRouter('recorded').length + ofRouter('description').length).toBe(recorded.router.length)
  expect(Object.keys(recorded)).toEqual(['indexer', 'router'])
})
