import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { sandboxChains } from '../../../packages/sandbox/src/chains.ts'
import { startTestGateway } from '../../../src/testing.ts'
import { activityDocument, secret, startFolder } from './support/hook.ts'

/** Bundles a program of this package. The library of SQLite is native, and stays outside. */
async function buildProgram(name: string, program: string): Promise<void> {
  const libsql = createRequire(import.meta.url).resolve('libsql')
  await build({
    entryPoints: [new URL(`../src/${name}.ts`, import.meta.url).pathname],
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20.19', outfile: program, logLevel: 'warning' },
    ...{ conditions: ['@portolan/source'], alias: { libsql }, external: [libsql, 'ioredis'] },
    // The parser of GraphQL is CommonJS in this form.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
  })
}

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test.each(['streamBin', 'bin'])(
  '%s says within ten seconds that its gateway is away, and stops when it should',
  async (name) => {
    using folder = startFolder()
    const [program, config] = [folder.fileOf('program.mjs'), folder.fileOf('hooks.json')]
    await buildProgram(name, program)
    const url = `http://127.0.0.1:${await closedPort()}/graphql?key=secret`
    const hook = { name: 'a', url: 'https://hooks.example/', secret, document: activityDocument, variables: {} }
    writeFileSync(config, JSON.stringify({ url, hooks: [hook] }))
    const argv = name === 'bin' ? ['run', '--config', config] : ['subscription { chainHeads { height } }', '--url', url]
    const startedAt = Date.now()
    const child = spawn(process.execPath, [program, ...argv], { stdio: 'pipe' })
    let said = ''
    for await (const text of child.stderr) {
      said += text
      if (said.includes('cannot be reached')) break
    }
    expect(Date.now() - startedAt).toBeLessThan(10_000)
    expect(said).toContain(`The gateway at ${new URL(url).host} cannot be reached (ECONNREFUSED).`)
    expect(said).not.toContain('secret')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  },
)

test('portolan-stream ends quietly when head has what it wanted', async () => {
  const now = Date.UTC(2026, 10, 21, 12)
  const chains = sandboxChains.map((chain) => ({ ...chain, genesis: now - 100 * chain.blockTime }))
  await using world = await startTestGateway({ date: now, chains })
  using folder = startFolder()
  const program = folder.fileOf('program.mjs')
  await buildProgram('streamBin', program)
  const document = `subscription ($after: String) {
    blocks(chainId: "galley-1", after: $after) { cursor node { id } notice { kind } }
  }`
  const child = spawn(process.execPath, [program, document, '--url', world.url], { stdio: 'pipe' })
  const errors: string[] = []
  child.stderr.on('data', (text) => void errors.push(String(text)))
  let code: number | undefined
  const exited = once(child, 'exit').then(([status]) => {
    code = status
  })
  child.stdout.once('data', () => child.stdout.destroy())
  while (code === undefined) await world.advance(1_000)
  await exited
  expect({ code, errors }).toEqual({ code: 0, errors: [] })
})
