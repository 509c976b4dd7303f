import type { Context } from '../../engine/graphql/builder.ts'
import type { NodeShape } from '../../engine/graphql/node.ts'
import { badInput } from '../../engine/upstream/error.ts'
import type { ListedChain, Network, ServedChain } from '../../engine/upstream/network.ts'
import { readValue } from '../../engine/upstream/upstreamError.ts'
import type { Optional } from '../../engine/wire/optional.ts'
import { loadRouterRecord, type RouterChainRecord } from './routerRecords.ts'

/** The graph's value for a chain. Nothing but its id need be known. */
export interface ChainShape extends NodeShape<'Chain'> {
  readonly chainId: string
  /** The chain in the configuration or registry. Null for any other chain. */
  readonly listed: ListedChain | null
  /** Null for a chain without an indexer. */
  readonly served: ServedChain | null
}

/** The graph's value for a chain with an indexer. */
export const chainShape = (served: ServedChain): ChainShape => ({
  __typename: 'Chain',
  chainId: served.chainId,
  listed: served,
  served,
})

/** The graph's value for the chain with that id, whatever is known of it. */
export function chainOf({ network }: { readonly network: Network }, chainId: string): ChainShape {
  const served = network.chains.get(chainId)
  if (served) return chainShape(served)
  const listed = network.listed.get(chainId) ?? null
  return { __typename: 'Chain', chainId, listed, served: null }
}

/** The chain with that id. Null if no indexer, registry or router knows it. */
export async function findChain(context: Context, chainId: string): Promise<ChainShape | null> {
  const chain = chainOf(context, chainId)
  return chain.listed || (await loadRouterRecord(context, chainId)) ? chain : null
}

/** Throws `BAD_USER_INPUT` for a chain that nobody knows. While the router is unavailable, any chain may exist. */
export async function assertKnown(context: Context, chainId: string): Promise<void> {
  const isKnown = await findChain(context, chainId).then(
    (chain) => chain !== null,
    () => true,
  )
  if (isKnown) return
  throw badInput(`No indexer, registry or router knows the chain ${chainId}.`, 'UNKNOWN_CHAIN')
}

/** A resolver that reads the configuration or registry, or else asks the router. */
export const known =
  <T>(ofList: (chain: ListedChain) => T | undefined, ofRouter: (chain: RouterChainRecord) => Optional<T>) =>
  ({ chainId, listed }: ChainShape, _args: object, context: Context): T | Promise<T | null> =>
    (listed && ofList(listed)) ??
    loadRouterRecord(context, chainId).then((record) => readValue('router', record && ofRouter(record)))

/** Like `known`, for lists: that of the configuration or registry, unless it is empty. Null for an unknown chain. */
export const knownList = <T>(
  ofList: (chain: ListedChain) => readonly T[],
  ofRouter: (chain: RouterChainRecord) => T[],
) => {
  const find = known<T[]>((chain) => (ofList(chain).length > 0 ? [...ofList(chain)] : undefined), ofRouter)
  return async (chain: ChainShape, args: object, context: Context): Promise<T[] | null> =>
    (await find(chain, args, context)) ?? (chain.listed && [])
}

const chainKinds = { cosmos: 'COSMOS', evm: 'EVM', svm: 'SVM' } as const

/** The family of a chain. */
export type ChainKind = 'COSMOS' | 'EVM' | 'SVM' | 'UNKNOWN'

/** The family in the words of the graph, from those of the router. */
export const kindOf = ({ chain_type }: Pick<RouterChainRecord, 'chain_type'>): ChainKind =>
  Object.entries(chainKinds).find(([type]) => type === chain_type)?.[1] ?? 'UNKNOWN'

/** The family of a chain. Registries and indexers are of Cosmos chains only. */
export const findFamily = async (context: Context, chain: ChainShape): Promise<ChainKind> => {
  if (chain.listed) return 'COSMOS'
  const record = await loadRouterRecord(context, chain.chainId)
  return record ? kindOf(record) : 'UNKNOWN'
}
