import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { TestGateway } from '../../../src/testing.ts'
import { bundleProgram, startProgram } from './support/program.ts'
import { address, run, startFolder, startWorld, textOf } from './support/world.ts'

let world: TestGateway
const built = mkdtempSync(join(tmpdir(), 'portolan-export-'))
const program = join(built, 'program.mjs')
beforeAll(async () => {
  world = await startWorld()
  await bundleProgram(program)
})
afterAll(async () => {
  rmSync(built, { recursive: true })
  await world[Symbol.asyncDispose]()
})

const commandOf = (url: string, file: string, ...more: string[]) => [
  ...['activity', '--url', url, '--address', address, '--out', file, ...more],
]

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a gateway that does not answer is named within ten seconds, with a line of progress in each format', async () => {
  using folder = startFolder()
  const server = createServer(() => {})
  const host = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const commands = [
    ...['csv', 'koinly', 'parquet'].map((format) =>
      commandOf(`http://${host}/`, folder.fileOf(format), '--format', format),
    ),
    ['transfers', ...commandOf(`http://${host}/`, folder.fileOf('transfers')).slice(1)],
  ]
  const children = commands.map((argv) => startProgram(program, argv))
  await wait(11_500)
  for (const child of children) {
    expect(child.saidNow()).toBe(`${host} has not answered for 8 s.\nNo answer yet\n`)
    child.kill()
    await child.ended
  }
})

test('a gateway where nothing listens is named with its host, and the first run leaves nothing', async () => {
  using folder = startFolder()
  const server = createServer()
  const host = await listen(server)
  server.close()
  const child = startProgram(program, commandOf(`http://${host}/graphql`, folder.fileOf('a.csv')))
  expect(await child.ended).toEqual([1, null])
  const sentence = `${host} refuses connections: nothing listens there.`
  expect(await child.said()).toBe(
    `${sentence}\n${sentence} (NETWORK) Nothing was written yet. Run the same command again to continue.\n`,
  )
  expect(readdirSync(folder.fileOf('.'))).toEqual([])
})

test('a gateway of plain HTTP that is asked for TLS is told from one whose certificate is not trusted', async () => {
  using folder = startFolder()
  const server = createServer((_request, response) => void response.end())
  const host = await listen(server)
  onTestFinished(() => void server.close())
  const { code, err } = await run(commandOf(`https://${host}/graphql`, folder.fileOf('a.csv')))
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(`${host} speaks no TLS: write http:// in place of https://.`),
  })
  expect(err).not.toContain('certificate')
})

test('a gateway that breaks off in its answer is named', async () => {
  using folder = startFolder()
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{', () => response.destroy())
  })
  const host = await listen(server)
  onTestFinished(() => void server.close())
  const { code, err } = await run(commandOf(`http://${host}/graphql`, folder.fileOf('a.csv')))
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`${host} broke the connection off.`) })
})

test('a first run with a wrong option leaves nothing, and the corrected command writes the file', async () => {
  using folder = startFolder()
  const file = folder.fileOf('a.csv')
  const wrong = ['activity', '--url', world.url, '--address', 'nonsense', '--out', file]
  const { code, err } = await run(wrong)
  expect(code).toBe(1)
  expect(err).toContain('Nothing was written yet. Correct the option, and run the command again.')
  expect(readdirSync(folder.fileOf('.'))).toEqual([])
  expect((await run(commandOf(world.url, file))).code).toBe(0)
})

test('a chain that the gateway does not know is no fault of the network', async () => {
  using folder = startFolder()
  const argv = ['blocks', '--url', world.url, '--chain', 'nowhere-1', '--out', folder.fileOf('a.csv')]
  const { code, err } = await run(argv)
  expect(code).toBe(1)
  expect(err).toContain('it does not know the chain')
  expect(err).toContain('Correct the option')
})

test('a file without contents is begun anew, also with other options', async () => {
  using folder = startFolder()
  const file = folder.fileOf('a.ndjson')
  writeFileSync(file, '')
  const until = ['--format', 'ndjson', '--until', '2020-01-01']
  expect((await run(commandOf(world.url, file, ...until))).code).toBe(0)
  expect(textOf(file)).toBe('')
  expect((await run(commandOf(world.url, file, '--format', 'ndjson'))).code).toBe(0)
  expect(textOf(file).length).toBeGreaterThan(1_000)
  // An older release left such a state after a first run that failed.
  const other = folder.fileOf('b.csv')
  writeFileSync(other, '')
  writeFileSync(`${other}.state.json`, '{"purpose":{"version":1},"extent":0}')
  expect((await run(commandOf(world.url, other))).code).toBe(0)
})

test('an interrupt ends a run whose gateway does not answer, at once', async () => {
  using folder = startFolder()
  const stop = new AbortController()
  const server = createServer(() => stop.abort())
  const host = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { code, err } = await run(commandOf(`http://${host}/`, folder.fileOf('a.csv')), { signal: stop.signal })
  expect({ code, err }).toEqual({ code: 130, err: 'It was interrupted. Run the same command again to continue.\n' })
})

test('--bom begins the file with a byte order mark, once', async () => {
  using folder = startFolder()
  const file = folder.fileOf('a.csv')
  await run(commandOf(world.url, file, '--bom'))
  await run(commandOf(world.url, file, '--bom'))
  expect(
    textOf(file)
      .split('\uFEFF')
      .map((part) => part.slice(0, 4)),
  ).toEqual(['', 'time'])
  const { err } = await run(commandOf(world.url, file))
  expect(err).toContain('--bom was true, and is now false')
})
