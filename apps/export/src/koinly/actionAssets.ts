import { PortolanError } from '@portolan/client/errors'
import { assetIdOf } from '#kit/activityTable'
import { type ReadOptions, readPages } from '../readPages.ts'
import type { Source } from '../subjects/subject.ts'
import { type Action, type ActionAmount, assetFields, type KoinlyAsset, type KoinlyEdge } from './koinlyEdge.ts'

/** Finds an asset by its denom on a chain. Null if no list has it. */
export type FindAsset = (chainId: string, denom: string) => Promise<KoinlyAsset | null>

/**
 * Adds the assets of amounts in actions of an account, in hex. A change of the same transaction tells nearly all of them, and is
 * read anyway. Others are looked up, which `known` has as promises, so that none is looked up twice.
 */
export async function addAssets(
  { node, ...edge }: KoinlyEdge,
  account: string,
  find: FindAsset,
  known: Map<string, Promise<KoinlyAsset | null>>,
): Promise<KoinlyEdge> {
  const told = new Map((edge.balanceChanges ?? []).map((change) => [assetIdOf(change), change.asset]))
  const { chainId } = edge.chain
  const complete = (all: readonly ActionAmount[] | null) =>
    all &&
    Promise.all(
      all.map(async (amount) => {
        const key = `${chainId}/${amount.denom}`
        if (!told.has(amount.denom) && !known.has(key)) known.set(key, find(chainId, amount.denom))
        return { ...amount, asset: told.get(amount.denom) ?? (await known.get(key)) ?? null }
      }),
    )
  const completeAction = async (action: Action): Promise<Action> =>
    action.isSuccessful && action.actor?.hexAddress === account
      ? { ...action, amounts: await complete(action.amounts), receivedAmounts: await complete(action.receivedAmounts) }
      : action
  return { ...edge, node: node && { ...node, actions: await Promise.all(node.actions.map(completeAction)) } }
}

const document = `query ExportAsset($chainId: ChainId!, $denom: Denom!) {
  asset(chainId: $chainId, denom: $denom) ${assetFields}
}`

/** Looks an asset up in the list of its chain. A gateway without lists knows none. */
export async function findAsset(
  chainId: string,
  denom: string,
  options: Omit<ReadOptions<KoinlyAsset | null>, 'source' | 'after' | 'skipsUnreadable'>,
): Promise<KoinlyAsset | null> {
  const source: Source<KoinlyAsset | null> = {
    document,
    variablesAt: () => ({ chainId, denom }),
    pageIn: (data) => ({
      edges: [(data as { asset?: KoinlyAsset | null } | null)?.asset ?? null],
      ...{ hasNextPage: false, endCursor: null, unavailable: [] },
    }),
    identify: () => undefined,
  }
  try {
    for await (const { edges } of readPages({ ...options, source, after: undefined, skipsUnreadable: false })) {
      return edges[0] ?? null
    }
  } catch (error) {
    if (!(error instanceof PortolanError && error.code === 'NOT_CONFIGURED')) throw error
  }
  options.io.signal.throwIfAborted()
  return null
}
