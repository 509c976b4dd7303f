import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { packed } from '../../support/packed.ts'
import { runSandbox } from '../src/cli.ts'
import { type Sandbox, startSandbox } from '../src/sandbox.ts'

/** What a command line writes and ends with, if it is stopped at once. */
async function run(...argv: string[]) {
  const out: string[] = []
  const err: string[] = []
  const code = await runSandbox(argv, {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    signal: AbortSignal.abort(),
  })
  return { code, out: out.join(''), err: err.join('') }
}

test('the command prints each service, and how to break one', async () => {
  const { code, out } = await run()
  expect(code).toBe(0)
  const names = ['harbor-1 (move)', 'galley-1 (evm)', 'lantern-1 (wasm)', 'router', 'control', 'prices']
  const rows = [...out.matchAll(/^(\S.*?) +http:\/\/127\.0\.0\.1:\d+$/gm)]
  expect(rows.map(([, name]) => name)).toEqual(names)
  expect(out).toContain(`-d '{"service":"harbor-1","kind":"error"}'`)
  expect(out).toContain('latency, error, hang, garbage')
})

test.each([['--port', 'x'], ['--port', '70000'], ['--ports', '1'], ['word']])(
  'wrong options end with 2 (%s %s)',
  async (...argv) => {
    const { code, out, err } = await run(...argv)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('--seed <text>')
  },
)

/** A sandbox at the first of these ports that nobody uses. */
async function startAtPort(port = 20_000): Promise<{ port: number; sandbox: Sandbox }> {
  if (port > 30_000) throw new Error('no free ports')
  return startSandbox({ port }).then(
    (sandbox) => ({ port, sandbox }),
    () => startAtPort(port + 100),
  )
}

test('the services of a sandbox take the ports from the given one on, the prices the last', async () => {
  const { port, sandbox } = await startAtPort()
  const urls = [...sandbox.indexers.map(({ url }) => url), sandbox.routerUrl, sandbox.controlUrl, sandbox.pricesUrl]
  await sandbox.close()
  expect(urls.map((url) => Number(new URL(url).port) - port)).toEqual([0, 1, 2, 3, 4, 5])
})

test('a port in use ends with 1', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const { code, err } = await run('--port', String(port))
  server.close()
  expect({ code, out: err.includes('EADDRINUSE') }).toEqual({ code: 1, out: true })
})

test('the program is packed in 168 kB, and ends with 0 at SIGTERM', async () => {
  using archive = packed(join(import.meta.dirname, '..'))
  expect(archive.files.filter((name) => !/^(dist\/.*\.(d\.ts|js)|README\.md|package\.json)$/.test(name))).toEqual([])
  expect(archive.size).toBeLessThanOrEqual(168_000)
  const child = spawn(process.execPath, [join(archive.folder, 'dist/bin.js'), '--seed', 'other'])
  const urls: string[] = []
  for await (const line of createInterface(child.stdout)) {
    urls.push(...(/ (http:\S+)$/.exec(line)?.slice(1) ?? []))
    if (urls.length === 5) break
  }
  const [harbor = '', , , , control = ''] = urls
  expect((await fetch(`${harbor}/status`)).status).toBe(200)
  const body = JSON.stringify({ service: 'harbor-1', kind: 'error' })
  await fetch(control, { method: 'POST', body })
  expect((await fetch(`${harbor}/status`)).status).toBe(500)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})
