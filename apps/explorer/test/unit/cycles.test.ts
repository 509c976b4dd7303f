import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../src', import.meta.url))
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join(root, name))

/** The files that a file imports, types included. */
const imports = new Map(
  files.map((file) => [
    file,
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, path]) =>
      join(file, '..', path ?? ''),
    ),
  ]),
)

/** The files on a way from a file back to itself. */
function cycleFrom(
  start: string,
  at = start,
  path: readonly string[] = [],
  seen = new Set<string>(),
): readonly string[] | undefined {
  for (const next of imports.get(at) ?? []) {
    if (next === start) return [...path, at]
    if (seen.has(next)) continue
    seen.add(next)
    const found = cycleFrom(start, next, [...path, at], seen)
    if (found) return found
  }
  return undefined
}

test('there are no import cycles', () => {
  expect(files.length).toBeGreaterThan(50)
  for (const file of files) expect(cycleFrom(file), file).toBeUndefined()
})
