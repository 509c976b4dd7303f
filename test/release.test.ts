import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const libraries = ['packages/words', 'packages/sandbox', 'packages/mcp']
const shared = ['client', 'docs', 'explorer', 'export', 'hooks', 'words']
const published = ['.', ...new Set([...libraries, ...shared.map((name) => `packages/${name}`)])]
const manifests = published.map((folder) => `${folder}/package.json`)
const locks = ['package-lock.json', 'packages/package-lock.json']
const files = ['schema.graphql', ...manifests, ...locks]
const changelog = `# Changelog

## 99.1.0 (not released yet)

- One thing.

## 99.0.0 (not released yet)

## 0.1.0 (2026-11-21)
`

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A copy of what a release changes. Returns its folder. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-release-'))
  folders.push(folder)
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog)
  return folder
}

const release = (cwd: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts/release.mjs'), ...args], {
    cwd,
    encoding: 'utf8',
  })

const read = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8')

test('a release sets its date and its version in each package, and freezes the schema', () => {
  const folder = copyProject()
  const frozen = join(folder, 'test/schema/released')
  mkdirSync(frozen, { recursive: true })
  writeFileSync(join(frozen, '0.1.0.graphql'), 'type Query { a: Int }')
  const { status, stderr } = release(folder, '99.1.0', '2026-11-30')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(read(folder, 'CHANGELOG.md').match(/^## .*/gm)).toEqual([
    '## 99.1.0 (2026-11-30)',
    '## 99.0.0 (never released)',
    '## 0.1.0 (2026-11-21)',
  ])
  const { version } = JSON.parse(read(root, 'package.json'))
  for (const file of [...manifests, ...locks]) {
    const before = read(root, file)
    const after = read(folder, file)
    // Nothing else has changed.
    const again = after
      .replaceAll('"version": "99.1.0"', `"version": "${version}"`)
      .replaceAll(/("@portolan\/(?:client|words)": "\^)99\.1\.0"/g, `$1${version}"`)
    expect(again).toBe(before)
  }
  for (const file of manifests) expect(JSON.parse(read(folder, file)).version).toBe('99.1.0')
  const [own, other] = locks.map((file) => JSON.parse(read(folder, file)))
  const repeated = [
    own,
    own.packages[''],
    ...libraries.map((name) => own.packages[name]),
    ...shared.map((name) => other.packages[name]),
  ]
  for (const each of repeated) expect(each.version).toBe('99.1.0')
  expect(readdirSync(frozen)).toEqual(['99.1.0.graphql'])
  expect(read(folder, 'test/schema/released/99.1.0.graphql')).toBe(read(root, 'schema.graphql'))
  expect(release(folder, '99.1.0').status).toBe(1)
})

test.each([
  ['no version', [], 'Name a version'],
  ['a version that differs from the changelog', ['99.2.0'], 'must be "## 99.2.0 (not released yet)"'],
  ['a malformed date', ['99.1.0', '30.11.2026'], 'has the form'],
])('a release with %s changes nothing', (_what, args, message) => {
  const folder = copyProject()
  const { status, stderr } = release(folder, ...args)
  expect(status).toBe(1)
  expect(stderr).toContain(message)
  expect(read(folder, 'CHANGELOG.md')).toBe(changelog)
  expect(readdirSync(folder)).not.toContain('test')
})

test('a version below the released one is refused', () => {
  const folder = copyProject()
  mkdirSync(join(folder, 'test/schema/released'), { recursive: true })
  writeFileSync(join(folder, 'test/schema/released/100.0.0.graphql'), 'type Query { a: Int }')
  expect(release(folder, '99.1.0').stderr).toContain('100.0.0 is released already')
})
