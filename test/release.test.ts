import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { afterEach, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
/** The packages that each lock file repeats, by their folders. */
const repeated = {
  'package-lock.json': ['', 'packages/words', 'packages/sandbox', 'packages/mcp'],
  'packages/package-lock.json': ['client', 'words'],
  'apps/package-lock.json': ['docs', 'explorer', 'export', 'hooks', '../packages/client', '../packages/words'],
}
const locks = Object.keys(repeated)
const manifests = [
  ...new Set(
    Object.entries(repeated).flatMap(([lock, folders]) =>
      folders.map((folder) => join(dirname(lock), folder, 'package.json')),
    ),
  ),
]
const changelogFile = 'CHANGELOG.md'
const frozen = 'test/schema/released'
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const [major, minor] = version.split('.').map(Number)
const next = `${major}.${minor + 1}.0`

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A copy of the files of this repository that a release reads. Returns its folder. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-release-'))
  folders.push(folder)
  for (const file of ['schema.graphql', changelogFile, frozen, ...manifests, ...locks]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file), { recursive: true })
  }
  return folder
}

const run = (script: string, cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
  spawnSync(process.execPath, [join(root, 'scripts', script), ...args], { cwd, env, encoding: 'utf8', timeout: 20_000 })
const release = (cwd: string, ...args: string[]) => run('writeRelease.mjs', cwd, args)

/** The environment in which some programs are short scripts: of the shell, unless they begin with another `#!`. */
function withPrograms(scripts: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-release-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), text.startsWith('#!') ? text : `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  }
  return { ...process.env, PATH: `${folder}:${process.env.PATH}` }
}

const read = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8')

/** All files of a folder, by their names. */
const contentsOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file, readFileSync(file, 'utf8')])

test('the next version can be released: each package has it, CHANGELOG has its day, and the schema is frozen', () => {
  const folder = copyProject()
  const { status, stderr } = release(folder, next, '2026-12-30')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(read(folder, changelogFile)).toBe(
    read(root, changelogFile).replace('## Unreleased\n', `## Unreleased\n\n## ${next} (2026-12-30)\n`),
  )
  for (const file of [...manifests, ...locks]) {
    const before = read(root, file).split('\n')
    const after = read(folder, file).split('\n')
    const changed = after.filter((line, index) => line !== before[index])
    expect(changed.length).toBeGreaterThan(0)
    // Nothing else has changed.
    expect(after.map((line, index) => (line === before[index] ? line : line.replace(next, version)))).toEqual(before)
  }
  for (const file of manifests) expect(JSON.parse(read(folder, file)).version).toBe(next)
  for (const [lock, folders] of Object.entries(repeated)) {
    const { packages } = JSON.parse(read(folder, lock))
    for (const name of folders) expect(packages[name].version).toBe(next)
  }
  expect(JSON.parse(read(folder, 'package-lock.json')).version).toBe(next)
  expect(readdirSync(join(folder, frozen))).toEqual([`${next}.graphql`])
  expect(read(folder, `${frozen}/${next}.graphql`)).toBe(read(root, 'schema.graphql'))
})

test('after a release the next one is begun, and the same one is refused', () => {
  const folder = copyProject()
  release(folder, next)
  expect(release(folder, next).stderr).toContain(`${next} is released already`)
  expect(release(folder, `${major}.${minor + 2}.0`).status).toBe(0)
})

test('a changelog that begins with another section is refused', () => {
  const folder = copyProject()
  const text = read(folder, changelogFile).replace('## Unreleased', `## ${next} (not released yet)`)
  writeFileSync(join(folder, changelogFile), text)
  expect(release(folder, next).stderr).toContain('must be "## Unreleased"')
  expect(read(folder, changelogFile)).toBe(text)
})

test('a dry run names each file that the release writes, and writes none', () => {
  const folder = copyProject()
  const before = contentsOf(folder)
  const { status, stdout } = release(folder, '--dry-run')
  expect(status).toBe(0)
  expect(contentsOf(folder)).toEqual(before)
  release(folder, next)
  const names = new Map(before.map(([file, text]) => [file, text]))
  const changed = contentsOf(folder).filter(([file, text]) => names.get(file) !== text)
  const written = changed.map(([file = '']) => relative(folder, file)).sort()
  expect(
    stdout
      .split('\n')
      .flatMap((line) => /^ {2}(.+)/.exec(line)?.[1] ?? [])
      .sort(),
  ).toEqual(written)
  expect(stdout).toContain(next)
  expect(stdout).toContain(`It would remove ${frozen}/${readdirSync(join(root, frozen))[0]}.`)
})

test.each([
  ['no version', [], 'Name a version'],
  ['a malformed version', ['v1.0.0'], 'Name a version'],
  ['the version that is released', [version], `${version} is released already`],
  ['a version below the released one', ['0.0.1'], `${version} is released already`],
  ['a malformed date', [next, '30.11.2026'], 'has the form'],
  ['an unknown option', [next, '2026-12-30', '--dryrun'], 'no --dryrun'],
])('a release with %s changes nothing', (_what, args, message) => {
  const folder = copyProject()
  const before = contentsOf(folder)
  const { status, stderr } = release(folder, ...args)
  expect(status).toBe(1)
  expect(stderr).toContain(message)
  expect(contentsOf(folder)).toEqual(before)
})

