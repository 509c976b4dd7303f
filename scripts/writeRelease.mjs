// Writes the version and the day of a release, and freezes its schema for the comparison of test/schema/changes.test.ts:
// node scripts/writeRelease.mjs 0.5.0 2026-11-30. With --dry-run it says what it would write. `npm run release` runs it.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const options = process.argv.slice(2)
const isDryRun = options.includes('--dry-run')
const [named, day = new Date().toISOString().slice(0, 10), ...others] = options.filter((word) => word !== '--dry-run')

/** The packages that have the version, by the folders of the lock files that repeat it. */
const packages = {
  '.': ['', 'packages/words', 'packages/sandbox', 'packages/mcp'],
  packages: ['client', 'words'],
  apps: ['docs', 'explorer', 'export', 'hooks', '../packages/client', '../packages/words'],
}
/** Those that others of them need. */
const needed = ['@portolan/client', '@portolan/words']
const changelogFile = 'CHANGELOG.md'
const released = 'test/schema/released'
const open = '## Unreleased'

const read = (file) => readFileSync(file, 'utf8')

/** The numbers of a version. Undefined for any other text. */
const numbersOf = (text) => /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number)

/** The minor version after the one that the packages have. */
function nextVersion() {
  const [major, minor] = numbersOf(JSON.parse(read('package.json')).version)
  return `${major}.${minor + 1}.0`
}

/** Only a dry run may leave it out. */
const version = named ?? (isDryRun ? nextVersion() : '')

/** Whether a version is above another one. */
function isAbove(one, other) {
  const [a, b] = [numbersOf(one), numbersOf(other)]
  const index = a.findIndex((number, i) => number !== b[i])
  return index >= 0 && a[index] > b[index]
}

/** The file of the release before, if there was one. */
const frozen = existsSync(released) ? readdirSync(released) : []

/** Why the release cannot be made. Undefined if it can. */
function obstacle() {
  if (!numbersOf(version)) return 'Name a version, such as 0.5.0.'
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return 'The day of the release has the form 2026-11-30.'
  if (others.length > 0) return `A release has a version and a day, and no ${others.join(' ')}.`
  const [first] = /^## .*$/m.exec(read(changelogFile)) ?? []
  if (first !== open) return `The first section of ${changelogFile} must be "${open}".`
  const before = frozen[0]?.replace('.graphql', '')
  if (before !== undefined && !isAbove(version, before)) return `${before} is released already.`
  return undefined
}

/** The texts to write, by their files. */
const texts = new Map()

/** Sets the version in packages, and where their lock file repeats it. */
function setVersion(folder, names) {
  const change = (name, work) => {
    const file = join(folder, name)
    const content = JSON.parse(read(file))
    work(content)
    texts.set(file, `${JSON.stringify(content, null, 2)}\n`)
  }
  const set = (target) => {
    target.version = version
    for (const name of needed) if (target.dependencies?.[name]) target.dependencies[name] = `^${version}`
  }
  for (const name of names) change(join(name, 'package.json'), set)
  change('package-lock.json', (lock) => {
    if (lock.version) set(lock)
    for (const name of names) set(lock.packages[name])
  })
}

const problem = obstacle()
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
// The section of the next release is begun at once.
texts.set(changelogFile, read(changelogFile).replace(open, `${open}\n\n## ${version} (${day})`))
for (const [folder, names] of Object.entries(packages)) setVersion(folder, names)
texts.set(join(released, `${version}.graphql`), read('schema.graphql'))
if (isDryRun) {
  const files = [...texts.keys()].map((file) => `  ${file}\n`)
  process.stdout.write(`The release of ${version} would write these files:\n${files.join('')}`)
  for (const name of frozen) process.stdout.write(`It would remove ${join(released, name)}.\n`)
} else {
  rmSync(released, { recursive: true, force: true })
  for (const [file, text] of texts) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  process.stdout.write(`${version} is prepared. Run .ci/run, commit, tag v${version}, and publish.\n`)
}
