import type { Context } from '../../engine/graphql/builder.ts'
import { scan, splitIntoChunks } from '../../engine/graphql/chunks.ts'
import { GatewayError } from '../../engine/upstream/error.ts'
import { ifReadable } from '../../engine/wire/optional.ts'
import { chainOf } from '../chain/knownChain.ts'
import { labelText, type Match, matchIn } from '../chain/labels.ts'
import type { RouterChainRecord } from '../chain/routerRecords.ts'
import { withinShare } from '../indexer/accounts/chainShare.ts'
import { faultOf } from '../indexer/accounts/unavailable.ts'
import { assetShape } from '../router/asset/asset.ts'
import { type AssetBody, openCatalog } from '../router/catalog.ts'
import { findForm } from './form.ts'
import type { SearchHit } from './found.ts'

/** The most results of one search. */
export const maxResults = 50

/** The matches of a text in the lists of the gateway and of the router. */
interface SearchResults {
  /** Of each kind and match, as many as show that there are more than a search gives. */
  readonly found: readonly SearchHit[]
  /** Why the router did not give a list that was needed. */
  readonly fault: GatewayError | undefined
}

/** The ids and the names of every known chain, those with an indexer first. */
function chainNames({ network }: Context, routed: readonly RouterChainRecord[]) {
  const names = new Map<string, (string | null | undefined)[]>()
  for (const { chainId, name, prettyName } of [...network.chains.values(), ...network.listed.values()]) {
    if (!names.has(chainId)) names.set(chainId, [chainId, name, prettyName])
  }
  for (const { chain_id, chain_name, pretty_name } of routed) {
    names.set(chain_id, [...(names.get(chain_id) ?? [chain_id]), ifReadable(chain_name), ifReadable(pretty_name)])
  }
  return splitIntoChunks([...names], ([chainId, all]) => ({ chainId, labels: labelText(all) }))
}

/** A list of the router, or why it cannot be read. Undefined without a router. */
const fromRouter = async <T extends object>(
  context: Context,
  load: () => Promise<T>,
): Promise<T | GatewayError | undefined> =>
  context.network.router && withinShare(context, 'router', load).catch(routerFault)

/** Why the router cannot be read. */
export const routerFault = (error: unknown): GatewayError => faultOf(error, 'The router could not be read.')

/** The best of what a search finds in a list, by how well it matches and by place. */
function createBest<T>() {
  const groups = new Map<string, { match: Match; place: number; items: T[] }>()
  return {
    add(match: Match, place: number, item: T) {
      const name = `${match} ${place}`
      const group = groups.get(name) ?? { match, place, items: [] }
      groups.set(name, group)
      // One more shows that there are more.
      if (group.items.length <= maxResults) group.items.push(item)
    },
    /** All kept items, lower ranks first. */
    list: () =>
      [...groups.values()]
        .toSorted((a, b) => a.place - b.place)
        .flatMap(({ match, items }) => items.map((item) => ({ match, item }))),
  }
}

async function findChains(context: Context, text: string, isName: boolean): Promise<SearchResults> {
  const answer = await fromRouter(context, () => openCatalog(context).chains())
  const fault = answer instanceof GatewayError ? answer : undefined
  const routed = answer instanceof GatewayError ? undefined : answer
  const names = context.scope.memory.get(`names of ${routed ? 'all' : 'our'} chains`, () =>
    chainNames(context, routed?.all ?? []),
  )
  const matchOf = matchIn(text)
  const isId = sameAs(text)
  const best = createBest<string>()
  await scan(context, names, ({ chainId, labels }) => {
    const match = matchOf(labels)
    if (match && (isName || isId(chainId))) best.add(match, 0, chainId)
  })
  const found = best.list().map(({ match, item }): SearchHit => {
    const chain = chainOf(context, item)
    return { node: chain, match, chain }
  })
  return { found, fault }
}

/** Sorts first what indexers of this gateway serve, and the asset itself before what bridges made of it elsewhere. */
const findPlace = ({ network }: Context, asset: AssetBody): number => {
  const { chain_id, origin_chain_id } = asset
  const isOrigin = (ifReadable(origin_chain_id) ?? chain_id) === chain_id
  return (network.chains.has(chain_id) ? 0 : 2) + (isOrigin ? 0 : 1)
}

async function findAssets(context: Context, text: string, isName: boolean): Promise<SearchResults> {
  const assets = await fromRouter(context, () => openCatalog(context).allAssets())
  if (!assets) return { found: [], fault: undefined }
  if (assets instanceof GatewayError) return { found: [], fault: assets }
  const matchOf = matchIn(text)
  const isId = sameAs(text)
  const best = createBest<AssetBody>()
  await scan(context, assets.names, ({ body, labels }) => {
    const match = matchOf(labels)
    if (match === null || (body.hidden && match !== 'EXACT')) return
    if (isName || isId(body.denom) || isId(ifReadable(body.token_contract))) {
      best.add(match, findPlace(context, body), body)
    }
  })
  const found = best.list().map(
    ({ match, item }): SearchHit => ({
      node: assetShape(item),
      match,
      chain: chainOf(context, item.chain_id),
    }),
  )
  return { found, fault: undefined }
}

/** Part of an id is not enough where the text can only be a whole id. */
const sameAs = (text: string) => {
  const id = text.toLowerCase()
  return (other: string | null) => other?.toLowerCase() === id
}

/**
 * The chains and assets that match a text, from lists that are kept for some minutes. An operation that asks for
 * one text several times searches them once.
 */
export const searchLists = (context: Context, text: string): Promise<SearchResults> =>
  context.scope.memory.get(`search for ${text}`, async () => {
    const { isChainId, isDenom, isName } = findForm(text)
    const lists = await Promise.all([
      ...(isChainId ? [findChains(context, text, isName)] : []),
      ...(isDenom ? [findAssets(context, text, isName)] : []),
    ])
    return {
      found: lists.flatMap(({ found }) => found),
      fault: lists.find(({ fault }) => fault)?.fault,
    }
  })
