// Makes an archive of each package: npm run archives. It works in a bare clone, and takes some minutes there. The archives
// are in dist/archives, under names without a version, and their paths are its output. They are what npm would publish, but
// for one thing: a package that needs another one of them names the archive beside its own, since no registry has it.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveOf, archivesFolder, folders, installAll, main, manifestIn, pack, root, run, say } from './packages.mjs'

const scratch = mkdtempSync(join(tmpdir(), 'portolan-archives-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

/**
 * Packs an archive again with the archives of what it needs in place of their versions. npm reads them from its folder.
 * Copies inside it would be second ones: the export would not know an error of its user's client as such.
 */
function packAgain(archive, needed) {
  const unpacked = mkdtempSync(join(scratch, 'unpacked-'))
  run('tar', ['-xzf', archive, '-C', unpacked])
  const folder = join(unpacked, 'package')
  const manifest = manifestIn(folder)
  for (const name of needed) manifest.dependencies[name] = `file:${archiveOf(name)}`
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return pack(folder, scratch, '--ignore-scripts')
}

await main(() => {
  installAll()
  const manifests = folders.map((folder) => manifestIn(join(root, folder)))
  const isOurs = (name) => manifests.some((manifest) => manifest.name === name)
  const packed = manifests.map(({ name, dependencies }, index) => {
    say(`Building and packing ${name}.`)
    const needed = Object.keys(dependencies).filter(isOurs)
    const archive = pack(folders[index], scratch)
    return { archive: needed.length > 0 ? packAgain(archive, needed) : archive, name: archiveOf(name) }
  })
  // Only now: if a package failed, the archives of before are still there.
  const target = join(root, archivesFolder)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  for (const { archive, name } of packed) {
    copyFileSync(archive, join(target, name))
    process.stdout.write(`${archivesFolder}/${name}\n`)
  }
})
