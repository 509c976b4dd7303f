import { bytesOf } from '#words/addresses/bytes'
import type { Context } from '../../engine/graphql/builder.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { get } from '../../engine/upstream/request.ts'
import { readable } from '../../engine/wire/decode.ts'
import { chainShape } from '../chain/knownChain.ts'
import { labelText, matchIn } from '../chain/labels.ts'
import { withinShare } from '../indexer/accounts/chainShare.ts'
import { findBlock } from '../indexer/block/block.ts'
import { findBlockByHash } from '../indexer/block/byHash.ts'
import { loadIndexed } from '../indexer/evm/loadIndexed.ts'
import { collectionShape, loadCollection } from '../indexer/nft/nftCollection.ts'
import { collectionSearchPath, collectionsPage } from '../indexer/nft/wire.ts'
import { type BlockPlace, findForm } from './form.ts'
import type { FoundNode, SearchHit } from './found.ts'

type LookUp = (context: Context, chain: ServedChain) => Promise<SearchHit[]>

const exact =
  (load: (context: Context, chain: ServedChain) => FoundNode | null | Promise<FoundNode | null>): LookUp =>
  async (context, chain) => {
    const node = await load(context, chain)
    return node ? [{ node, match: 'EXACT', chain: chainShape(chain) }] : []
  }

/** The characters of a name that indexers compare. */
const keepLetters = (name: string): string => name.replace(/[^\p{L}\p{M}\p{N}]/gu, '')

const collectionsNamed =
  (text: string, count: number): LookUp =>
  async (context, chain) => {
    const query = { 'pagination.limit': count, 'pagination.count_total': false }
    const request = get(collectionSearchPath(text), collectionsPage, { query })
    const page = await context.scope.fetch(chain.indexer, request)
    const match = matchIn(keepLetters(text))
    return readable(page?.items ?? []).map((record): SearchHit => {
      const { name, origin_name } = record.collection
      return {
        node: { ...collectionShape(chain, record), isStale: true },
        match: match(labelText([name, origin_name].map((each) => keepLetters(each ?? '')))) ?? 'PART',
        chain: chainShape(chain),
      }
    })
  }

/** The block of a text with the name of its chain, or with the beginning of it. */
const blockAt =
  ({ chain: name, height }: BlockPlace): LookUp =>
  async (context, chain) => {
    const match = matchIn(name)(labelText([chain.chainId, chain.name, chain.prettyName]))
    if (match === null || match === 'PART') return []
    const node = await findBlock(context, chain, height)
    return node ? [{ node, match, chain: chainShape(chain) }] : []
  }

/** Reads many blocks, so it comes after the transactions, which most hashes are of. */
const blockWithHash = (hash: string): LookUp => exact((context, chain) => findBlockByHash(context, chain, hash))

/** An address as every indexer takes it: they refuse bech32 with the prefix of another chain. */
const toHex = (address: string): string => `0x${bytesOf(address) ?? ''}`

/** The requests that the form of a text allows, for each chain. */
function findLookUps(text: string, count: number): LookUp[] {
  const { isHash, height, place, isAddress, isName } = findForm(text)
  return [
    ...(isHash ? [exact((context, chain) => loadIndexed(context, chain, text))] : []),
    ...(height === null ? [] : [exact((context, chain) => findBlock(context, chain, height))]),
    ...(place === null ? [] : [blockAt(place)]),
    ...(isAddress ? [exact((context, chain) => loadCollection(context, chain, toHex(text)))] : []),
    ...(isName && keepLetters(text) ? [collectionsNamed(text, count)] : []),
  ]
}

/** The share of the time of an operation for blocks by hash, which are read after transactions. */
const blockShare = 0.3

/** The matches of a text in the indexers of all chains, and the errors of chains. */
export async function searchChains(
  context: Context,
  text: string,
  count: number,
): Promise<{ readonly found: readonly SearchHit[]; readonly errors: ReadonlyMap<string, unknown> }> {
  const errors = new Map<string, unknown>()
  const onEachChain = async (lookUps: readonly LookUp[], share?: number): Promise<SearchHit[]> => {
    const chains = [...context.network.chains.values()].filter(({ chainId }) => !errors.has(chainId))
    const found = await Promise.all(
      chains.flatMap((chain) =>
        lookUps.map((lookUp) =>
          withinShare(context, chain.chainId, () => lookUp(context, chain), share).catch((error: unknown) => {
            errors.set(chain.chainId, error)
            return []
          }),
        ),
      ),
    )
    return found.flat()
  }
  const found = await onEachChain(findLookUps(text, count))
  if (!findForm(text).isHash || found.length > 0) return { found, errors }
  return { found: await onEachChain([blockWithHash(text)], blockShare), errors }
}
