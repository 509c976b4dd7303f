// The tests that `npm test` leaves out, and how to run them. Those of a room of src that is changed and not committed are
// not left out, nor those that are changed themselves.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The tests that belong to what is changed: each a file, or a folder with a slash at its end. */
function changedTests() {
  const command = ['status', '--porcelain', '--untracked-files=all', '--', 'src', 'test']
  try {
    return execFileSync('git', command, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
      .split('\n')
      .map((line) => line.slice(3).replace(/^.* -> /, ''))
      .flatMap((file) => {
        const room = /^src\/((?:app|engine)\/[^/]+\/|[^/]+\/)/.exec(file)?.[1]
        return room ? [`test/${room}`, `test/contract/${room}`] : [file]
      })
      .filter((file) => file !== '')
  } catch {
    // A checkout without git has no changes.
    return []
  }
}

/** Files of tests that take three and a half seconds or more, with their seconds on two busy cores. */
const slow = JSON.parse(readFileSync(`${root}test/slow.json`, 'utf8'))

const changed = changedTests()

/** The files of tests that `npm test` leaves out. */
export const leftOut = Object.keys(slow).filter((file) => !changed.some((start) => file.startsWith(start)))

/** Programs that tests start, and without which those are skipped. */
const programs = ['nginx', 'caddy', 'redis-server', 'curl', 'python3', 'duckdb', 'helm', 'systemd-analyze']

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const seconds = leftOut.reduce((sum, file) => sum + slow[file], 0)
  const missing = programs.filter((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error !== undefined)
  const parts = [
    `${leftOut.length} slow files of tests (${seconds} seconds of a core)`,
    'the tests that run again over an odd network',
    ...(missing.length > 0 ? [`the tests that need a program that is not installed (${missing.join(', ')})`] : []),
  ]
  process.stderr.write(
    `Left out: ${parts.join('; ')}. \`npm run test:all\` runs all that can run here, ` +
      '`npx vitest run test/server/fleet` those of a folder.\n',
  )
}
