import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { startTestGateway } from '../../../src/testing.ts'
import { sandboxChains } from '../../sandbox/src/chains.ts'
import { takeState } from '../src/store.ts'
import { startFolder } from './support/hook.ts'

test('portolan-stream ends quietly when head has what it wanted', async () => {
  const now = Date.UTC(2026, 10, 21, 12)
  const chains = sandboxChains.map((chain) => ({ ...chain, genesis: now - 100 * chain.blockTime }))
  await using world = await startTestGateway({ date: now, chains })
  using folder = startFolder()
  const program = folder.fileOf('program.mjs')
  await build({
    entryPoints: [new URL('../src/streamBin.ts', import.meta.url).pathname],
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20.19', outfile: program, logLevel: 'warning' },
    conditions: ['@portolan/source'],
    // The parser of GraphQL is CommonJS in this form.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
  })
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

test('the state of hooks is free once the program that had it is killed', async () => {
  using folder = startFolder()
  const program = folder.fileOf('holder.mjs')
  const libsql = createRequire(import.meta.url).resolve('libsql')
  const store = new URL('../src/store.ts', import.meta.url).pathname
  await build({
    stdin: {
      contents: `import { takeState } from '${store}'; takeState(process.argv[2]); process.stdout.write('taken'); setInterval(() => {}, 1_000)`,
      resolveDir: import.meta.dirname,
    },
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20.19', outfile: program, logLevel: 'warning' },
    ...{ alias: { libsql }, external: [libsql] },
  })
  const state = folder.fileOf('state')
  const child = spawn(process.execPath, [program, state], { stdio: 'pipe' })
  await once(child.stdout, 'data')
  expect(() => takeState(state)).toThrow('Another program uses')
  child.kill('SIGKILL')
  await once(child, 'exit')
  takeState(state)[Symbol.dispose]()
})
