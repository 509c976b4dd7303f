import { spawnSync } from 'node:child_process'

/**
 * Whether a program is installed that tests run. If not, the tests that need it are skipped. On a build
 * server, where the variable CI is set, it is an error: .ci/run installs the programs that are not optional.
 */
export function isInstalled(program: string, { isOptional = false } = {}): boolean {
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined) return true
  if (process.env.CI && !isOptional) throw new Error(`${program} is not installed.`)
  process.stderr.write(`Tests are skipped: ${program} is not installed.\n`)
  return false
}
