// The package as a Node program installs it: packed, installed in an empty folder, and run.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const root = join(import.meta.dirname, '..', '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'portolan-embed-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const run = (command, args, cwd) => execFileSync(command, args, { cwd, encoding: 'utf8' })

const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
// What is built before a package is made takes a minute, and walks through it may be under way.
const isBuilt = ['explorer', 'docs'].every((part) => existsSync(join(root, 'dist', part)))
const packing = ['pack', '--silent', '--pack-destination', folder]
const packed = run('npm', [...packing, ...(isBuilt ? ['--ignore-scripts'] : [])], root)
  .trim()
  .split('\n')
  .at(-1)
writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}')
run('npm', ['install', ...quiet, '--ignore-scripts', join(folder, packed)], folder)

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const program = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? ''

/** What the program of the README is followed by here: a query, and the end. */
const rest = `
const response = await fetch(gateway.url, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query: '{ chains { chainId prettyName vm } }' }),
})
console.log(await response.text())
await gateway.close()
await sandbox.close()
`

test('the program of the README runs on the installed package', () => {
  writeFileSync(join(folder, 'program.js'), program + rest)
  const [url, body] = run(process.execPath, ['program.js'], folder).split('\n')
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/graphql$/)
  assert.deepEqual(JSON.parse(body).data.chains, [
    { chainId: 'harbor-1', prettyName: 'Harbor', vm: 'MOVE' },
    { chainId: 'galley-1', prettyName: 'Galley', vm: 'EVM' },
    { chainId: 'lantern-1', prettyName: 'Lantern', vm: 'WASM' },
  ])
})

test('the program of the README type-checks against the types of the package', () => {
  writeFileSync(join(folder, 'program.ts'), program)
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const options = '--noEmit --strict --module nodenext --target es2023 --skipLibCheck --types node'
  const types = ['--lib', 'es2023,esnext.disposable', '--typeRoots', join(root, 'node_modules/@types')]
  run(process.execPath, [compiler, ...options.split(' '), ...types, 'program.ts'], folder)
})

test('the command line of the installed package runs', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.equal(run('npx', ['portolan', '--version'], folder).trim(), version)
})

test('npm installs at most 60 different packages, with 60 MB', () => {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const paths = Object.keys(packages).filter((path) => path !== '')
  const names = new Set(paths.map((path) => path.replace(/^.*node_modules\//, '')))
  assert.ok(names.size <= 60, `${names.size} packages`)
  const modules = join(folder, 'node_modules')
  const bytes = readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  assert.ok(bytes <= 60e6, `${bytes} bytes`)
})

test('a setting whose libraries are optional says what to install', () => {
  const env = { ...process.env, REDIS_URL: 'redis://127.0.0.1:1' }
  const cli = ['node_modules/portolan/dist/main.js', '--sandbox', '--port', '0']
  const { status, stderr } = spawnSync(process.execPath, cli, {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  assert.match(stderr, /npm install ioredis@6/)
})

test('the installed package has neither sources nor source maps', () => {
  const installed = join(folder, 'node_modules', 'portolan')
  const files = readdirSync(join(installed, 'dist'), { recursive: true })
  assert.ok(!existsSync(join(installed, 'src')))
  assert.deepEqual(
    files.filter((file) => file.endsWith('.map')),
    [],
  )
})
