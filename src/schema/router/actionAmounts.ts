import type { ActionAmount } from '../../actions/action.ts'
import { rawAmount, summaryOf, type WriteAmount, wholeAmount } from '../../actions/summary.ts'
import { denomsOf } from '../../balanceChanges/balanceChanges.ts'
import { type ChangeBounds, UnboundedChanges } from '../../balanceChanges/bound.ts'
import type { DenomOf } from '../../balanceChanges/denoms.ts'
import { builder, type Context } from '../../graphql/builder.ts'
import type { ServedChain } from '../../upstream/network.ts'
import { inWholeUnits } from '../amount/decimal.ts'
import { Chain } from '../chain/chain.ts'
import { chainOf } from '../chain/knownChain.ts'
import { type ActionShape, TransactionAction } from '../indexer/actions/transactionAction.ts'
import { validatorName } from '../indexer/block/validatorNames.ts'
import { Coin, type CoinShape } from '../indexer/coin.ts'
import { type ChainAssets, catalogOf } from './catalog.ts'

/** The assets of a chain. Null if no router is configured. */
const assetsOf = (context: Context, { chainId }: ServedChain): Promise<ChainAssets | null> =>
  context.network.router ? catalogOf(context).assets(chainId) : Promise.resolve(null)

/** The longest wait for the list of assets, without which a sentence has amounts in base units. In milliseconds. */
const waitMs = 1_000

/** The assets of a chain, if the list is there soon. */
const soonKnown = (context: Context, chain: ServedChain): Promise<ChainAssets | null> =>
  context.scope.within({ milliseconds: waitMs }, () => assetsOf(context, chain)).catch(() => null)

/** How much of a transaction is read for its balance changes. */
export const boundsOf = ({ limits }: Pick<Context, 'limits'>): ChangeBounds => ({
  maxHashes: limits.maxBalanceChangeHashes,
  maxAddresses: limits.maxBalanceChangeAddresses,
  maxDenoms: limits.maxBalanceChangeDenoms,
})

/** The names that the balance changes of the same transaction have, found once in an operation. */
function namesOf(context: Context, { transaction }: ActionShape, assets: ChainAssets | null) {
  const key = `denoms of transactions, ${assets ? 'listed' : 'unlisted'}`
  const found = context.scope.memo(key, () => new WeakMap<object, DenomOf>())
  const known = found.get(transaction)
  if (known) return known
  let names: DenomOf | undefined
  const nameOf: DenomOf = (contract) => {
    names ??= denomsOf(transaction, { known: assets?.known ?? null, bounds: boundsOf(context) })
    return names(contract)
  }
  found.set(transaction, nameOf)
  return nameOf
}

/** Whether an amount names a contract, whose denom a list can have. */
const isOfContract = ({ denom, metadata }: ActionAmount): boolean =>
  metadata !== undefined || /^0x|^[a-z]+1[02-9ac-hj-np-z]{38,}$/.test(denom ?? '')

/** The denom of an amount, or the contract or metadata of a token without a known denom. */
function denomOf(amount: ActionAmount, nameOf: DenomOf): string {
  const contract = amount.metadata ?? amount.denom ?? ''
  if (!isOfContract(amount)) return contract
  try {
    return nameOf(contract) ?? contract
  } catch (error) {
    if (!(error instanceof UnboundedChanges)) throw error
    return contract
  }
}

/** Writes amounts with the symbols and decimal places of a list of assets. */
const writerWith =
  (assets: ChainAssets | null, nameOf: DenomOf): WriteAmount =>
  (each) => {
    const denom = denomOf(each, nameOf)
    const asset = assets?.find(denom)
    const symbol = asset?.recommended_symbol ?? asset?.symbol
    const decimals = asset?.decimals ?? null
    const whole = decimals === null ? null : inWholeUnits(each.amount, decimals)
    if (symbol && whole !== null) return wholeAmount(whole, symbol)
    return rawAmount(denom === each.metadata ? each : { ...each, denom })
  }

/** The coins of an action, by the denoms that the balance changes of its transaction have. */
async function coinsOf(
  shape: ActionShape,
  amounts: readonly ActionAmount[] = [],
  context: Context,
): Promise<CoinShape[]> {
  const proven = namesOf(context, shape, null)
  const isUnnamed = (each: ActionAmount) =>
    isOfContract(each) && denomOf(each, proven) === (each.metadata ?? each.denom)
  const assets = amounts.some(isUnnamed) ? await assetsOf(context, shape.chain) : null
  const nameOf = assets ? namesOf(context, shape, assets) : proven
  return amounts.map((each) => ({
    chainId: shape.chain.chainId,
    denom: denomOf(each, nameOf),
    amount: each.amount,
  }))
}

const unlisted =
  'A token without a known denom has its contract or metadata. Null, with an error, if the list of assets fails.'

builder.objectFields(TransactionAction, (t) => ({
  summary: t.string({
    description:
      'A plain sentence without its subject, such as `Delegated 12 INIT to Polaris`. Amounts of unlisted assets are in base units. A validator has its address until the gateway has read one of its blocks.',
    resolve: async (shape, _args, context) => {
      const { chain, action } = shape
      const hasAmounts = (action.amounts?.length ?? 0) + (action.received?.length ?? 0) > 0
      const assets = hasAmounts ? await soonKnown(context, chain) : null
      const writeAmount = writerWith(assets, namesOf(context, shape, assets))
      return summaryOf(action, writeAmount, (address) => validatorName(context, chain, address))
    },
  }),
  amounts: t.field({
    type: [Coin],
    nullable: true,
    description: `Coins and tokens given, moved, approved, received over a bridge or returned. ${unlisted}`,
    resolve: (shape, _args, context) => coinsOf(shape, shape.action.amounts, context),
  }),
  receivedAmounts: t.field({
    type: [Coin],
    nullable: true,
    description: `Coins and tokens from a swap, a pool or rewards. ${unlisted}`,
    resolve: (shape, _args, context) => coinsOf(shape, shape.action.received, context),
  }),
  otherChain: t.field({
    type: Chain,
    nullable: true,
    description:
      'The other chain of a bridge. Null if unknown: see `channel` and `opInitBridgeId`.',
    resolve: async ({ chain, action }, _args, context) => {
      const channel = action.remote?.channel
      const assets = channel ? await assetsOf(context, chain) : null
      const chainId = channel && assets?.chainBehind(channel)
      return chainId ? chainOf(context, chainId) : null
    },
  }),
}))
