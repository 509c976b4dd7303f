import { builder, type Context } from '../../engine/graphql/builder.ts'
import type { NodeShape } from '../../engine/graphql/node.ts'
import { type ChainKind, chainOf, kindOf } from '../chain/knownChain.ts'
import type { RouterChainRecord } from '../chain/routerRecords.ts'
import { withinShare } from '../indexer/accounts/chainShare.ts'
import { loadTracked, type TransferShape } from '../movement/joined/loadTransfer.ts'
import { transferRef } from '../movement/reported/transferRef.ts'
import { routerHash } from '../movement/reported/txHash.ts'
import { Transfer } from '../movement/types/transfer.ts'
import { openCatalog } from '../router/catalog.ts'
import { chainField } from '../router/routerFields.ts'
import { findForm, type HashForm } from './form.ts'

/** The most chains that a search asks the router about. */
export const maxAsked = 8

/** The shares of the time of an operation for the list of chains, and for the statuses, after all indexers. */
const shares = { chains: 0.08, statuses: 0.12 }

/** What the router said of a hash on a chain. */
type FollowAnswer = 'KNOWN' | 'NOT_TRACKED' | 'FAILED' | 'NOT_ASKED'

/** A chain that may have a transaction which no indexer has. */
export interface FollowCandidateShape extends NodeShape<'FollowCandidate'> {
  readonly chainId: string
  readonly hash: string
  readonly isLikely: boolean
  readonly answer: FollowAnswer
  readonly transfer: TransferShape | null
}

/** The families of chains that write hashes in a form, and others that could still have one. */
const families: Readonly<Record<HashForm, { likely: ChainKind; possible: readonly ChainKind[] }>> = {
  HEX: { likely: 'COSMOS', possible: ['EVM', 'UNKNOWN'] },
  PREFIXED_HEX: { likely: 'EVM', possible: ['COSMOS', 'UNKNOWN'] },
  BASE58: { likely: 'SVM', possible: ['UNKNOWN'] },
}

/**
 * The place of a chain among those that write hashes alike. Chains of the registry are those that the operator cares for, and
 * chains with an indexer have been searched.
 */
function placeOf({ network }: Context, { chain_id, is_testnet }: RouterChainRecord): number {
  const isSearched = network.chains.has(chain_id)
  return (is_testnet === true ? 4 : 0) + (isSearched ? 2 : 0) + (network.listed.has(chain_id) ? 0 : 1)
}

/** The chains of the router that could have a transaction with this hash, the likeliest first. None without a router. */
async function candidatesFor(context: Context, hash: string, form: HashForm): Promise<FollowCandidateShape[]> {
  const { all } = await withinShare(context, 'router', () => openCatalog(context).chains(), shares.chains)
  const { likely, possible } = families[form]
  const shown = all
    .filter(({ hidden }) => hidden !== true)
    .toSorted((a, b) => placeOf(context, a) - placeOf(context, b))
  const ofKinds = (kinds: readonly ChainKind[], isLikely: boolean) =>
    shown
      .filter((chain) => kinds.includes(kindOf(chain)))
      .map(
        ({ chain_id }): FollowCandidateShape => ({
          __typename: 'FollowCandidate',
          chainId: chain_id,
          hash: routerHash(chain_id, hash),
          isLikely,
          answer: 'NOT_ASKED',
          transfer: null,
        }),
      )
  return [...ofKinds([likely], true), ...ofKinds(possible, false)]
}

/** The candidate with what the router says of it. An error of one request affects no other. */
async function ask(context: Context, candidate: FollowCandidateShape): Promise<FollowCandidateShape> {
  const ref = transferRef(candidate.chainId, candidate.hash)
  const status = withinShare(context, 'router', () => loadTracked(context, ref), shares.statuses)
  return status.then(
    (transfer) => ({ ...candidate, transfer, answer: transfer ? 'KNOWN' : 'NOT_TRACKED' }),
    () => ({ ...candidate, answer: 'FAILED' }),
  )
}

/**
 * The chains that could have a transaction which no indexer has, the likeliest first. With `isAsked`, those that the router
 * knows it on are before them. None for a text that is no hash, and without a router.
 */
export async function findCandidates(
  context: Context,
  text: string,
  isAsked: boolean,
): Promise<readonly FollowCandidateShape[]> {
  const { hashForm } = findForm(text)
  if (!hashForm || !context.network.router) return []
  const candidates = await candidatesFor(context, text, hashForm)
  if (!isAsked) return candidates
  const asked = await Promise.all(candidates.slice(0, maxAsked).map((candidate) => ask(context, candidate)))
  const isKnown = ({ answer }: FollowCandidateShape) => answer === 'KNOWN'
  return [...asked.filter(isKnown), ...asked.filter((candidate) => !isKnown(candidate)), ...candidates.slice(maxAsked)]
}

const FollowAnswer = builder.enumType('FollowAnswer', {
  description: 'An answer of the router about a hash on a chain.',
  values: {
    KNOWN: { description: 'It knows the transaction. See `transfer`.' },
    NOT_TRACKED: {
      description: 'It does not track it. The transaction can still be there: `Subscription.transfer` makes it look.',
    },
    FAILED: { description: 'It did not answer.' },
    NOT_ASKED: { description: 'It was not asked. Set `follow` of `search`, which asks for the first 8.' },
  },
})

export const FollowCandidate = builder.objectRef<FollowCandidateShape>('FollowCandidate').implement({
  description:
    'A chain that may have a transaction which no indexed chain of this gateway has. It can be followed as a transfer.',
  fields: (t) => ({
    chainId: t.value('ChainId', 'The chain.', ({ chainId }) => chainId),
    chain: chainField(t, 'The chain', ({ chainId }) => chainId),
    hash: t.value('String', 'The hash as tools of that chain write it, for `transfer`.', ({ hash }) => hash),
    isLikely: t.value('Boolean', 'Whether the chain writes hashes as the text is written.', ({ isLikely }) => isLikely),
    answer: t.value(FollowAnswer, 'The answer of the router.', ({ answer }) => answer),
    transfer: t.nullable(
      Transfer,
      'The transfer that the router knows. Null unless `answer` is `KNOWN`.',
      ({ transfer }) => transfer,
    ),
  }),
})

/** The candidate as a result: its chain is known, and that it has the transaction is not. */
export const foundCandidate = (context: Context, node: FollowCandidateShape) =>
  ({ node, match: 'POSSIBLE', chain: chainOf(context, node.chainId) }) as const
