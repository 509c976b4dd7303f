import type { GraphQLResolveInfo } from 'graphql'
import { builder, type Context, callCost } from '../../engine/graphql/builder.ts'
import { addErrorBeside } from '../../engine/graphql/errorBeside.ts'
import { selectedFields } from '../../engine/graphql/selection.ts'
import { badInput, GatewayError } from '../../engine/upstream/error.ts'
import { Account, accountAt } from '../account/account.ts'
import { Chain } from '../chain/chain.ts'
import { type Match, matches } from '../chain/labels.ts'
import {
  reportUnavailable,
  UnavailableChain,
  type UnavailableChainShape,
  unavailableChains,
  unavailableField,
} from '../indexer/accounts/unavailable.ts'
import { Block } from '../indexer/block/block.ts'
import { EvmTransaction } from '../indexer/evm/evmTransaction.ts'
import { NftCollection } from '../indexer/nft/nftCollection.ts'
import { Transaction } from '../indexer/transaction/transaction.ts'
import { Asset } from '../router/asset/asset.ts'
import { FollowCandidate, findCandidates, foundCandidate, maxAsked } from './followCandidates.ts'
import { countRequests, findForm, searchText } from './form.ts'
import type { FoundNode, SearchHit } from './found.ts'
import { maxResults, routerFault, searchLists } from './inLists.ts'
import { searchChains } from './onChains.ts'

interface SearchAnswer {
  readonly results: readonly SearchHit[]
  readonly hasMore: boolean
  readonly unavailable: readonly UnavailableChainShape[]
  /** Why assets, chains or candidates of the router may be missing. */
  readonly routerFault: GatewayError | undefined
}

/** The longest text, in characters: longer than every denom of the Cosmos SDK. */
const maxLength = 256

/** How well results match, the best first. */
const ranks: readonly (Match | 'POSSIBLE')[] = [...matches, 'POSSIBLE']

/** The results, exact ones first, and the types by turns, so that none crowds out the others. */
function ranked(found: readonly SearchHit[]): SearchHit[] {
  const counts = new Map<string, number>()
  const turns = found.map((result) => {
    const group = `${result.match} ${result.node.__typename}`
    const turn = counts.get(group) ?? 0
    counts.set(group, turn + 1)
    return { result, rank: ranks.indexOf(result.match), turn }
  })
  return turns.toSorted((a, b) => a.rank - b.rank || a.turn - b.turn).map(({ result }) => result)
}

/** Types with a hash. A text that found one of these is no height, no name and no address. */
const hashed: ReadonlySet<FoundNode['__typename']> = new Set(['Block', 'EvmTransaction', 'Transaction'])

/** What a client asks for. */
interface SearchArgs {
  readonly text: string
  readonly first: number
  /** Whether the router is asked for a transfer with a hash that no indexer has. */
  readonly follow: boolean
}

async function search(context: Context, args: SearchArgs): Promise<SearchAnswer> {
  const { first, follow } = args
  if (first < 0 || first > maxResults) throw badInput(`\`first\` must be between 0 and ${maxResults}.`)
  const text = searchText(args.text)
  if (text === '' || text.length > maxLength) {
    throw badInput(`The text must have 1 to ${maxLength} characters.`)
  }
  const [lists, chains] = await Promise.all([
    searchLists(context, text),
    searchChains(context, text, Math.max(1, first)),
  ])
  const isIndexed = chains.found.some(({ node: { __typename } }) => hashed.has(__typename))
  const answer = isIndexed ? [] : await findCandidates(context, text, follow).catch(routerFault)
  const candidates = answer instanceof GatewayError ? [] : answer
  // A hash with 0x has the form of an address of 32 bytes, and nobody has an address that is a hash.
  const isHash = isIndexed || candidates.some(({ answer }) => answer === 'KNOWN')
  const accounts: SearchHit[] =
    findForm(text).isAddress && !isHash ? [{ node: accountAt(context.network, text), match: 'EXACT', chain: null }] : []
  const followed = candidates.map((candidate) => foundCandidate(context, candidate))
  const all = ranked([...accounts, ...lists.found, ...chains.found, ...followed])
  return {
    results: all.slice(0, first),
    hasMore: all.length > first,
    unavailable: unavailableChains(chains.errors),
    routerFault: answer instanceof GatewayError ? answer : lists.fault,
  }
}

