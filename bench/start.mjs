// node bench/start.mjs: how long `npm start` of a fresh clone takes to its first answer, with an empty npm cache, with a
// full one, and the second time; and how much it installs. With --check it installs only, and fails beyond the bounds.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { printTable } from './report.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

const say = (text) => process.stdout.write(`${text}\n`)

/** What a first start may install. */
const [maxPackages, maxMegabytes] = [90, 130]
const folders = ['node_modules', 'packages/node_modules']

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Seconds from `npm start` in a folder to its first answer. */
async function start(cwd, cache) {
  const port = await freePort()
  const env = { ...process.env, PORT: port, npm_config_cache: cache }
  const began = performance.now()
  const child = spawn('npm', ['start'], { cwd, env, detached: true, stdio: 'ignore' })
  const body = JSON.stringify({ query: '{ chain { chainId } }' })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  try {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/graphql`, init).catch(() => null)
      if (answer?.ok) return (performance.now() - began) / 1_000
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}.`)
      await sleep(20)
    }
  } finally {
    // The group of the process: npm, the script and the gateway.
    process.kill(-child.pid, 'SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
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

const folder = mkdtempSync(join(tmpdir(), 'portolan-start-'))
const clone = (name) => {
  execFileSync('git', ['clone', '--quiet', root, join(folder, name)])
  return join(folder, name)
}
try {
  if (values.check) {
    const cwd = clone('checked')
    execFileSync(process.execPath, ['scripts/prepare.mjs', 'start'], { cwd, stdio: 'ignore' })
    const { packages, megabytes } = installed(cwd)
    say(`A first start installs ${packages} packages, ${megabytes} MB.`)
    if (packages > maxPackages || megabytes > maxMegabytes) {
      say(`At most ${maxPackages} packages and ${maxMegabytes} MB are allowed.`)
      process.exitCode = 1
    }
  } else {
    const cache = join(folder, 'npm')
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
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
