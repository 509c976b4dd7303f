// Prepares a checkout: installs the packages if package.json or the lock file has changed since the last
// time, and with `build` compiles what has changed. It says what it does, because both can take a while.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = `${root}node_modules/.portolan-installed`

const say = (text) => process.stderr.write(`${text}\n`)

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  say(`Portolan needs Node 20.19 or later. This is Node ${process.versions.node}.`)
  process.exit(2)
}

const read = (file) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Identifies the packages that the checkout asks for. */
const wanted = () =>
  createHash('sha256')
    .update(read(`${root}package.json`))
    .update(read(`${root}package-lock.json`))
    .update(process.versions.modules)
    .digest('hex')

const run = (command, ...args) => {
  const shell = process.platform === 'win32'
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell })
  if (status !== 0) process.exit(status ?? 1)
}

const isOutdated = read(stamp) !== wanted()
if (isOutdated) {
  say('Installing packages.')
  run('npm', 'install', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error')
  writeFileSync(stamp, wanted())
}

if (isOutdated || !existsSync(`${root}dist/graphiql/graphiql.js.br`)) {
  run(process.execPath, 'scripts/graphiql.mjs')
}

if (process.argv.includes('build')) {
  say('Compiling what has changed.')
  run(process.execPath, 'node_modules/typescript/bin/tsc')
}
