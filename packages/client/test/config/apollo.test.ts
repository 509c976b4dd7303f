import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { expect, test } from 'vitest'
import { typePolicies } from '../../src/config/apollo.ts'
import { possibleTypes } from '../../src/config.ts'
import { activityPage, blockPage, documentsOf, listenToConsole, outcomePage, plainWorld } from '../support/documents.ts'

const world = plainWorld()

const apollo = () =>
  new ApolloClient({
    link: new HttpLink({ uri: world.url }),
    cache: new InMemoryCache({ possibleTypes, typePolicies }),
  })

interface Connection {
  readonly edges: { cursor: string; node: Record<string, unknown> }[]
  readonly nodes: { hash: string }[]
  readonly liveCursor: string | null
  readonly unavailableChains?: unknown[]
  readonly pageInfo: { readonly endCursor: string }
}

/** Reads so many pages of the list at a path, and returns the list that the cache has. */
async function readPages(
  client: ApolloClient,
  text: string,
  variables: Record<string, unknown>,
  [parent, field]: [string, string],
  pages = 3,
) {
  const query = gql(text)
  const listOf = (data: unknown) => (data as Record<string, Record<string, Connection>>)[parent]?.[field] as Connection
  const list = client.watchQuery({ query, variables })
  const first = listOf((await list.refetch()).data)
  let { endCursor } = first.pageInfo
  for (let page = 1; page < pages; page++) {
    const more = await list.fetchMore({ variables: { ...variables, after: endCursor } })
    endCursor = listOf(more.data).pageInfo.endCursor
  }
  return { first, all: listOf(client.readQuery({ query, variables })) }
}

test('pages are merged into one list of edges', async () => {
  using heard = listenToConsole()
  const { all } = await readPages(apollo(), blockPage, { first: 5 }, ['chain', 'blocks'])
  const heights = all.edges.map(({ node }) => node.height)
  expect(heights).toEqual(Array.from({ length: 15 }, (_, index) => Number(heights[0]) - index))
  expect(heard.words).toEqual([])
})

test('lists with different filters are stored separately', async () => {
  const client = apollo()
  for (const isSuccessful of [true, false]) {
    const where: [string, string] = ['account', 'activity']
    const { all } = await readPages(client, outcomePage, { isSuccessful }, where, 2)
    expect(all.unavailableChains).toEqual([])
    expect(all.edges.map(({ node }) => node.isSuccessful)).toEqual(Array(4).fill(isSuccessful))
  }
})

test('pages are merged into one list of nodes, and a repeated page is not doubled', async () => {
  using heard = listenToConsole()
  const client = apollo()
  const { first, all } = await readPages(client, activityPage, {}, ['account', 'activity'])
  expect(all.nodes).toHaveLength(12)
  expect(new Set(all.nodes.map(({ hash }) => hash)).size).toBe(12)
  expect(all.nodes.slice(0, 4)).toEqual(first.nodes)
  expect(all.liveCursor).toBe(first.liveCursor)
  expect(all.liveCursor).toBeTruthy()
  // The second page again: the list ends after it.
  const again = { query: gql(activityPage), variables: { after: first.pageInfo.endCursor } }
  await client.query({ ...again, fetchPolicy: 'network-only' })
  const trimmed = client.readQuery<{ account: { activity: Connection } }>({
    query: gql(activityPage),
  })
  expect(trimmed?.account.activity.nodes).toEqual(all.nodes.slice(0, 8))
  expect(heard.words).toEqual([])
})

test('a first page replaces the list', async () => {
  const client = apollo()
  await readPages(client, blockPage, { first: 5 }, ['chain', 'blocks'])
  const { all } = await readPages(client, blockPage, { first: 5 }, ['chain', 'blocks'], 1)
  expect(all.edges).toHaveLength(5)
})

test('example documents cause no warnings and can be read from the cache', async () => {
  using heard = listenToConsole()
  const client = apollo()
  const texts = documentsOf('query')
  expect(texts.length).toBeGreaterThan(10)
  for (const text of [...texts, ...texts.toReversed()]) {
    const query = gql(text)
    const { data } = await client.query({ query, errorPolicy: 'all', fetchPolicy: 'network-only' })
    expect(client.readQuery({ query }), text.slice(0, 99)).toEqual(data)
  }
  expect(heard.words).toEqual([])
})
