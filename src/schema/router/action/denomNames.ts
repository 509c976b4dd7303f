import type { Steps } from '#kit/steps'
import type { ActionAmount } from '#words/actions/action'
import { denomsOf } from '#words/balanceChanges/balanceChanges'
import { UnboundedChanges } from '#words/balanceChanges/bound'
import type { DenomOf } from '#words/balanceChanges/denoms'
import type { Context } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import type { Awaitable } from '../../../kit/awaitable.ts'
import type { ActionShape } from '../../indexer/actions/transactionAction.ts'
import { type ChainAssets, loadedAssets } from '../catalog.ts'

/** The assets of a chain. Null if no router is configured. */
export const loadAssets = (
  context: Context,
  { chainId }: Pick<ServedChain, 'chainId'>,
): Awaitable<ChainAssets | null> => (context.network.router ? loadedAssets(context, chainId) : null)

/** The longest wait for the list of assets, without which a sentence has amounts in base units. In milliseconds. */
const waitMs = 1_000

/** The assets of a chain, if the list is there soon. */
export const soonKnown = (context: Context, chain: Pick<ServedChain, 'chainId'>): Awaitable<ChainAssets | null> =>
  context.scope.memory.load(`soon known assets of ${chain.chainId}`, () =>
    context.scope.within({ milliseconds: waitMs }, async () => loadAssets(context, chain)).catch(() => null),
  )

/** Names no coin, for a transaction with too much to read. */
export const noNames: DenomOf = () => null

/** The names that the balance changes of the same transaction have, found once in an operation. */
export function loadNames(
  context: Context,
  { transaction }: ActionShape,
  assets: ChainAssets | null,
): Awaitable<DenomOf> {
  const key = `denoms of transactions, ${assets ? 'listed' : 'unlisted'}`
  const found = context.scope.memory.get(key, () => new WeakMap<object, Awaitable<DenomOf>>())
  const options = { known: assets?.known ?? null }
  const names = found.get(transaction) ?? context.scope.work.run(readNames(transaction, options))
  found.set(transaction, names)
  return names
}

function* readNames(...input: Parameters<typeof denomsOf>): Steps<DenomOf> {
  try {
    return yield* denomsOf(...input)
  } catch (error) {
    if (!(error instanceof UnboundedChanges)) throw error
    return noNames
  }
}

/** Whether an amount names a contract, whose denom a list can have. */
export const isOfContract = ({ denom, metadata }: ActionAmount): boolean =>
  metadata !== undefined || /^0x|^[a-z]+1[02-9ac-hj-np-z]{38,}$/.test(denom ?? '')

/** The denom of an amount, or the contract or metadata of a token without a known denom. */
export function findDenom(amount: ActionAmount, nameOf: DenomOf): string {
  const contract = amount.metadata ?? amount.denom ?? ''
  if (!isOfContract(amount)) return contract
  try {
    return nameOf(contract) ?? contract
  } catch (error) {
    if (!(error instanceof UnboundedChanges)) throw error
    return contract
  }
}
