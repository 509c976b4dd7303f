// The folder in which a newcomer begins, and what differs there from what the pages say.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { textOf } from './page.mjs'
import { start, until } from './processes.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))

export const home = mkdtempSync(join(realpathSync(tmpdir()), 'portolan-newcomer-'))
export const clone = join(home, 'portolan')

/** The archives of the packages by their names, as soon as they are packed. */
export const archives = {}

/** An empty folder. */
export const folderOf = (name) => {
  mkdirSync(join(home, name), { recursive: true })
  return join(home, name)
}

/** Copies the files of this project as they are now, without what was installed or built. */
export function makeClone() {
  const names = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root })
  const files = String(names)
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(root, name)))
  for (const name of files) cpSync(join(root, name), join(clone, name), { recursive: true })
}

export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** The port of the gateway, in place of 4000. */
export const port = await freePort()
const origin = `http://127.0.0.1:${port}`

/** Packages that a package needs, which are not on npm either. */
const needed = { client: ['words'], export: ['client', 'words'], hooks: ['client', 'words'] }
const archivesFor = (name) => [name, ...(needed[name] ?? [])].map((each) => archives[each])

/** A text of a page with the archives in place of names of packages, and with that port. */
export const change = (text) =>
  text
    .replace(/^npm install .*$/gm, (line) =>
      line
        .replace(/(?<= )@portolan\/(\w+)(?= |$)/, (_, name) => archivesFor(name).join(' '))
        .replace(/(?<= )portolan(?= |$)/, archives.gateway),
    )
    .replace(/\bnpx @portolan\/(\w+)/g, (_, name) => `npx -p @portolan/${name} portolan-${name}`)
    .replace(/\bnpx -p @portolan\/(\w+)/g, (_, name) => `npx -y -p ${archivesFor(name).join(' -p ')}`)
    .replace(/\bnpx portolan\b/g, `npx -y -p ${archives.gateway} portolan`)
    .replaceAll('http://127.0.0.1:4000', origin)
    .replaceAll('https://graph.example', origin)
    .replaceAll('port: 4000', 'port: 0')
    .replaceAll('/path/to/portolan', clone)

/** The environment in which npx finds nothing that it fetched before. */
export const emptyCache = { npm_config_cache: join(home, 'cache') }

/** Starts the gateway over the sandbox, as the pages say for a machine without a checkout. */
export function startByNpx() {
  const command = 'npx portolan --sandbox'
  if (!textOf('docs/index.md').includes(`\`${command}\``)) throw new Error(`no ${command}`)
  const env = { PORT: String(port), ...emptyCache }
  return start('sh', ['-c', change(command)], { cwd: folderOf('npx'), env })
}

/** Waits for an answer of a gateway that has just been started, and says how long that took. */
export async function firstAnswer(program) {
  const begin = Date.now()
  const body = JSON.stringify({ query: '{ chains { chainId } }' })
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const chains = await until('the first answer', async () => {
    if (program.code !== undefined) throw new Error(`it ended: ${program.errors}`)
    const response = await fetch(`${origin}/graphql`, options).catch(() => undefined)
    return response?.ok ? (await response.json()).data?.chains : undefined
  })
  if (chains.length !== 3) throw new Error(`${chains.length} chains`)
  return `first answer after ${((Date.now() - begin) / 1000).toFixed(1)} s`
}
