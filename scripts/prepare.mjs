// Prepares a checkout. For tests it installs all packages, if package.json or the lock file has changed since the last
// time. With `start` it installs only those that run, and compiles the gateway and the explorer if their sources have
// changed. It says what it does, because that can take a while.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const isForStart = process.argv.includes('start')

const say = (text) => process.stderr.write(`${text}\n`)

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  say(`Portolan needs Node 20.19 or later. This is Node ${process.versions.node}.`)
  process.exit(2)
}

const read = (file) => {
  try {
    return readFileSync(`${root}${file}`)
  } catch {
    return ''
  }
}

/** The files of a folder and below, by their names. A file stands for itself. */
const filesIn = (path) => {
  if (!existsSync(`${root}${path}`)) return []
  try {
    const entries = readdirSync(`${root}${path}`, { withFileTypes: true, recursive: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length))
      .sort()
  } catch {
    return [path]
  }
}

/** Identifies the contents of files and folders. */
const contentsOf = (...paths) => {
  const hash = createHash('sha256').update(process.versions.modules)
  for (const name of paths.flatMap(filesIn)) hash.update(`${name}\n`).update(read(name))
  return hash.digest('hex')
}

const run = (command, ...args) =>
  new Promise((resolve) => {
    const shell = process.platform === 'win32'
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', shell })
    child.on('close', (code) => (code === 0 ? resolve() : process.exit(code ?? 1)))
  })

/** Does a piece of work unless its stamp says that it was done for the same files. */
const once = async (stamp, contents, work) => {
  if (String(read(stamp)) === contents) return
  await work()
  mkdirSync(dirname(`${root}${stamp}`), { recursive: true })
  writeFileSync(`${root}${stamp}`, contents)
}

const quiet = ['--no-audit', '--no-fund', '--loglevel=error']

/** Installs the packages of the gateway: all, or those that run. Packages that are there already stay. */
const installGateway = async () => {
  const stamp = 'node_modules/.portolan-installed'
  const wanted = contentsOf('package.json', 'package-lock.json')
  const [contents, extent] = String(read(stamp)).split(' ')
  if (contents === wanted && (isForStart || extent === 'all')) return
  say('Installing packages.')
  const isFirst = !existsSync(`${root}node_modules`)
  const isLean = isForStart && (isFirst || extent === 'running')
  if (isLean) await run('npm', 'ci', '--omit=dev', ...quiet)
  else await run('npm', 'install', '--include=dev', ...quiet)
  writeFileSync(`${root}${stamp}`, `${wanted} ${isLean ? 'running' : 'all'}`)
}

const explorer = 'packages/explorer'
/** Installs the compiler, which is also the bundler of the explorer, unless these versions are there. */
const installExplorer = () => {
  const { dependencies } = JSON.parse(read(`${explorer}/package.json`))
  const isThere = ([name, version]) => {
    const manifest = read(`${explorer}/node_modules/${name}/package.json`)
    return manifest !== '' && JSON.parse(manifest).version === version
  }
  return Object.entries(dependencies).every(isThere)
    ? undefined
    : run('npm', 'ci', '--prefix', explorer, '--omit=dev', ...quiet)
}

const sourcesOfExplorer = ['index.html', 'package.json', 'scripts', 'src'].map(
  (name) => `${explorer}/${name}`,
)

const build = async () => {
  await installExplorer()
  await Promise.all([
    once('dist/.compiled', contentsOf('src', 'tsconfig.json', 'scripts/compile.mjs'), () =>
      run(process.execPath, 'scripts/compile.mjs'),
    ),
    once('dist/.explorer', contentsOf(...sourcesOfExplorer, 'packages/client/src'), () =>
      run(process.execPath, `${explorer}/scripts/build.mjs`),
    ),
  ])
}

await Promise.all([installGateway(), isForStart && build()])
