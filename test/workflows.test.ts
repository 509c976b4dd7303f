import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import type { Json } from './support/http.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const folder = '.github/workflows'
const files = readdirSync(join(root, folder)).sort()

const workflow = (file: string): Json => parseDocument(read(`${folder}/${file}`)).toJS()
const jobsOf = (file: string): [string, Json][] => Object.entries(workflow(file).jobs)
const stepsOf = (file: string): Json[] => jobsOf(file).flatMap(([, { steps = [] }]) => steps)

/** The folders of all lock files, such as `/packages`. */
const lockFolders = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .map((file) => join('/', dirname(file)))

test.each(files)('%s is valid YAML', (file) => {
  const { errors, warnings } = parseDocument(read(`${folder}/${file}`))
  expect([...errors, ...warnings]).toEqual([])
  expect(jobsOf(file).length).toBeGreaterThan(0)
})

test.each(files)('%s names each action by its commit, with its version behind it', (file) => {
  const lines = read(`${folder}/${file}`).match(/^.*\buses:.*$/gm) ?? []
  const isPinned = (line: string) => /uses: (\.\/[\w./-]+|[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(line)
  expect(lines.filter((line) => !isPinned(line))).toEqual([])
})

test('all workflows use one commit of an action', () => {
  const uses = files.flatMap((file) => read(`${folder}/${file}`).match(/[\w-]+\/[\w-]+@[0-9a-f]{40} # v[\d.]+/g) ?? [])
  const names = new Set(uses.map((text) => text.split('@')[0]))
  expect(new Set(uses).size).toBe(names.size)
})

test('a workflow may read the repository, and only the jobs that publish may write, each what it publishes', () => {
  for (const file of files) expect([file, workflow(file).permissions]).toEqual([file, { contents: 'read' }])
  const more = files.flatMap((file) =>
    jobsOf(file).flatMap(([name, { permissions }]) => (permissions ? [[`${file} ${name}`, permissions]] : [])),
  )
  expect(Object.fromEntries(more)).toEqual({
    'release.yml image': { contents: 'read', packages: 'write' },
    'release.yml npm': { contents: 'read', 'id-token': 'write' },
    'release.yml page': { contents: 'write', 'id-token': 'write', attestations: 'write' },
  })
})

test.each(files)('%s puts no expression into a shell command, where it could be a command itself', (file) => {
  const commands = stepsOf(file).flatMap(({ run = [] }) => run)
  expect(commands.filter((text: string) => text.includes('${{'))).toEqual([])
})

test('nothing is published before the checks of each change have passed', () => {
  const jobs = new Map(jobsOf('release.yml'))
  expect(jobs.get('check').uses).toBe('./.github/workflows/ci.yml')
  const isChecked = (name: string): boolean =>
    name === 'check' || [jobs.get(name).needs ?? []].flat().some((other) => isChecked(other))
  const writing = [...jobs].filter(([, { permissions }]) => permissions !== undefined)
  expect(writing.map(([name]) => [name, isChecked(name)])).toEqual([
    ['image', true],
    ['npm', true],
    ['page', true],
  ])
  expect(stepsOf('ci.yml').map(({ run }) => run)).toContain('.ci/run')
})

test('Dependabot updates the actions, the image and each lock file', () => {
  const { updates }: Json = parseDocument(read('.github/dependabot.yml')).toJS()
  const foldersOf = (ecosystem: string): string[] =>
    updates
      .filter((update: Json) => update['package-ecosystem'] === ecosystem)
      .flatMap(({ directory, directories = [directory] }: Json) => directories)
  const patterns = foldersOf('npm').map((name) => new RegExp(`^${name.replaceAll('*', '[^/]+')}$`))
  expect(lockFolders.filter((name) => !patterns.some((pattern) => pattern.test(name)))).toEqual([])
  expect(patterns.filter((pattern) => !lockFolders.some((name) => pattern.test(name)))).toEqual([])
  expect(foldersOf('github-actions')).toEqual(['/'])
  expect(foldersOf('docker')).toEqual(['/'])
})

test('known faults are looked for in each lock file of what is installed outside this repository', () => {
  // The others belong to tests, benchmarks and examples.
  const inner = /^\/(test|bench|examples)\//
  const [[, job] = []] = jobsOf('audit.yml')
  const audited = job.strategy.matrix.folder.map((name: string) => join('/', name))
  expect(audited.sort()).toEqual(lockFolders.filter((name) => !inner.test(name)).sort())
  expect(job.steps.at(-1).run).toBe('npm audit --omit=dev --audit-level=high')
})
