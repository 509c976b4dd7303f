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

/** A program that takes the state of hooks, says so, and keeps it until it is killed. */
async function buildHolder(program: string): Promise<void> {
  const libsql = createRequire(import.meta.url).resolve('libsql')
  const store = new URL('../src/store.ts', import.meta.url).pathname
  const contents = `import { takeState } from '${store}'
    try {
      takeState(process.argv[2])
      process.stdout.write('taken')
      setInterval(() => {}, 1_000)
    } catch (error) {
      process.stdout.write(error.message)
    }`
  await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20.19', outfile: program, logLevel: 'warning' },
    ...{ alias: { libsql }, external: [libsql] },
  })
}

test('one program has the state of hooks, until it is killed', async () => {
  using folder = startFolder()
  const [program, state] = [folder.fileOf('holder.mjs'), folder.fileOf('state')]
  await buildHolder(program)
  const start = async () => {
    const child = spawn(process.execPath, [program, state], { stdio: 'pipe' })
    const [words] = await once(child.stdout, 'data')
    return { child, words: String(words) }
  }
  const inUse = `Another program uses ${state}. Stop it first.`
  const first = await start()
  expect(first.words).toBe('taken')
  expect(() => takeState(state)).toThrow(inUse)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  {
    using _taken = takeState(state)
    // An attempt that fails frees nothing.
    expect(() => takeState(state)).toThrow(inUse)
    expect((await start()).words).toBe(inUse)
  }
  const last = await start()
  expect(last.words).toBe('taken')
  last.child.kill('SIGKILL')
})
