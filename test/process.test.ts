import { once } from 'node:events'
import { createConnection } from 'node:net'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { startSandbox } from '../packages/sandbox/src/sandbox.ts'
import { post } from './support/http.ts'
import { compileProgram, killPrograms, loadUntilClosed, runProgram, serveProgram } from './support/program.ts'
import { createRegistryFile } from './support/registryFile.ts'

// These tests run the compiled program as a process of its own.
beforeAll(compileProgram, 240_000)
afterEach(killPrograms)

test.each(['18.20.8', '20.18.9'])('Node %s is refused as too old', async (version) => {
  const old = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '${version}' })`
  const { exited, errors } = runProgram(['--import', old, 'dist/main.js'])
  expect(await exited).toBe(2)
  expect(errors()).toBe(`Portolan needs Node 20.19 or later. This is Node ${version}.\n`)
})

test.each([
  [[], {}, /^No chain is configured\. Set INDEXERS .* SANDBOX=true or pass --sandbox\.\n/],
  [
    ['--sandbox-by-default'],
    { INDEXER: 'a-1=http://127.0.0.1:1' },
    /^INDEXER is not a setting\. Did you mean INDEXERS\?/,
  ],
])('portolan %j with %j ends with exit code 2, and serves no sandbox', async (flags, env, message) => {
  const { exited, errors } = runProgram(['dist/main.js', '--port', '0', ...flags], env)
  expect(await exited).toBe(2)
  expect(errors()).toMatch(message)
  expect(errors()).not.toContain('listening')
})

test('SANDBOX=true serves the sandbox', async () => {
  const gateway = await serveProgram([], { SANDBOX: 'true' })
  const { body } = await post(gateway.url, { query: '{ service { isSandbox } }' })
  expect(body.data).toEqual({ service: { isSandbox: true } })
})

test('a closed stdout pipe ends the program without an error', async () => {
  const { child, exited, errors } = runProgram(['dist/main.js', 'schema'])
  child.stdout?.destroy()
  expect(await exited).toBe(0)
  expect(errors()).toBe('')
})

test('a second signal ends the program at once, with exit code 1', async () => {
  await using sandbox = await startSandbox()
  const [chain] = sandbox.indexers
  sandbox.faults.set(chain?.chainId ?? '', '/', { kind: 'hang' })
  const gateway = await serveProgram([], { INDEXERS: `${chain?.chainId}=${chain?.url}` })
  const query = post(gateway.url, { query: '{ chain { block(height: 1) { hash } } }' })
  query.catch(() => {})
  await expect.poll(() => sandbox.requests.length).toBeGreaterThan(0)
  gateway.child.kill('SIGTERM')
  await expect
    .poll(() =>
      fetch(gateway.url)
        .then(() => 'open')
        .catch(() => 'closed'),
    )
    .toBe('closed')
  gateway.child.kill('SIGTERM')
  expect(await gateway.exited).toBe(1)
})

test('SIGTERM under load fails no query, and idle connections do not delay the exit', async () => {
  const gateway = await serveProgram(['--sandbox'])
  const { port } = new URL(gateway.url)
  const silent = Array.from({ length: 20 }, () => createConnection(Number(port), '127.0.0.1'))
  for (const socket of silent) socket.on('error', () => {})
  await Promise.all(silent.map((socket) => once(socket, 'connect')))
  silent[0]?.write('POST /graphql HTTP/1.1\r\nHost: x\r\n')
  const loads = Promise.all(Array.from({ length: 16 }, () => loadUntilClosed(gateway.url)))
  await post(gateway.url, { query: '{ chains { chainId } }' })
  const started = performance.now()
  gateway.child.kill('SIGTERM')
  const outcomes = (await loads).flat()
  expect(await gateway.exited).toBe(0)
  expect(performance.now() - started).toBeLessThan(10_000)
  expect(outcomes.length).toBeGreaterThan(16)
  expect(new Set(outcomes)).toEqual(new Set([200]))
})

test('SIGHUP reloads the chain registry, and an unreadable one changes nothing', async () => {
  await using sandbox = await startSandbox()
  using registry = createRegistryFile(sandbox)
  const gateway = await serveProgram([], { CHAIN_REGISTRY: registry.path })
  const count = async () => {
    const { body } = await post(gateway.url, { query: '{ chains { chainId } }' })
    return body.data.chains.length
  }
  expect(await count()).toBe(1)
  registry.list(2)
  gateway.child.kill('SIGHUP')
  await expect.poll(count).toBe(2)
  registry.write('{')
  gateway.child.kill('SIGHUP')
  await expect.poll(gateway.errors).toContain('CHAIN_REGISTRY is not a chain registry')
  expect(await count()).toBe(2)
})

test('a chain named in settings can leave the registry, at SIGHUP or a restart', async () => {
  await using sandbox = await startSandbox()
  using registry = createRegistryFile(sandbox)
  const [first, second, third] = sandbox.indexers.map(({ chainId }) => chainId)
  registry.list(2)
  const env = {
    CHAIN_REGISTRY: registry.path,
    DEFAULT_CHAIN: `${second}`,
    VM_KINDS: `${second}=evm`,
    UPSTREAM_TIMEOUTS: `${second}=4000`,
    UPSTREAM_CONCURRENCY: `${second}=3`,
    UPSTREAM_HEADERS: JSON.stringify({ [`${second}`]: { 'x-key': 'b' } }),
  }
  const gateway = await serveProgram([], env)
  const served = async (url: string) => {
    const { body } = await post(url, { query: '{ chain { chainId } chains { chainId } }' })
    return [body.data.chain, ...body.data.chains].map(({ chainId }) => chainId)
  }
  expect(await served(gateway.url)).toEqual([second, first, second])
  registry.write(
    JSON.stringify(
      sandbox.indexers
        .filter(({ chainId }) => chainId !== second)
        .map(({ chainId, url }) => ({ chain_id: chainId, apis: { indexer: [{ address: url }] } })),
    ),
  )
  gateway.child.kill('SIGHUP')
  await expect.poll(() => served(gateway.url)).toEqual([first, first, third])
  const isWarned = (errors: string) =>
    ['DEFAULT_CHAIN', 'VM_KINDS', 'UPSTREAM_TIMEOUTS', 'UPSTREAM_CONCURRENCY', 'UPSTREAM_HEADERS'].every((name) =>
      errors.includes(`${name} names ${second}, which is not served.`),
    )
  await expect.poll(() => isWarned(gateway.errors())).toBe(true)
  const restarted = await serveProgram([], env)
  expect(await served(restarted.url)).toEqual([first, first, third])
  await expect.poll(() => isWarned(restarted.errors())).toBe(true)
})

test.each(['port', 'metrics-port'])('a busy --%s ends the program with exit code 1', async (name) => {
  await using sandbox = await startSandbox()
  const busy = new URL(sandbox.routerUrl).port
  const ports = name === 'port' ? [] : ['--port', '0']
  const flags = ['--sandbox', ...ports, `--${name}`, busy]
  const { exited, errors } = runProgram(['dist/main.js', ...flags], { LOG_LEVEL: 'silent' })
  expect(await exited).toBe(1)
  const setting = `${name.replace('-', '_').toUpperCase()} or --${name}`
  expect(errors()).toBe(
    `Portolan could not start: port ${busy} of 127.0.0.1 is in use. Set ${setting} to another one, or to 0 for any that is free.\n`,
  )
})
