import { z } from 'zod'
import { type Data, queryTool, rows, unavailable, unavailableChains } from '../tool.ts'

export const search = queryTool({
  name: 'search',
  title: 'Search',
  description:
    'Finds what a text names on all chains at once: the hash of a transaction or block, a height, an address, a denom, or part of the name of a chain, an asset or an NFT collection. Call it first when you do not know what a text is.',
  input: z.object({ text: z.string().min(1).max(256).describe('What to find.') }),
  output: z.object({
    results: rows,
    unavailableChains,
    isRouterUnavailable: z.boolean().optional(),
  }),
  document: `query McpSearch($text: String!) { search(text: $text, first: 10) {
  results { match chain { chainId prettyName } node {
    __typename
    ... on Block { height timestamp }
    ... on Transaction { hash }
    ... on EvmTransaction { evmHash: hash }
    ... on Account { hexAddress }
    ... on NftCollection { address collectionName: name }
    ... on Chain { chainName: prettyName }
    ... on Asset { symbol name denom }
  } }
  hasMore isRouterUnavailable unavailableChains { chainId code }
} }`,
  read({ search: found }) {
    const results = found.results.map(({ match, chain, node }: Data) => {
      const { __typename: kind, evmHash, hexAddress, collectionName, chainName, ...rest } = node
      return {
        kind,
        ...((collectionName ?? chainName) && { name: collectionName ?? chainName }),
        ...(chain && { chain: chain.prettyName, chainId: chain.chainId }),
        ...rest,
        ...(evmHash && { hash: evmHash }),
        ...(hexAddress && { address: hexAddress }),
        match,
      }
    })
    return {
      result: {
        results,
        hasMore: found.hasMore,
        isRouterUnavailable: found.isRouterUnavailable,
        ...unavailable(found.unavailableChains),
      },
    }
  },
})
