// Prepares a release: npm run release -- 0.5.0 2026-11-30. It commits and publishes nothing. With --dry-run it says which files
// it would write, makes all archives, installs and runs each of them in an empty folder, and changes no file of the repository.
// See "How to release" in CONTRIBUTING.md.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
// npm keeps the option for itself where "--" was forgotten before it. Its own commands below must not take it.
const { npm_config_dry_run: kept, ...env } = process.env
const options = process.argv.slice(2).filter((word) => word !== '--dry-run')
const isDryRun = kept === 'true' || process.argv.includes('--dry-run')

/** Runs a program. This script ends with it if it fails. */
function run(program, ...args) {
  const shell = process.platform === 'win32'
  const { status } = spawnSync(program, args, { cwd: root, env, stdio: 'inherit', shell })
  if (status !== 0) process.exit(status ?? 1)
}

const write = (...more) => run('node', 'scripts/writeRelease.mjs', ...options, ...more)

// Refused at once, not after the long work. Only a dry run can do without a version.
if (isDryRun || options.length > 0) write('--dry-run')
else write()
if (isDryRun) {
  run('npm', 'run', '--silent', 'archives')
  run('node', 'scripts/tryArchives.mjs')
  process.stdout.write(
    'No file of the repository has changed. The pages were not followed: npm run newcomer does that.\n',
  )
} else {
  for (const name of ['newcomer', 'setup', 'build']) run('npm', 'run', '--silent', name)
  write()
}