/** Adds an error for results that the router did not give, unless the client selects whether there are any. */
function reportRouter(context: Context, info: GraphQLResolveInfo, { routerFault: fault }: SearchAnswer): void {
  if (!fault || selectedFields(info).has('isRouterUnavailable')) return
  const { code, message, reason, upstreamMessage } = fault
  const details = { service: 'router', upstreamReason: reason, upstreamMessage }
  addErrorBeside(context, info, new GatewayError(code, `Results of the router are missing. ${message}`, details))
}

const SearchNode = builder.unionType('SearchNode', {
  description: 'A result of a search. New types can come.',
  types: [Block, Transaction, EvmTransaction, Account, NftCollection, Chain, Asset, FollowCandidate],
  resolveType: ({ __typename }: FoundNode) => __typename,
})

const SearchMatch = builder.enumType('SearchMatch', {
  description: 'How well a result matches the text. Case is ignored.',
  values: {
    EXACT: { description: 'The text is a whole name or identifier.' },
    PREFIX: { description: 'One of its names starts with the text.' },
    PART: { description: 'One of its names contains the text.' },
    POSSIBLE: { description: 'It may have what the text is the hash of. See `FollowCandidate`.' },
  },
})

const SearchResult = builder.objectRef<SearchHit>('SearchResult').implement({
  description: 'Something that a search found.',
  fields: (t) => ({
    node: t.value(SearchNode, 'What was found.', ({ node }) => node),
    chain: t.nullable(Chain, 'Its chain. Null for an account.', ({ chain }) => chain),
    match: t.value(SearchMatch, 'How well it matches the text.', ({ match }) => match),
  }),
})

const SearchResults = builder.objectRef<SearchAnswer>('SearchResults').implement({
  description: 'Results of a search on all chains.',
  fields: (t) => ({
    results: t.value([SearchResult], 'The best results, exact ones first.', ({ results }) => results),
    hasMore: t.value('Boolean', 'Whether more was found than `first` results.', ({ hasMore }) => hasMore),
    [unavailableField]: t.value(
      [UnavailableChain],
      'Chains that could not be searched. `errors` names them unless you select this.',
      ({ unavailable }) => unavailable,
    ),
    isRouterUnavailable: t.value(
      'Boolean',
      'Whether assets, chains or `FollowCandidate`s may be missing for lack of the router. `errors` says so unless you select this.',
      ({ routerFault }) => routerFault !== undefined,
    ),
  }),
})

builder.queryField('search', (t) =>
  t.field({
    type: SearchResults,
    nullable: true,
    description:
      'Finds a text on all chains: the hash of a transaction or recent block, a height or `galley-1/1041`, an address, a denom, an explorer link, or part of the name of a chain, asset or collection. Unindexed hashes give `FollowCandidate`s.',
    args: {
      text: t.arg.string({ required: true, description: 'Text of 1 to 256 characters.' }),
      first: t.arg.int({
        required: true,
        defaultValue: 20,
        description: 'Number of results, at most 50.',
      }),
      follow: t.arg.boolean({
        required: true,
        defaultValue: false,
        description:
          'For a hash that no indexed chain has, ask the router for its transfer on the 8 likeliest chains, and put those it knows first.',
      }),
    },
    complexity: ({ text, first, follow }, { network }) => ({
      field: callCost * countRequests(searchText(text), network.chains.size, follow ? maxAsked : 0),
      multiplier: Math.max(1, first),
    }),
    resolve: async (_root, args, context, info) => {
      const answer = await search(context, args)
      reportUnavailable(context, info, answer.unavailable)
      reportRouter(context, info, answer)
      return answer
    },
  }),
)
