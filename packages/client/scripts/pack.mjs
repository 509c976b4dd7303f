// Installs the package as npm publishes it into an empty project, without a registry. There, each entry point is
// imported, and a program is type-checked in each way to resolve modules.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const libraries = fileURLToPath(new URL('../../node_modules', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const project = mkdtempSync(join(realpathSync(tmpdir()), 'portolan-client-'))

/** Runs a program in the project, and returns its output. */
const run = (program, ...options) => execFileSync(program, options, { cwd: project, encoding: 'utf8' })

/** Packs a folder without building it, and returns the name of the archive. */
const pack = (folder) => run('npm', 'pack', folder, '--ignore-scripts', '--silent').trim().split('\n').at(-1)

/** The specifiers of all entry points. */
const entries = Object.keys(manifest.exports).map((path) => join(manifest.name, path))

/** Imports entry points in plain Node. Returns the packages that are missing, by entry point. */
const importAll = (specifiers) => {
  const program = `const missing = {}
for (const specifier of ${JSON.stringify(specifiers)}) {
  const options = specifier.endsWith('.json') ? { with: { type: 'json' } } : {}
  await import(specifier, options).catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    missing[specifier] = /package '([^']+)'/.exec(error.message)?.[1] ?? error.message
  })
}
console.log(JSON.stringify(missing))`
  writeFileSync(join(project, 'import.mjs'), program)
  return JSON.parse(run(process.execPath, 'import.mjs'))
}

/** The folders of all packages that a package depends on. */
const dependenciesOf = ({ dependencies = {} }) =>
  Object.keys(dependencies).flatMap((name) => {
    const folder = realpathSync(join(libraries, name))
    const own = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return [folder, ...dependenciesOf(own)]
  })

/** Puts a package that is installed here into the project. */
const link = (name) => {
  const target = join(project, 'node_modules', name)
  mkdirSync(dirname(target), { recursive: true })
  symlinkSync(join(libraries, name), target)
}

/** The faults that the compiler reports, but for those inside of other packages, which are theirs. */
const faultsOf = (resolution) => {
  const compilerOptions = {
    ...resolution,
    ...{ strict: true, exactOptionalPropertyTypes: true, target: 'es2022', types: [] },
    ...{ lib: ['es2023', 'dom'], declaration: true, outDir: 'dist' },
  }
  const config = { compilerOptions, files: ['program.ts'] }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(libraries, 'typescript/bin/tsc')
  const options = { cwd: project, encoding: 'utf8' }
  const { stdout, error } = spawnSync(process.execPath, [tsc, '--pretty', 'false'], options)
  if (error) throw error
  return stdout.split('\n').filter((line) => /^\S/.test(line) && !/node_modules\/(?!@portolan\/)\S*: error/.test(line))
}

const resolutions = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'esnext', moduleResolution: 'bundler' },
]

try {
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  // The archives of what it depends on satisfy its ranges, so npm asks no registry.
  const folders = [root, ...dependenciesOf(manifest)]
  const archives = folders.map(pack).map((name) => `./${name}`)
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent', ...archives)

  const peers = Object.keys(manifest.peerDependencies)
  for (const [entry, name] of Object.entries(importAll(entries))) {
    if (!peers.includes(name)) throw new Error(`${entry} needs ${name}, which is no dependency.`)
  }
  const types = ['@types/react', '@types/node']
  for (const name of [...peers, ...types]) link(name)
  const missing = importAll(entries)
  if (Object.keys(missing).length > 0) throw new Error(JSON.stringify(missing))

  copyFileSync(join(root, 'test/install/program.ts'), join(project, 'program.ts'))
  for (const resolution of resolutions) {
    const faults = faultsOf(resolution)
    if (faults.length > 0) throw new Error([resolution.moduleResolution, ...faults].join('\n'))
  }
} finally {
  rmSync(project, { recursive: true })
}
