// Makes an archive of each package: npm run archives. It works in a bare clone, and takes some minutes there. The archives
// are in dist/archives, under names without a version, and their paths are its output. They are what npm would publish, but
// for one thing: a package that needs another one of them names the archive beside its own, since no registry has it.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const place = 'dist/archives'
/** Each one after those that it needs. The gateway has the pages of all of them in it. */
const folders = [...['words', 'client', 'sandbox', 'mcp', 'export', 'hooks'].map((name) => `./packages/${name}`), '.']

const say = (text) => process.stderr.write(`${text}\n`)
const manifestIn = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const archiveOf = (name) => `${name.replace('@portolan/', 'portolan-')}.tgz`

/** Runs a program from the root, and returns its output. If it fails, this script ends with what it wrote. */
function run(program, ...args) {
  const shell = process.platform === 'win32'
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    shell,
    maxBuffer: 2 ** 26,
  })
  if (status === 0) return stdout
  say(`${stdout ?? ''}${stderr ?? error.message}\n${program} ${args.join(' ')} failed. No archive has changed.`)
  process.exit(1)
}

/** Packs a folder into another one, and returns the path of its archive. Scripts write their lines before its name. */
const pack = (folder, into, ...options) =>
  join(
    into,
    run('npm', 'pack', folder, '--silent', '--pack-destination', into, ...options)
      .trim()
      .split('\n')
      .at(-1),
  )

/**
 * Packs an archive again with the archives of what it needs in place of their versions. npm reads them from its folder.
 * Copies inside it would be second ones: the export would not know an error of its user's client as such.
 */
function packAgain(archive, needed) {
  const unpacked = mkdtempSync(join(scratch, 'unpacked-'))
  run('tar', '-xzf', archive, '-C', unpacked)
  const folder = join(unpacked, 'package')
  const manifest = manifestIn(folder)
  for (const name of needed) manifest.dependencies[name] = `file:${archiveOf(name)}`
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return pack(folder, scratch, '--ignore-scripts')
}

const scratch = mkdtempSync(join(tmpdir(), 'portolan-archives-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
say('Installing what the packages need.')
for (const purpose of [[], ['packages']]) run(process.execPath, 'scripts/prepare.mjs', ...purpose)
const manifests = folders.map((folder) => manifestIn(join(root, folder)))
const isOurs = (name) => manifests.some((manifest) => manifest.name === name)
const packed = manifests.map(({ name, dependencies }, index) => {
  say(`Building and packing ${name}.`)
  const needed = Object.keys(dependencies).filter(isOurs)
  const archive = pack(folders[index], scratch)
  return { archive: needed.length > 0 ? packAgain(archive, needed) : archive, target: `${place}/${archiveOf(name)}` }
})
rmSync(join(root, place), { recursive: true, force: true })
mkdirSync(join(root, place), { recursive: true })
for (const { archive, target } of packed) {
  copyFileSync(archive, join(root, target))
  process.stdout.write(`${target}\n`)
}
