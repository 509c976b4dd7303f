import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { expect, test } from 'vitest'
import { keys, resolvers } from '../../src/config/graphcache.ts'
import { introspection } from '../../src/config/introspection.ts'
import { activityPage, blockPage, documentsOf, listenToConsole, outcomePage, plainWorld } from '../support/documents.ts'

const world = plainWorld()

const urql = () =>
  new Client({
    url: world.url,
    preferGetMethod: false,
    exchanges: [cacheExchange({ schema: introspection, keys, resolvers }), fetchExchange],
  })

interface Connection {
  readonly edges: { cursor: string; node: Record<string, unknown> }[]
  readonly nodes: { hash: string }[]
  readonly pageInfo: { readonly endCursor: string }
}

/** Reads so many pages, and returns the list that the cache made of them. */
async function readPages(
  client: Client,
  text: string,
  variables: object,
  [parent, field]: [string, string],
  pages = 3,
) {
  let list: Connection | undefined
  for (let page = 0; page < pages; page++) {
    const after = list?.pageInfo.endCursor
    const { data, error } = await client.query(text, { ...variables, after }).toPromise()
    expect(error).toBeUndefined()
    list = data[parent][field]
  }
  return list as Connection
}

test('pages are merged into one list of edges', async () => {
  using heard = listenToConsole()
  const { edges } = await readPages(urql(), blockPage, { first: 5 }, ['chain', 'blocks'])
  const heights = edges.map(({ node }) => node.height)
  expect(heights).toEqual(Array.from({ length: 15 }, (_, index) => Number(heights[0]) - index))
  expect(heard.words).toEqual([])
})

test('lists with different filters are stored separately', async () => {
  const client = urql()
  for (const isSuccessful of [true, false]) {
    const where: [string, string] = ['account', 'activity']
    const { edges } = await readPages(client, outcomePage, { isSuccessful }, where, 2)
    expect(edges.map(({ node }) => node.isSuccessful)).toEqual(Array(4).fill(isSuccessful))
  }
})

test('a page is merged with the first one, which was read without arguments', async () => {
  const page = (args: string) =>
    `{ chain(chainId: "galley-1") { id blocks${args} {
      edges { cursor node { id height } } pageInfo { endCursor }
    } } }`
  const client = urql()
  const read = async (args: string): Promise<Connection> => {
    const { data, stale } = await client.query(page(args), {}).toPromise()
    expect(stale).toBe(false)
    return data.chain.blocks
  }
  const { edges, pageInfo } = await read('')
  const all = await read(`(after: "${pageInfo.endCursor}", first: 5)`)
  const heights = all.edges.map(({ node }) => node.height)
  expect(edges).toHaveLength(20)
  expect(heights).toEqual(Array.from({ length: 25 }, (_, index) => Number(heights[0]) - index))
})

test('first pages of different sizes or times are not mixed', async () => {
  const client = urql()
  const read = async (first: number) => {
    const options = { requestPolicy: 'network-only' } as const
    const { data } = await client.query(blockPage, { first }, options).toPromise()
    return data.chain.blocks as Connection
  }
  for (const first of [5, 3, 8, 3]) expect((await read(first)).edges).toHaveLength(first)
  // The pages that follow one belong to it.
  const where: [string, string] = ['chain', 'blocks']
  expect((await readPages(client, blockPage, { first: 4 }, where)).edges).toHaveLength(12)
  expect((await read(3)).edges).toHaveLength(3)
})

test('pages are merged into one list of nodes', async () => {
  using heard = listenToConsole()
  const { nodes } = await readPages(urql(), activityPage, {}, ['account', 'activity'])
  expect(new Set(nodes.map(({ hash }) => hash)).size).toBe(12)
  expect(nodes).toHaveLength(12)
  expect(heard.words).toEqual([])
})

test('example documents cause no warnings and can be read from the cache', async () => {
  using heard = listenToConsole()
  const client = urql()
  const texts = documentsOf('query')
  expect(texts.length).toBeGreaterThan(10)
  for (const text of [...texts, ...texts.toReversed()]) {
    const sent = await client.query(text, {}, { requestPolicy: 'network-only' }).toPromise()
    const kept = await client.query(text, {}, { requestPolicy: 'cache-only' }).toPromise()
    expect(kept.data, text.slice(0, 99)).toEqual(sent.data)
  }
  expect(heard.words).toEqual([])
})
