import { keys, resolvers } from '@portolan/client/config/graphcache'
import { introspection } from '@portolan/client/config/introspection'
import { type Client, createClient, fetchExchange, subscriptionExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { type ResultOf, readFragment } from 'gql.tada'
import { createClient as createSse } from 'graphql-sse'
import { createClient as createSocket } from 'graphql-ws'
import { graphql } from './graphql.js'

/** How subscriptions travel. */
export type Transport = 'websocket' | 'sse' | 'fetch'

/** What a client needs from its environment. */
export interface ClientOptions {
  readonly url: string
  readonly transport: Transport
  readonly webSocketImpl: unknown
}

/** A client with a normalised cache that knows the schema. */
export function createUrql({ url, transport, webSocketImpl }: ClientOptions) {
  const socket = createSocket({ url: url.replace('http', 'ws'), webSocketImpl })
  const sse = createSse({ url })
  const client = createClient({
    url,
    preferGetMethod: false,
    fetchSubscriptions: transport === 'fetch',
    exchanges: [
      cacheExchange({ schema: introspection, keys, resolvers }),
      fetchExchange,
      ...(transport === 'fetch'
        ? []
        : [
            subscriptionExchange({
              forwardSubscription: ({ query = '', variables = {} }) => ({
                subscribe: (sink) => ({
                  unsubscribe: (transport === 'sse' ? sse : socket).subscribe({ query, variables }, sink),
                }),
              }),
            }),
          ]),
    ],
  })
  return {
    client,
    close: () => {
      sse.dispose()
      return socket.dispose()
    },
  }
}

const BlockRow = graphql(`
  fragment BlockRow on Block @_unmask {
    id
    height
    gasUsed
    totalFee {
      denom
      amount
    }
  }
`)

const Blocks = graphql(
  `
    query Blocks($first: Int!, $after: String) {
      chain(chainId: "galley-1") {
        id
        blocks(first: $first, after: $after) {
          edges {
            cursor
            node {
              ...BlockRow
            }
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  `,
  [BlockRow],
)

/** Reads pages of blocks. The last answer holds the list that the cache made of all of them. */
export async function readBlocks(client: Client, pages: number) {
  let after: string | null = null
  let rows: ResultOf<typeof BlockRow>[] = []
  for (let page = 0; page < pages; page++) {
    const { data } = await client.query(Blocks, { first: 7, after }).toPromise()
    const blocks: BlockList | null | undefined = data?.chain?.blocks
    after = blocks?.pageInfo.endCursor ?? null
    rows = blocks?.edges.flatMap(({ node }) => node ?? []) ?? []
  }
  return rows
}

const Found = graphql(`
  fragment Found on SearchNode {
    __typename
    ... on IndexedTransaction {
      hash
    }
    ... on Block {
      id
      height
    }
    ... on Account {
      id
      hexAddress
    }
  }
`)

const Search = graphql(
  `
    query Search($text: String!) {
      search(text: $text) {
        results {
          match
          node {
            ...Found
          }
        }
      }
    }
  `,
  [Found],
)

/** What a text names, or what the gateway says against it. */
export async function search(client: Client, text: string) {
  const { data, error } = await client.query(Search, { text }).toPromise()
  const results = data?.search?.results ?? []
  return { found: results.map(({ node }) => readFragment(Found, node)), error }
}

const WithAccount = graphql(`
  query WithAccount($address: Address!) {
    chain(chainId: "galley-1") {
      id
      prettyName
      account(address: $address) {
        id
      }
    }
  }
`)

/** A page of which one field cannot be answered: what arrived, and the errors. */
export const readPartial = (client: Client, address: string) => client.query(WithAccount, { address }).toPromise()

const NewBlocks = graphql(`
  subscription NewBlocks {
    blocks(chainId: "galley-1") {
      cursor
      node {
        id
        height
      }
    }
  }
`)

/** The heights of the next blocks of a chain. */
export function nextHeights(client: Client, count: number): Promise<number[]> {
  const heights: number[] = []
  return new Promise((resolve, reject) => {
    const { unsubscribe } = client.subscription(NewBlocks, {}).subscribe(({ data, error }) => {
      if (error) return reject(error)
      const height: number | undefined = data?.blocks.node?.height
      if (height !== undefined) heights.push(height)
      if (heights.length < count) return
      unsubscribe()
      resolve(heights)
    })
  })
}

const Watch = graphql(`
  subscription Watch($hash: String!) {
    transfer(chainId: "harbor-1", hash: $hash) {
      id
      state
    }
  }
`)

/** The states of a transfer until it ends. */
export async function watch(client: Client, hash: string) {
  const states: ResultOf<typeof Watch>['transfer']['state'][] = []
  return new Promise<typeof states>((resolve, reject) => {
    client.subscription(Watch, { hash }).subscribe(({ data, error, hasNext }) => {
      if (error) return reject(error)
      const state = data?.transfer.state
      if (state && state !== states.at(-1)) states.push(state)
      if (!hasNext) resolve(states)
    })
  })
}

// What may be null is told by the types: these lines fail to compile if a field changes its nullability.
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type IsNullable<T> = null extends T ? true : false
type BlockList = NonNullable<NonNullable<ResultOf<typeof Blocks>['chain']>['blocks']>
export const typesThatHold: [
  Equal<ResultOf<typeof BlockRow>['height'], number>,
  Equal<ResultOf<typeof BlockRow>['gasUsed'], string | null>,
  IsNullable<BlockList['edges'][number]['node']>,
  Equal<BlockList['pageInfo']['endCursor'], string | null>,
  IsNullable<ResultOf<typeof WithAccount>['chain']>,
] = [true, true, true, true, true]