test('what is wrong is said before the pages are followed and all is built', () => {
  const { status, stdout, stderr } = run('release.mjs', root, ['0.0.1'])
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('is released already')
  expect(run('release.mjs', root, []).stderr).toContain('Name a version')
})

test('a dry run that npm took the option of makes and tries the archives, and npm does not pass it on', () => {
  const env = {
    ...withPrograms({
      npm: 'echo "npm $@, dry: $npm_config_dry_run"',
      // Its work takes minutes. All other scripts run.
      node: `case "$1" in scripts/tryArchives.mjs) echo "node $@";; *) exec '${process.execPath}' "$@";; esac`,
    }),
    npm_config_dry_run: 'true',
  }
  const { status, stdout } = run('release.mjs', root, [next], env)
  expect(status).toBe(0)
  expect(stdout.match(/^(npm|node) .*/gm)).toEqual(['npm run --silent archives, dry: ', 'node scripts/tryArchives.mjs'])
  expect(stdout).toContain('No file of the repository has changed.')
})

test('the page of a release has its section of CHANGELOG, and only a tag of the version of all packages has one', () => {
  const folder = copyProject()
  const notes = (tag: string) => run('releaseNotes.mjs', folder, [tag])
  expect(notes(`v${next}`).stderr).toContain(`has the version ${version}, and the tag is v${next}`)
  release(folder, next)
  const { status, stdout } = notes(`v${next}`)
  expect(status).toBe(0)
  const [, section = ''] = read(root, changelogFile).split(/^## Unreleased\n/m)
  expect(stdout.trim()).toBe(section.split(/^## /m)[0]?.trim())
  expect(notes(next).stderr).toContain('A tag of a release is like v0.5.0')
  expect(notes('v0.0.1').status).toBe(1)
  const manifest = join(folder, 'apps/hooks/package.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(next, version))
  expect(notes(`v${next}`).stderr).toContain(`@portolan/hooks has the version ${version}`)
})

test('without a token or a trusted publisher nothing is published, and nothing is installed', () => {
  const env = withPrograms({ npm: 'exit 9' })
  const { status, stderr } = run('publish.mjs', root, [], { ...env, NPM_TOKEN: '', NPM_TRUSTS_THIS_WORKFLOW: '' })
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: 'Nothing is published: neither NPM_TOKEN nor a trusted publisher is set.\n',
  })
})

test('packages that the registry lacks are all packed, and then published with provenance', () => {
  const log = join(copyProject(), 'npm.log')
  const env = withPrograms({
    // The packages count as installed.
    node: 'exit 0',
    // The shell would lose a variable with such a name.
    npm: `#!${process.execPath}
      const { NPM_TOKEN, GITHUB_REPOSITORY, ...env } = process.env
      const [command, first, , third] = process.argv.slice(2)
      const token = env['npm_config_//registry.example/path/:_authToken']
      const log = (...words) => require('node:fs').appendFileSync(${JSON.stringify(log)}, words.join(' ') + '\\n')
      if (NPM_TOKEN) throw new Error('The token is in the environment.')
      if (command === 'config') console.log('https://registry.example/path/')
      else if (first === '@portolan/words@${version}') console.log('${version}')
      else if (command === 'view') throw new Error('E404')
      else if (command === 'pkg') log('in', process.cwd(), third)
      else if (command === 'pack') {
        log(command, first, token)
        console.log(require('node:path').basename(first) + '.tgz')
      } else log(command, require('node:path').basename(first), ...process.argv.slice(4), token, GITHUB_REPOSITORY)`,
  })
  const github = { NPM_TOKEN: 'secret', GITHUB_REPOSITORY: 'somebody/portolan' }
  const { status, stderr } = run('publish.mjs', root, [], { ...env, ...github })
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('hooks.tgz is published.') })
  const folders = ['packages/client', 'packages/sandbox', 'packages/mcp', 'apps/export', 'apps/hooks']
  const all = [
    ...folders.map((folder) => ({ folder: `./${folder}`, file: `${basename(folder)}.tgz` })),
    { folder: '.', file: '..tgz' },
  ]
  expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual([
    ...all.flatMap(({ folder }) => [
      `in ${join(root, folder).replace(/\/$/, '')} repository.url=git+https://github.com/somebody/portolan.git`,
      `pack ${folder} `,
    ]),
    ...all.map(({ file }) => `publish ${file} --provenance --access public secret somebody/portolan`),
  ])
})

test('a registry that does not answer ends the publishing, which counts nothing as missing', () => {
  const env = withPrograms({ node: 'exit 0', npm: 'echo "npm $1: ENOTFOUND" >&2; exit 1' })
  const { status, stderr } = run('publish.mjs', root, [], { ...env, NPM_TOKEN: '', NPM_TRUSTS_THIS_WORKFLOW: 'true' })
  expect(status).toBe(1)
  expect(stderr).toContain('npm view: ENOTFOUND')
  expect(stderr).not.toContain('npm publish')
})
