import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeAll, expect, test } from 'vitest'
import { compileProgram } from '../../support/program.ts'
import { type Data, startWorld } from '../../support/world.ts'

beforeAll(compileProgram, 240_000)

// MCP over the streams of a process, as desktop clients start it.

async function connect(args: readonly string[], mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args] }))
  return client
}

test.each(['legacy', 'auto'] as const)(
  'a desktop client reads a graph at a URL through a process (%s)',
  async (mode) => {
    await using world = await startWorld()
    const client = await connect(['dist/main.js', 'mcp', world.url], mode)
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(8)
    const { structuredContent }: Data = await client.callTool({
      name: 'chain_status',
      arguments: {},
    })
    expect(structuredContent.chains.map(({ name }: Data) => name)).toEqual(['Harbor', 'Galley', 'Lantern'])
    await client.close()
  },
)

test('without a URL, `portolan mcp` serves the sandbox', async () => {
  const client = await connect(['dist/main.js', 'mcp', '--sandbox'], 'legacy')
  const { structuredContent }: Data = await client.callTool({
    name: 'search',
    arguments: { text: 'galley' },
  })
  expect(structuredContent.results[0]).toMatchObject({ kind: 'Chain', chainId: 'galley-1' })
  await client.close()
})
