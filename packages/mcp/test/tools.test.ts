import { expect, test } from 'vitest'
import { connect, standInGraph } from './support/standIn.ts'

test('the list of tools equals the reviewed snapshot', async () => {
  const client = await connect(standInGraph(() => ({})).graph, 'type Query { count: Int }')
  const { tools } = await client.listTools()
  await client.close()
  const shown = tools.map(
    ({ name, description, inputSchema }) =>
      `${name}(${Object.keys(inputSchema.properties ?? {}).join(', ')})\n${description}\n`,
  )
  // A tool whose words change can make agents do other things. Read the difference before you accept it.
  await expect(shown.join('\n')).toMatchFileSnapshot('tools.txt')
  for (const { annotations } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
  }
})

test('a tool answers with the data of the graph, and its errors as problems', async () => {
  const chain = { chainId: 'a-1', prettyName: 'A\u202e', vm: 'EVM', freshness: { height: 5 } }
  const errors = [{ message: 'The indexer is off.', extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]
  const { graph, requests } = standInGraph(() => ({ data: { chains: [chain] }, errors }))
  const client = await connect(graph)
  const answer = await client.callTool({ name: 'chain_status', arguments: {} })
  await client.close()
  expect(answer.structuredContent).toMatchObject({
    chains: [{ chainId: 'a-1', name: 'A', height: 5 }],
    problems: [{ code: 'UPSTREAM_UNAVAILABLE' }],
  })
  expect(requests).toHaveLength(1)
})

test('a tool refuses arguments of other types before it reads the graph', async () => {
  const { graph, requests } = standInGraph(() => ({}))
  const client = await connect(graph)
  const answer = await client.callTool({ name: 'search', arguments: { text: 5 } })
  await client.close()
  expect([answer.isError, requests]).toEqual([true, []])
})

test('without a schema there is no tool for queries of agents', async () => {
  const client = await connect(standInGraph(() => ({})).graph)
  const { tools } = await client.listTools()
  await client.close()
  expect(tools.map(({ name }) => name)).not.toContain('graphql_query')
  expect(tools).toHaveLength(8)
})
