import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const computed = () => execFileSync(process.execPath, [join(root, 'scripts/scale.mjs')], { encoding: 'utf8' })

test('docs/scale.md has the tables that npm run scale computes from the figures', () => {
  const page = readFileSync(join(root, 'docs/scale.md'), 'utf8')
  expect(computed()).toBe(page)
  expect(page).toContain('| concurrent users | 1,000 | 100,000 | 10,000,000 |')
  expect(page).not.toMatch(/NaN|undefined|Infinity/)
})
