import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Packed, packed } from '../../support/packed.ts'
import { runMcp } from '../src/cli.ts'
import { startGraph } from './support/standIn.ts'

let archive: Packed
let program: string
beforeAll(() => {
  archive = packed(join(import.meta.dirname, '..'))
  program = join(archive.folder, 'dist/bin.js')
})
afterAll(() => archive[Symbol.dispose]())

/** What a command line that starts no server writes and ends with. */
async function run(...argv: string[]) {
  const out: string[] = []
  const err: string[] = []
  const code = await runMcp(argv, {
    env: {},
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    signal: AbortSignal.abort(),
  })
  return { code, out: out.join(''), err: err.join('') }
}

test('the package is at most 23 kB', () => {
  const isOurs = /^(dist\/.*\.(d\.ts|js)|README\.md|package\.json)$/
  expect(archive.files.filter((name) => !isOurs.test(name))).toEqual([])
  expect(archive.size).toBeLessThanOrEqual(23_000)
})

test.each([[], ['--url', 'graph.example'], ['--url', 'file:///graph'], ['--uri', 'http://a'], ['word']])(
  'wrong options end with 2 (%s %s)',
  async (...argv) => {
    const { code, out, err } = await run(...argv)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('--url <URL>')
  },
)

test('a graph without a schema ends with 1, if agents are to send queries', async () => {
  const { code, out, err } = await run('--url', 'http://127.0.0.1:1/graphql', '--query')
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain('The tools could not start: The graph could not be read')
})

test('a desktop client reads a graph at a URL through the program', async () => {
  await using there = await startGraph()
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, '--url', there.url, '--query'],
      env: { PORTOLAN_API_KEY: 'secret' },
    }),
  )
  const { tools } = await client.listTools()
  expect(tools).toHaveLength(9)
  const answer = await client.callTool({
    name: 'graphql_query',
    arguments: { query: '{ count }' },
  })
  expect(answer.content).toEqual([{ type: 'text', text: '{"data":{"count":7}}' }])
  expect(new Set(there.keys)).toEqual(new Set(['Bearer secret']))
  await client.close()
})

test.each(['SIGTERM', 'the end of its input'])('the program ends with 0 at %s', async (end) => {
  const child = spawn(process.execPath, [program, '--url', 'http://127.0.0.1:1/graphql'])
  const hello = { protocolVersion: '2025-06-18', capabilities: {} }
  const params = { ...hello, clientInfo: { name: 'test', version: '1' } }
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  await once(child.stdout, 'data')
  if (end === 'SIGTERM') child.kill('SIGTERM')
  else child.stdin.end()
  expect(await once(child, 'exit')).toEqual([0, null])
})
