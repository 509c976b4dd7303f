// node bench/start.mjs: how long `npm start` of a fresh clone takes to its first answer, with an empty npm cache, with a
// full one, and the second time; and how much it installs. `node bench/start.mjs --check FOLDER` runs `npm start` in a clone
// that is there to its first answer, and fails if it installs too much, where nothing was installed before.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { printTable } from './report.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { check: { type: 'string' } } })

const say = (text) => process.stdout.write(`${text}\n`)

/** What a first start may install. */
const [maxPackages, maxMegabytes] = [90, 130]
const folders = ['node_modules', 'apps/node_modules']

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Seconds from `npm start` in a folder to its first answer. Throws if it ends before. */
async function start(cwd, environment = {}) {
  const port = await freePort()
  const env = { ...process.env, PORT: port, ...environment }
  const began = performance.now()
  const child = spawn('npm', ['start'], { cwd, env, detached: true, stdio: 'ignore' })
  const body = JSON.stringify({ query: '{ chain { chainId } }' })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  try {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/graphql`, init).catch(() => null)
      if (answer?.ok) return (performance.now() - began) / 1_000
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}. Run it to see why.`)
      await sleep(20)
    }
  } finally {
    // The group of the process: npm, the script and the gateway.
    if (child.exitCode === null) {
      process.kill(-child.pid, 'SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
    }
  }
}

/** The packages in a folder, and their megabytes on disk. */
function installed(cwd) {
  let [packages, bytes] = [0, 0]
  for (const folder of folders) {
    const names = readdirSync(join(cwd, folder), { recursive: true })
    for (const name of names) {
      const status = statSync(join(cwd, folder, name), { throwIfNoEntry: false })
      bytes += status?.isFile() ? status.blocks * 512 : 0
      packages += /(^|node_modules\/)(@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(name) ? 1 : 0
    }
  }
  return { packages, megabytes: Math.round(bytes / 2 ** 20) }
}

/** Says how soon a clone answers, and what it has installed for that. */
async function check(cwd) {
  const isBare = folders.every((folder) => !existsSync(join(cwd, folder)))
  const seconds = await start(cwd)
  if (!isBare) return say(`npm start answered after ${seconds.toFixed(1)} s.`)
  const { packages, megabytes } = installed(cwd)
  say(`npm start answered after ${seconds.toFixed(1)} s, with ${packages} packages, ${megabytes} MB.`)
  if (packages <= maxPackages && megabytes <= maxMegabytes) return
  say(`At most ${maxPackages} packages and ${maxMegabytes} MB are allowed.`)
  process.exitCode = 1
}

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-start-'))
  const clone = (name) => {
    execFileSync('git', ['clone', '--quiet', root, join(folder, name)])
    return join(folder, name)
  }
  try {
    const cache = { npm_config_cache: join(folder, 'npm') }
    const cold = await start(clone('cold'), cache)
    const cwd = clone('warm')
    const warm = await start(cwd, cache)
    const second = await start(cwd, cache)
    const { packages, megabytes } = installed(cwd)
    printTable(
      'First answer of npm start in a fresh clone',
      ['', ''],
      [
        ['empty npm cache', `${cold.toFixed(1)} s`],
        ['full npm cache', `${warm.toFixed(1)} s`],
        ['second time', `${second.toFixed(1)} s`],
        ['packages', packages],
        ['on disk', `${megabytes} MB`],
      ],
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await (values.check === undefined ? measure() : check(values.check))
