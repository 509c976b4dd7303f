import type { Context } from '../../graphql/builder.ts'
import { chainOf } from '../chain/knownChain.ts'
import type { RouterChainRecord } from '../chain/routerRecords.ts'
import { withinShare } from '../indexer/accounts/chainShare.ts'
import { assetShape } from '../router/asset.ts'
import { type AssetBody, catalogOf } from '../router/catalog.ts'
import { formOf, type Match, matchOf } from './form.ts'
import type { Found } from './found.ts'

/** What the lists of the gateway and of the router have for a text. */
interface Listed {
  readonly found: readonly Found[]
  /** Whether the router did not give a list that was needed. */
  readonly isIncomplete: boolean
}

/** The names of every known chain, those with an indexer first. */
function chainNames({ network }: Context, routed: readonly RouterChainRecord[]) {
  const names = new Map<string, (string | null | undefined)[]>()
  for (const { chainId, name, prettyName } of [
    ...network.chains.values(),
    ...network.listed.values(),
  ]) {
    if (!names.has(chainId)) names.set(chainId, [chainId, name, prettyName])
  }
  for (const { chain_id, chain_name, pretty_name } of routed) {
    names.set(chain_id, [...(names.get(chain_id) ?? [chain_id]), chain_name, pretty_name])
  }
  return names
}

/** A list of the router. Undefined without a router, and null if it does not respond. */
const fromRouter = async <T>(
  context: Context,
  load: () => Promise<T>,
): Promise<T | null | undefined> =>
  context.network.router && withinShare(context, 'router', load).catch(() => null)

async function findChains(context: Context, text: string, isName: boolean): Promise<Listed> {
  const routed = await fromRouter(context, () => catalogOf(context).chains())
  const found = [...chainNames(context, routed?.all ?? [])].flatMap(([chainId, names]): Found[] => {
    const match = matchOf(text, isName ? names : [chainId])
    if (!isWanted(match, isName)) return []
    const chain = chainOf(context, chainId)
    return [{ node: chain, match, chain }]
  })
  return { found, isIncomplete: routed === null }
}

/** Sorts first what indexers of this gateway serve, and the asset itself before what bridges made of it elsewhere. */
const placeOf = ({ network }: Context, asset: AssetBody): number => {
  const { chain_id, origin_chain_id } = asset
  const isOrigin = origin_chain_id === null || origin_chain_id === chain_id
  return (network.chains.has(chain_id) ? 0 : 2) + (isOrigin ? 0 : 1)
}

async function findAssets(context: Context, text: string, isName: boolean): Promise<Listed> {
  const assets = await fromRouter(context, () => catalogOf(context).allAssets())
  const found = (assets ?? []).flatMap((body) => {
    const { denom, token_contract, symbol, recommended_symbol, name, hidden } = body
    const ids = [denom, token_contract]
    const match = matchOf(text, isName ? [...ids, symbol, recommended_symbol, name] : ids)
    if (!isWanted(match, isName) || (hidden && match !== 'EXACT')) return []
    const result: Found = { node: assetShape(body), match, chain: chainOf(context, body.chain_id) }
    return [{ place: placeOf(context, body), result }]
  })
  return {
    found: found.toSorted((a, b) => a.place - b.place).map(({ result }) => result),
    isIncomplete: assets === null,
  }
}

/** Part of an id is not enough where the text can only be a whole id. */
const isWanted = (match: Match | null, isName: boolean): match is Match =>
  match === 'EXACT' || (isName && match !== null)

/** The chains and assets that match a text, from lists that are kept for some minutes. */
export async function searchLists(context: Context, text: string): Promise<Listed> {
  const { isChainId, isDenom, isName } = formOf(text)
  const lists = await Promise.all([
    ...(isChainId ? [findChains(context, text, isName)] : []),
    ...(isDenom ? [findAssets(context, text, isName)] : []),
  ])
  return {
    found: lists.flatMap(({ found }) => found),
    isIncomplete: lists.some(({ isIncomplete }) => isIncomplete),
  }
}
