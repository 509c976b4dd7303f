import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startGateway } from '../gateway.mjs'

const run = promisify(execFile)

/** Why Python cannot be used here. Undefined if it can. */
function missing() {
  try {
    execFileSync('python3', ['-c', 'import ensurepip, venv'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'python3 with venv is not installed'
  }
}

/** Installs the requirements in a virtual environment, if they have changed. */
async function install() {
  const installed = '.venv/installed.txt'
  const isUpToDate = existsSync(installed) && same(installed, 'requirements.txt')
  if (isUpToDate) return
  await run('python3', ['-m', 'venv', '--clear', '.venv'])
  await run('.venv/bin/pip', ['install', '--quiet', '--requirement', 'requirements.txt'])
  copyFileSync('requirements.txt', installed)
}

const same = (a, b) => readFileSync(a, 'utf8') === readFileSync(b, 'utf8')

test('ariadne-codegen generates a client that works', { skip: missing() }, async () => {
  await install()
  await run('.venv/bin/ariadne-codegen')
  const { stdout } = await run('.venv/bin/python', ['program.py', await startGateway()])
  assert.deepEqual(stdout.trim().split('\n'), ['ok walk', 'ok unions', 'ok inputs', 'ok errors', 'ok subscription'])
})
