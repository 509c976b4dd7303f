import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { publicSdl } from '../../src/engine/graphql/publicSdl.ts'
import { schema } from '../../src/schema/schema.ts'
import { unclearDeprecations, unnamedBreakingChanges } from '../support/schemaChanges.ts'

const RELEASED = join(import.meta.dirname, 'released')
/** The schema as clients read it, which is the one that a release freezes. */
const current = buildSchema(publicSdl(schema))
const CHANGELOG = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')

test('CHANGELOG.md names every breaking change since the last release', () => {
  const files = existsSync(RELEASED) ? readdirSync(RELEASED) : []
  expect(files.length).toBeLessThanOrEqual(1)
  for (const file of files) {
    const version = file.replace(/\.graphql$/, '')
    // An unreleased schema here would fix names that nobody uses yet.
    expect(CHANGELOG).toMatch(new RegExp(`^## ${version} \\(\\d{4}-`, 'm'))
    const released = buildSchema(readFileSync(join(RELEASED, file), 'utf8'))
    expect(unnamedBreakingChanges(released, current, CHANGELOG, version)).toEqual([])
  }
})

test('CHANGELOG.md has at most 20 kB', () => {
  expect(Buffer.byteLength(CHANGELOG)).toBeLessThanOrEqual(20_000)
})

test('schema.graphql has no breaking changes against the current schema', () => {
  const file = readFileSync(join(import.meta.dirname, '../../schema.graphql'), 'utf8')
  const changelog = '## 9.9.9 (2026-11-30)\n'
  expect(unnamedBreakingChanges(buildSchema(file), current, changelog, '9.9.9')).toEqual([])
})

test('names in the newest table of breaking changes are in the schema', () => {
  const [, table = ''] = /### Breaking changes of the schema\n\n(.+?)\n\n/s.exec(CHANGELOG) ?? []
  const rows = table.split('\n').slice(2)
  const named = rows.flatMap((row) => [...(row.split(' | ')[1] ?? '').matchAll(/`([A-Z]\w+)(?:\.(\w+))?`/g)])
  expect(named.length).toBeGreaterThan(0)
  const missing = named.filter(([, typeName = '', field]) => {
    const type = current.getType(typeName)
    return !type || (field !== undefined && !('getFields' in type && type.getFields()[field]))
  })
  expect(missing.map(([name]) => name)).toEqual([])
})

test('a deprecation names the replacement and the removal date', () => {
  expect(unclearDeprecations(schema)).toEqual([])
  const unclear = `
    type Query { a(x: Int @deprecated(reason: "Use \`y\`.")): Kind, b: Int @deprecated, in(in: In): Int
      fine: Int @deprecated(reason: "Use \`a\`. Removed after 2027-06-30.") }
    enum Kind { ONE, TWO @deprecated(reason: "Removed after 2027-06-30.") }
    input In { p: Int @deprecated(reason: "Old.") }`
  const names = ['Query.a(x:)', 'Query.b', 'Kind.TWO', 'In.p']
  expect(unclearDeprecations(buildSchema(unclear))).toEqual(expect.arrayContaining(names))
  expect(unclearDeprecations(buildSchema(unclear))).toHaveLength(names.length)
})

describe('unnamedBreakingChanges', () => {
  const before = `
    type Query { a(x: Int = 1, y: Int): Kind, b(of: Old): String, c: Thing }
    enum Kind { ONE, TWO }
    enum Old { ONE }
    input In { p: Int }
    interface Named { name: String }
    type Dog implements Named { name: String, input(in: In): Int }
    type Cat { name: String! }
    union Thing = Dog | Cat
    directive @semanticNonNull(levels: [Int] = [0]) on FIELD_DEFINITION
    type Nulls { one: Int @semanticNonNull, list: [Int] @semanticNonNull(levels: [0, 1]), kept: Int @semanticNonNull, now: Int @semanticNonNull }
    directive @d(x: Int) on FIELD`
  const after = `
    type Query { a(x: Int = 2, z: Int!): Kind, b(of: New): String, c: Thing }
    enum Kind { ONE }
    enum New { ONE }
    input In { p: Int, q: Int! }
    interface Named { name: String }
    type Dog { name: String, input(in: In): Int }
    type Cat { name: String }
    directive @semanticNonNull(levels: [Int] = [0]) on FIELD_DEFINITION
    type Nulls { one: Int, list: [Int] @semanticNonNull, kept: Int @semanticNonNull, now: Int! }
    union Thing = Dog`
  const names = [...['Cat.name', 'Dog', 'In.q', 'Kind.TWO', 'Nulls.list', 'Nulls.one', 'Old', 'Query.a', 'Thing', 'd']]
  const table = (lines: string) => `## Unreleased\n\n### Breaking changes of the schema\n\n${lines}`
  const missing = (changelog: string) =>
    unnamedBreakingChanges(buildSchema(before), buildSchema(after), changelog, '1.0.0')

  test('names each change by type and field, and a removed type only once', () => {
    const lines = missing('## Unreleased\n\n## 1.0.0 (2026-01-01)\n')
    expect([...new Set(lines.map((line) => line.split('`')[1]))].sort()).toEqual(names)
    expect(lines).toContain('`Query.a`: Query.a arg x has changed defaultValue from 1 to 2.')
    expect(lines.join()).not.toContain('Query.b')
  })

  test('accepts only a changelog that names all changes', () => {
    const rows = names.map((name) => `| \`${name}\` | gone |\n`)
    expect(missing(`${table(rows.join(''))}\n## 1.0.0 (2026-01-01)\n`)).toEqual([])
    for (const row of rows) {
      const shorter = table(rows.filter((other) => other !== row).join(''))
      expect(missing(`${shorter}\n## 1.0.0 (2026-01-01)\n`)).not.toEqual([])
    }
  })

  test('reads only the tables of breaking changes above the release', () => {
    const row = '| `Cat.name` | may be null |\n'
    expect(missing(`${table(row)}\n## 1.0.0 (2026-01-01)\n`).join()).not.toContain('Cat.name')
    expect(missing(`## Unreleased\n\n- \`Cat.name\`\n\n## 1.0.0 (2026-01-01)\n`).join()).toContain('Cat.name')
    expect(missing(`## Unreleased\n\n## 1.0.0 (2026-01-01)\n\n${table(row)}`).join()).toContain('Cat.name')
    expect(() => missing('## Unreleased\n')).toThrow('no section 1.0.0')
  })
})
