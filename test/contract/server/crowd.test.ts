import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../packages/sandbox/src/sandbox.ts'
import { createGateway } from '../../../src/gateway.ts'
import { now, youngChains } from '../../support/world.ts'

const query = `query ($size: Int!, $after: String) { chain { blocks(first: $size, after: $after) {
  nodes { height transactionCount transactions(first: 5) { nodes { hash } } }
} } }`

/** An upstream that responds from memory, with what `target` responded the first time. */
async function startMemoryOf(target: string) {
  const bodies = new Map<string, Promise<string>>()
  let active = 0
  let mostActive = 0
  const server = createServer(async ({ url = '' }, response) => {
    active += 1
    mostActive = Math.max(mostActive, active)
    const body = bodies.get(url) ?? fetch(target + url).then((answer) => answer.text())
    bodies.set(url, body)
    response.end(await body)
    active -= 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, mostActive: () => mostActive }
}

test.each([
  { users: 15, pagesOfUser: 1, size: 20, slots: 2, timeoutMs: 60_000 },
  { users: 200, pagesOfUser: 3, size: 5, slots: 32, timeoutMs: 15_000 },
])('$users users with $pagesOfUser nested pages each get complete answers', async (crowd) => {
  const { users, pagesOfUser, size, slots, timeoutMs } = crowd
  const blockCount = users * pagesOfUser * size
  const chains = youngChains(blockCount + 20)
  await using sandbox = await startSandbox({ clock: () => now, chains })
  const [indexer] = sandbox.indexers
  if (!indexer) throw new Error('The sandbox has no chain.')
  const upstream = await startMemoryOf(indexer.url)
  await using gateway = await createGateway({
    chains: [{ chainId: indexer.chainId, url: upstream.url, vm: indexer.vm, maxRequests: slots }],
    limits: { timeoutMs },
  })
  const ask = async (document: string, variables: Record<string, unknown>) => {
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: document, variables }),
    })
    return response.json()
  }
  const edges: { cursor: string }[] = []
  for (let after: string | undefined; edges.length < blockCount; ) {
    const { data } = await ask(
      'query ($after: String) { chain { blocks(first: 100, after: $after) { edges { cursor } } } }',
      { after },
    )
    edges.push(...data.chain.blocks.edges)
    after = edges.at(-1)?.cursor
  }
  /** The pages of one user, one after the other: each a page that nobody else reads. */
  const visit = async (user: number) => {
    const answers = []
    for (let page = 0; page < pagesOfUser; page += 1) {
      const after = edges[(user * pagesOfUser + page) * size]?.cursor
      answers.push(await ask(query, { size, after }))
    }
    return answers
  }
  const visits = Array.from({ length: users }, (_, user) => visit(user))
  const answers = (await Promise.all(visits)).flat()
  expect(answers.flatMap(({ errors }) => errors ?? [])).toEqual([])
  const blocks = answers.flatMap(({ data }) => data.chain.blocks.nodes)
  expect(new Set(blocks.map(({ height }) => height)).size).toBe(blockCount)
  expect(blocks.map(({ transactions }) => transactions.nodes.length)).toEqual(
    blocks.map(({ transactionCount }) => Math.min(5, transactionCount)),
  )
  expect(upstream.mostActive()).toBeLessThanOrEqual(slots)
})
