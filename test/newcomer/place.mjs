// The folder in which a newcomer begins, and what differs there from what the pages say.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blocksOf } from './page.mjs'
import { start, until } from './processes.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))

export const home = mkdtempSync(join(realpathSync(tmpdir()), 'portolan-newcomer-'))
export const clone = join(home, 'portolan')

/** An empty folder. */
export const folderOf = (name) => {
  mkdirSync(join(home, name), { recursive: true })
  return join(home, name)
}

/** An empty folder for a project of any name, in which the clone is too. */
export const besideClone = (name) => {
  const folder = folderOf(name)
  symlinkSync(clone, join(folder, 'portolan'))
  return folder
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

/** A text of a page with that port, and with this clone. */
export const change = (text) =>
  text
    .replaceAll('http://127.0.0.1:4000', origin)
    .replaceAll('https://graph.example', origin)
    .replaceAll('port: 4000', 'port: 0')
    .replaceAll('/path/to/portolan', clone)

/** The environment in which npx finds nothing that it fetched before. */
export const emptyCache = { npm_config_cache: join(home, 'cache') }

/** Starts the gateway over the sandbox by its archive, as the first page says, with other variables besides. */
export function startByNpx(more = {}) {
  const { text: command } = blocksOf('docs/index.md').find(({ text }) => /^npx .*--sandbox/.test(text))
  const env = { PORT: String(port), ...emptyCache, ...more }
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
