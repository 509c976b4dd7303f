// The packages that are published, for the scripts that pack, try and publish them.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Where `npm run archives` puts the archives, below the root. */
export const archivesFolder = 'dist/archives'

/** Their folders, each after those of the packages that it needs. The gateway has the pages of all of them in it. */
export const folders = [
  ...['words', 'client', 'sandbox', 'mcp'].map((name) => `./packages/${name}`),
  ...['export', 'hooks'].map((name) => `./apps/${name}`),
  '.',
]

/** The content of the package.json of a folder. */
export const manifestIn = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** The file name of the archive of a package. */
export const archiveOf = (name) => `${name.replace('@portolan/', 'portolan-')}.tgz`

/** Writes a line about the progress. Output is only for results. */
export const say = (text) => process.stderr.write(`${text}\n`)

/**
 * Runs a program, from the root unless `options.cwd` is set, and returns its output. If it fails, throws an error with all
 * that it wrote.
 */
export function run(program, args, options = {}) {
  const shell = process.platform === 'win32'
  const settings = { cwd: root, encoding: 'utf8', shell, maxBuffer: 2 ** 26, ...options }
  const { status, stdout, stderr, error } = spawnSync(program, args, settings)
  if (status === 0) return stdout
  throw new Error(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\n${program} ${args.join(' ')} failed.`)
}

/** Packs a folder into another one, and returns the path of its archive. Scripts write their lines before its name. */
export const pack = (folder, into, ...options) =>
  join(
    into,
    run('npm', ['pack', folder, '--silent', '--pack-destination', into, ...options])
      .trim()
      .split('\n')
      .at(-1),
  )

/** Installs what all packages need to be built. */
export function installAll() {
  say('Installing what the packages need.')
  for (const purpose of [[], ['packages']]) run('node', ['scripts/prepare.mjs', ...purpose])
}

/** Runs the work of a script. A failure ends it with status 1 and its message, without a stack. */
export async function main(work) {
  try {
    await work()
  } catch (error) {
    say(error.message)
    process.exitCode = 1
  }
}
