import { readFileSync } from 'node:fs'
import { lexicographicSortSchema } from 'graphql'
import { expect, test } from 'vitest'
import { runCli } from '../src/app/cli/cli.ts'
import { publicSdl } from '../src/engine/graphql/publicSdl.ts'
import { schema } from '../src/schema/schema.ts'

/** Runs a command line until it has printed `end`, or ends by itself. */
async function run(line: string, env: Record<string, string> = {}, check?: (out: string) => Promise<void>) {
  const texts = { out: '', err: '', log: '' }
  let onPrinted = () => {}
  const printed = new Promise<void>((resolve) => {
    onPrinted = resolve
  })
  const code = await runCli(line.split(' ').filter(Boolean), {
    env,
    out: (text) => {
      texts.out += text
      onPrinted()
    },
    err: (text) => {
      texts.err += text
    },
    outIsTerminal: true,
    log: {
      write: (text) => {
        texts.log += text
      },
    },
    // The program listens for signals before it prints where it serves.
    stopped: async () => check && printed.then(() => check(texts.out)),
  })
  return { code, ...texts }
}

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(await run('--version')).toMatchObject({ code: 0, out: `${version}\n`, err: '' })
})

test('--help prints the usage', async () => {
  const { code, out } = await run('--help')
  expect(code).toBe(0)
  expect(out).toMatch(/^Usage: portolan /)
  const all = await run('--help all')
  expect(all.code).toBe(0)
  expect(all.out).toContain('RATE_LIMIT')
  expect(out).not.toContain('RATE_LIMIT')
  expect(await run('help')).toEqual(await run('--help'))
  expect((await run('help all')).out).toBe(all.out)
})

test('schema prints the schema', async () => {
  const { code, out } = await run('schema')
  expect(code).toBe(0)
  expect(out).toBe(publicSdl(lexicographicSortSchema(schema)))
})

test('an invalid configuration exits with code 2 before serving', async () => {
  const { code, out, err } = await run('serve --sandbox --port x', { INTROSPECTION: 'maybe' }, () => {
    throw new Error('it must not be served')
  })
  expect(code).toBe(2)
  expect(out).toBe('')
  expect(err).toMatch(/^--port must .*\nINTROSPECTION must .*\n\nRun portolan --help/)
})

test.each(['serve', '--sandbox-by-default', 'doctor'])('a misspelt variable ends `portolan %s`', async (line) => {
  const { code, err } = await run(line, { INDEXER: 'x-1=http://x' })
  expect(code).toBe(2)
  expect(err).toMatch(/^INDEXER is not a setting\. Did you mean INDEXERS\? .*\n\nRun portolan --help/)
})

test('serve runs the sandbox until it is stopped, and prints its URLs', async () => {
  let url = ''
  const { code, out } = await run('--sandbox --port 0', { LOG_LEVEL: 'silent' }, async (printed) => {
    url = /GraphiQL +(http:\S+)/.exec(printed)?.[1] ?? ''
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ chain { chainId } service { version isSandbox hasRouter } }"}',
    })
    expect(response.headers.get('x-portolan-sandbox')).toBe('true')
    const sample = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: / -d '(.*)'/.exec(printed)?.[1] ?? '',
    })
    expect(await sample.json()).toMatchObject({
      data: { chains: [{ prettyName: 'Harbor' }, {}, {}] },
    })
    expect(await response.json()).toEqual({
      data: {
        chain: { chainId: 'harbor-1' },
        service: { version: expect.stringMatching(/^\d/), isSandbox: true, hasRouter: true },
      },
    })
  })
  expect(code).toBe(0)
  expect(out).toContain('serves the sandbox, a simulated network')
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
  await expect(fetch(url)).rejects.toThrow()
})

test('sandbox prints the settings for a gateway that serves it', async () => {
  const sandbox = await run('sandbox --port 0', {}, async (printed) => {
    const env = Object.fromEntries(
      [...printed.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name = '', value = '']) => [name, value]),
    )
    expect(Object.keys(env)).toEqual(['INDEXERS', 'ROUTER_URL', 'PRICES_URL', 'VM_KINDS'])
    const gateway = await run('--port 0', { ...env, LOG_LEVEL: 'silent' }, async (served) => {
      const url = /GraphiQL +(http:\S+)/.exec(served)?.[1] ?? ''
      const response = await fetch(new URL('/ready', url))
      expect(response.status).toBe(200)
      expect(response.headers.get('x-portolan-sandbox')).toBeNull()
    })
    expect(gateway.code).toBe(0)
    const [, control = '', fault = ''] = /curl (http:\S+) -d '(.+)'/.exec(printed) ?? []
    expect((await fetch(control, { method: 'POST', body: fault })).status).toBe(200)
    const [chain = ''] = env.INDEXERS?.split(',') ?? []
    expect((await fetch(`${chain.split('=')[1]}/status`)).status).toBe(500)
  })
  expect(sandbox.code).toBe(0)
})

test('a port in use exits with code 1', async () => {
  await run('--sandbox --port 0', { LOG_LEVEL: 'silent' }, async (printed) => {
    const port = /GraphiQL +http:\/\/127.0.0.1:(\d+)/.exec(printed)?.[1]
    const second = await run(`--sandbox --port ${port}`, { LOG_LEVEL: 'silent' })
    expect(second.code).toBe(1)
    expect(second.err).toBe(
      `Portolan could not start: port ${port} of 127.0.0.1 is in use. Set PORT or --port to another one, or to 0 for any that is free.\n`,
    )
  })
})

test('doctor exits with code 0 for the sandbox', async () => {
  const { code, out } = await run('doctor --sandbox', { UPSTREAM_TIMEOUT_MS: '60000' })
  expect(code).toBe(0)
  expect(out).toContain('Indexer of lantern-1: ')
  expect(out).toContain('Router: ')
  expect(out).not.toContain('FAILS')
  expect(out).toMatch(/^OK: the gateway can serve this network\.\n/)
  expect(out.split('\n').length).toBeLessThanOrEqual(30)
})

test('doctor prints JSON, and exits with code 1 if something fails', async () => {
  const { code, out } = await run('doctor --json', { INDEXERS: 'a-1=http://127.0.0.1:1' })
  expect(code).toBe(1)
  const [report, ...others] = JSON.parse(out)
  expect(others).toEqual([])
  expect(report).toMatchObject({ service: 'a-1', findings: [{ level: 'fails', subject: 'reach' }] })
})

test('doctor exits with code 2 for invalid settings', async () => {
  const { code, err } = await run('doctor')
  expect(code).toBe(2)
  expect(err).toMatch(/^No chain is configured/)
  expect((await run('serve --sandbox --json')).err).toMatch(/^--json is for portolan doctor only/)
})
