// Prepares a release: npm run release -- 0.3.0 2026-11-30. Writes its version and its day, and freezes its schema for
// the comparison of test/schema/changes.test.ts. It commits and publishes nothing. See docs/schema-changes.md.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [version = '', day = new Date().toISOString().slice(0, 10)] = process.argv.slice(2)

/** The packages that have the version, by the folders of the lock files that repeat it. */
const packages = {
  '.': ['', 'packages/words', 'packages/sandbox', 'packages/mcp'],
  packages: ['client', 'docs', 'explorer', 'export', 'hooks', 'words'],
}
/** Those that others of them need. */
const needed = ['@portolan/client', '@portolan/words']
const changelogFile = 'CHANGELOG.md'
const released = 'test/schema/released'
const open = '(not released yet)'

const read = (file) => readFileSync(file, 'utf8')

/** The numbers of a version. Undefined for any other text. */
const numbersOf = (text) => /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number)

/** Whether a version is above another one. */
function isAbove(one, other) {
  const [a, b] = [numbersOf(one), numbersOf(other)]
  const index = a.findIndex((number, i) => number !== b[i])
  return index >= 0 && a[index] > b[index]
}

/** Why the release cannot be made. Undefined if it can. */
function obstacle() {
  if (!numbersOf(version)) return 'Name a version, such as 0.3.0.'
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return 'The day of the release has the form 2026-11-30.'
  const [first] = /^## .*$/m.exec(read(changelogFile)) ?? []
  if (first !== `## ${version} ${open}`) return `The first section of ${changelogFile} must be "## ${version} ${open}".`
  const [last] = existsSync(released) ? readdirSync(released) : []
  const before = last?.replace('.graphql', '')
  if (before !== undefined && !isAbove(version, before)) return `${before} is released already.`
  return undefined
}

/** The changelog with the day of the release. Older sections that had none were never released. */
const datedChangelog = () =>
  read(changelogFile).replace(`## ${version} ${open}`, `## ${version} (${day})`).replaceAll(open, '(never released)')

/** Writes the version of packages, and where their lock file repeats it. */
function writeVersion(folder, names) {
  const write = (name, change) => {
    const file = join(folder, name)
    const content = JSON.parse(read(file))
    change(content)
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
  }
  const setVersion = (target) => {
    target.version = version
    for (const name of needed) if (target.dependencies?.[name]) target.dependencies[name] = `^${version}`
  }
  for (const name of names) write(join(name, 'package.json'), setVersion)
  write('package-lock.json', (lock) => {
    if (lock.version) setVersion(lock)
    for (const name of names) setVersion(lock.packages[name])
  })
}

const problem = obstacle()
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
writeFileSync(changelogFile, datedChangelog())
for (const [folder, names] of Object.entries(packages)) writeVersion(folder, names)
rmSync(released, { recursive: true, force: true })
mkdirSync(released, { recursive: true })
writeFileSync(`${released}/${version}.graphql`, read('schema.graphql'))
process.stdout.write(`${version} is prepared. Run .ci/run, commit, tag v${version}, and publish.\n`)
