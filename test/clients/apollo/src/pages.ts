import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { possibleTypes } from '@portolan/client/config'
import { typePolicies } from '@portolan/client/config/apollo'
import { OperationTypeNode } from 'graphql'
import { createClient } from 'graphql-ws'
import {
  type BlockRowFragment,
  BlocksDocument,
  type BlocksQuery,
  type FoundFragment,
  PartialDocument,
  type PartialQuery,
  QuoteDocument,
  type QuoteQuery,
  SearchDocument,
  type TransferState,
  WatchDocument,
} from './__generated__/gql/graphql.js'

/** What a client needs from its environment. */
export interface ClientOptions {
  readonly url: string
  readonly fetch: typeof globalThis.fetch
  readonly sha256: (text: string) => string
  readonly webSocketImpl: unknown
}

/** A client as an explorer sets it up: paged lists, hashed queries by GET, subscriptions over WebSocket. */
export function createApollo({ url, fetch, sha256, webSocketImpl }: ClientOptions) {
  const socket = createClient({ url: url.replace('http', 'ws'), webSocketImpl })
  const http = new PersistedQueryLink({ sha256, useGETForHashedQueries: true }).concat(
    new HttpLink({ uri: url, fetch }),
  )
  const link = ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    new GraphQLWsLink(socket),
    http,
  )
  const cache = new InMemoryCache({ possibleTypes, typePolicies })
  return { client: new ApolloClient({ link, cache }), close: () => socket.dispose() }
}

/** Reads pages of blocks, and returns the list that the cache made of them. */
export async function readBlocks(client: ApolloClient, pages: number) {
  const query = BlocksDocument
  const variables = { first: 7 }
  const list = client.watchQuery({ query, variables })
  let { data } = await list.refetch()
  for (let page = 1; page < pages; page++) {
    const after = data?.chain?.blocks?.pageInfo.endCursor ?? null
    data = (await list.fetchMore({ variables: { after } })).data
  }
  const edges = client.readQuery({ query, variables })?.chain?.blocks?.edges
  return edges?.flatMap<BlockRowFragment>(({ node }) => node ?? []) ?? []
}

/** What a text names. The fragment on a union of interfaces and types tells them apart. */
export async function search(client: ApolloClient, text: string): Promise<readonly FoundFragment[]> {
  const { data } = await client.query({ query: SearchDocument, variables: { text } })
  return data?.search?.results.map(({ node }) => node) ?? []
}

/** A quote: its amount and its steps in words. */
export async function quote(client: ApolloClient, amountIn: string, denom = 'uosmo') {
  const { data } = await client.query({
    query: QuoteDocument,
    variables: {
      input: {
        amountIn,
        source: { chainId: 'osmosis-1', denom },
        destination: { chainId: 'harbor-1', denom: 'uinit' },
      },
    },
    fetchPolicy: 'network-only',
  })
  return data?.route ? { amountOut: BigInt(data.route.amountOut), steps: data.route.operations.map(stepOf) } : null
}

type Operation = NonNullable<QuoteQuery['route']>['operations'][number]

function stepOf({ kind, details }: Operation): string {
  if (details?.__typename === 'SwapDetails') return `${kind} on ${details.venues[0]?.name}`
  if (details?.__typename === 'IbcTransferDetails') return `${kind} over ${details.channel}`
  return kind
}

/** A page of which one field cannot be answered: what arrived, and the errors. */
export const readPartial = (client: ApolloClient, address: string) =>
  client.query({ query: PartialDocument, variables: { address }, errorPolicy: 'all' })

/** The states of a transfer until it ends. */
export function watch(client: ApolloClient, hash: string): Promise<TransferState[]> {
  const states: TransferState[] = []
  return new Promise((resolve, reject) => {
    client.subscribe({ query: WatchDocument, variables: { hash } }).subscribe({
      next: ({ data, error }) => (error ? reject(error) : data && states.push(data.transfer.state)),
      error: reject,
      complete: () => resolve(states),
    })
  })
}

// What may be null is told by the types: these lines fail to compile if a field changes its nullability.
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Blocks = NonNullable<NonNullable<BlocksQuery['chain']>['blocks']>
export const typesThatHold: [
  Equal<BlockRowFragment['height'], number>,
  Equal<BlockRowFragment['gasUsed'], string | null>,
  Equal<null extends Blocks['edges'][number]['node'] ? true : false, true>,
  Equal<Blocks['pageInfo']['endCursor'], string | null>,
  Equal<null extends PartialQuery['chain'] ? true : false, true>,
] = [true, true, true, true, true]
