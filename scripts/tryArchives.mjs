// Installs each archive of dist/archives in an empty folder of its own, and runs what it brings: node scripts/tryArchives.mjs.
// Each program must tell its options, each module that the package exports must load, and the gateway must answer. What the
// packages need comes from npm.
import { spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveOf, archivesFolder, folders, main, manifestIn, root, run, say } from './packages.mjs'

const home = mkdtempSync(join(realpathSync(tmpdir()), 'portolan-try-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))

/** A program that loads all modules that a package exports. One may fail that needs an optional library. */
const loadAll = `
  const [name, entries, optional] = JSON.parse(process.argv[2])
  for (const entry of entries) {
    const isJson = entry.endsWith('.json')
    await import(name + entry.slice(1), isJson ? { with: { type: 'json' } } : {}).catch((error) => {
      const isOptional = optional.some((library) => error.message.includes("'" + library))
      if (error.code !== 'ERR_MODULE_NOT_FOUND' || !isOptional) throw new Error(entry + ': ' + error.message)
    })
  }`

/** Starts the gateway over the sandbox, asks for its chains, and ends it. */
async function askGateway(folder) {
  const program = join(folder, 'node_modules/portolan/dist/main.js')
  const env = { ...process.env, HOST: '127.0.0.1', PORT: '0' }
  const gateway = spawn(process.execPath, [program, '--sandbox'], { cwd: folder, env })
  try {
    let text = ''
    const url = await new Promise((resolve, reject) => {
      const read = (chunk) => {
        text += chunk
        const [found] = /http:\/\/127\.0\.0\.1:\d+\/graphql/.exec(text) ?? []
        if (found) resolve(found)
      }
      gateway.stdout.on('data', read)
      gateway.stderr.on('data', read)
      gateway.on('close', () => reject(new Error(`The gateway ended:\n${text}`)))
    })
    const body = JSON.stringify({ query: '{ chains { chainId } }' })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { data } = await response.json()
    if (!data?.chains?.length) throw new Error('The gateway knows no chain.')
  } finally {
    gateway.kill()
  }
}

/** Installs an archive in an empty folder, and tries it there. */
async function tryArchive(manifest) {
  const { name, bin = {}, exports = {}, peerDependencies = {} } = manifest
  const cwd = mkdtempSync(join(home, 'empty-'))
  const archive = join(root, archivesFolder, archiveOf(name))
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', `file:${archive}`], { cwd })
  const installed = createRequire(join(cwd, 'index.js'))(`${name}/package.json`)
  if (installed.version !== manifest.version) {
    throw new Error(`The archive of ${name} is ${installed.version}, and not ${manifest.version}.`)
  }
  for (const program of Object.keys(bin)) {
    const help = run(join(cwd, 'node_modules/.bin', program), ['--help'], { cwd })
    if (!help.includes(program)) throw new Error(`${program} --help does not name the program:\n${help}`)
  }
  const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.graphql'))
  const given = JSON.stringify([name, entries, Object.keys(peerDependencies)])
  writeFileSync(join(cwd, 'loadAll.mjs'), loadAll)
  run(process.execPath, ['loadAll.mjs', given], { cwd })
  if (name === 'portolan') await askGateway(cwd)
  say(`${archiveOf(name)} installs, and runs.`)
}

await main(async () => {
  for (const folder of folders) await tryArchive(manifestIn(join(root, folder)))
})
