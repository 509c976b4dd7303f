// Prepares a checkout. For tests it installs all packages, if package.json or the lock file has changed since the last
// time. With `start` it installs only those that run, and compiles the gateway and the explorer if their sources have
// changed. With `explorer` it installs what builds the explorer, with `packages` all that the folders of `packages` and
// `apps` need, and with `lint` what checks the schema. With `docs` it builds the documentation. It says what it does, because
// that can take a while.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const purpose = process.argv[2]
const isForStart = purpose === 'start'

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

const packages = 'packages'
const apps = 'apps'
const stampOf = (folder) => `${folder}/node_modules/.portolan-installed`
const explorer = `${apps}/explorer`

/** Installs all that the folders of `packages` or `apps` need, if their lock file has changed. */
const installIn = (folder) =>
  once(stampOf(folder), contentsOf(`${folder}/package-lock.json`), () => {
    say(`Installing what ${folder} needs.`)
    return run('npm', 'ci', '--prefix', folder, ...quiet)
  })

const installPackages = async () => {
  await installIn(packages)
  await installIn(apps)
}

/** Installs the compiler, which is also the bundler of the explorer, unless these versions are there. */
const installExplorer = () => {
  const { dependencies } = JSON.parse(read(`${explorer}/package.json`))
  const isThere = ([name, version]) => {
    const manifest = read(`${apps}/node_modules/${name}/package.json`)
    return manifest !== '' && JSON.parse(manifest).version === version
  }
  if (Object.entries(dependencies).every(isThere)) return undefined
  // All that is there beside these would be removed.
  if (read(stampOf(apps)) !== '') return installIn(apps)
  return run('npm', 'ci', '--prefix', apps, '--workspace', 'explorer', '--omit=dev', ...quiet)
}

const docs = `${apps}/docs`

/** Installs what builds the documentation. Packages that are there already stay. */
const installDocs = () => {
  const stamp = `${apps}/node_modules/.portolan-docs`
  const wanted = contentsOf(`${apps}/package-lock.json`)
  if (String(read(stampOf(apps))) === wanted) return undefined
  return once(stamp, wanted, () =>
    run('npm', 'install', '--no-save', '--prefix', apps, '--workspace', 'docs', ...quiet),
  )
}

const clients = 'test/clients'

/** Installs the linter of the schema, unless it is there, alone or with the clients of the tests. */
const installLint = () => {
  const lock = `${clients}/package-lock.json`
  const installed = read(`${clients}/node_modules/.installed-lock`)
  if (String(installed) === String(read(lock))) return undefined
  return once(`${clients}/node_modules/.portolan-lint`, contentsOf(lock), () =>
    run('npm', 'ci', '--prefix', clients, '--workspace', 'lint', ...quiet),
  )
}

const sourcesOfExplorer = ['index.html', 'package.json', 'scripts', 'src'].map((name) => `${explorer}/${name}`)

/** The sources of the gateway, and of the packages that it is made of. */
const sources = [
  'src',
  ...['kit', 'words', 'sandbox', 'mcp'].flatMap((name) => [
    `${packages}/${name}/src`,
    `${packages}/${name}/tsconfig.kit.json`,
  ]),
]

/** The build empties its folder, and the stamp in it, first. */
const stampOfDocs = 'dist/docs/.built'

const contentsOfDocs = () => {
  const sourcesOfDocs = [
    '.vitepress/config.mjs',
    '.vitepress/sidebar.mjs',
    '.vitepress/theme',
    'package.json',
    'scripts',
  ]
  const published = [
    ...['client', 'mcp', 'sandbox', 'words'].map((name) => `${packages}/${name}`),
    ...['export', 'hooks'].map((name) => `${apps}/${name}`),
  ]
  const readmes = published.map((folder) => `${folder}/README.md`)
  const texts = ['docs', 'CHANGELOG.md', 'schema.graphql', 'examples/documents', ...readmes]
  return contentsOf(...texts, ...sourcesOfDocs.map((name) => `${docs}/${name}`))
}

const buildDocs = async () => {
  await installDocs()
  await once(stampOfDocs, contentsOfDocs(), () => run('npm', 'run', '--prefix', docs, '--silent', 'build'))
}

/** Removes the documentation of older sources. The gateway shows the sources in its place. */
const removeOldDocs = () => {
  const built = String(read(stampOfDocs))
  if (built !== '' && built !== contentsOfDocs()) rmSync(`${root}dist/docs`, { recursive: true })
}

const build = async () => {
  await installExplorer()
  await Promise.all([
    once('dist/.compiled', contentsOf(...sources, 'tsconfig.base.json', 'scripts/compile.mjs'), () =>
      run(process.execPath, 'scripts/compile.mjs'),
    ),
    once(
      'dist/.explorer',
      contentsOf(
        ...sourcesOfExplorer,
        ...['client/src', 'kit/src', 'words/src/addresses'].map((name) => `${packages}/${name}`),
      ),
      () => run(process.execPath, `${explorer}/scripts/build.mjs`),
    ),
  ])
}

const work = {
  start: () => Promise.all([installGateway(), build(), removeOldDocs()]),
  docs: buildDocs,
  explorer: installExplorer,
  packages: installPackages,
  lint: installLint,
}
await (work[purpose] ?? installGateway)()
