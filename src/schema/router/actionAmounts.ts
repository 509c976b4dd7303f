import type { ActionAmount } from '../../actions/action.ts'
import { rawAmount, summaryOf, type WriteAmount, wholeAmount } from '../../actions/summary.ts'
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

const assetOfAmount = (assets: ChainAssets | null, { denom, metadata }: ActionAmount) => {
  if (denom !== null) return assets?.find(denom) ?? null
  const found = metadata && assets?.known.ofMetadata(metadata.replace('0x', ''))
  return found ? (assets?.find(found) ?? null) : null
}

/** Writes amounts with the symbols and decimal places of a list of assets. */
const writerWith =
  (assets: ChainAssets | null): WriteAmount =>
  (amount) => {
    const asset = assetOfAmount(assets, amount)
    const symbol = asset?.recommended_symbol ?? asset?.symbol
    const decimals = asset?.decimals ?? null
    const whole = decimals === null ? null : inWholeUnits(amount.amount, decimals)
    return symbol && whole !== null ? wholeAmount(whole, symbol) : rawAmount(amount)
  }

/**
 * The coins of an action. A Move token that no list names has the denom that the chain makes of its metadata: see
 * `x/move/types/denom.go` of Initia.
 */
async function coinsOf(
  { chain }: ActionShape,
  amounts: readonly ActionAmount[] = [],
  context: Context,
): Promise<CoinShape[]> {
  const isByMetadata = amounts.some(({ denom }) => denom === null)
  const assets = isByMetadata ? await assetsOf(context, chain) : null
  return amounts.flatMap((each) => {
    const denom = each.denom ?? assetOfAmount(assets, each)?.denom ?? denomOf(each)
    return denom ? [{ chainId: chain.chainId, denom, amount: each.amount }] : []
  })
}

const denomOf = ({ metadata }: ActionAmount) => metadata?.replace('0x', 'move/')

const unlisted = 'Null, with an error, if Move tokens cannot be named.'

builder.objectFields(TransactionAction, (t) => ({
  summary: t.string({
    description:
      'A plain sentence without its subject, such as `Delegated 12 INIT to Polaris`. Amounts of unlisted assets are in base units. A validator has its address until the gateway has read one of its blocks.',
    resolve: async ({ chain, action }, _args, context) => {
      const hasAmounts = (action.amounts?.length ?? 0) + (action.received?.length ?? 0) > 0
      const writeAmount = writerWith(hasAmounts ? await soonKnown(context, chain) : null)
      return summaryOf(action, writeAmount, (address) => validatorName(context, chain, address))
    },
  }),
  amounts: t.field({
    type: [Coin],
    nullable: true,
    description: `Coins and tokens given, moved, approved or received over a bridge. ${unlisted}`,
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
