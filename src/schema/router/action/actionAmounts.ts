import type { ActionAmount } from '#words/actions/action'
import type { DenomOf } from '#words/balanceChanges/denoms'
import { builder, type Context } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import type { Awaitable } from '../../../kit/awaitable.ts'
import { Chain } from '../../chain/chain.ts'
import { type ChainShape, chainOf } from '../../chain/knownChain.ts'
import { type ActionShape, TransactionAction } from '../../indexer/actions/transactionAction.ts'
import { Coin, type CoinShape } from '../../indexer/coin.ts'
import { findDenom, isOfContract, loadAssets, loadNames, noNames } from './denomNames.ts'

/** The coins of an action, by the denoms that the balance changes of its transaction have. */
export function loadCoins(
  shape: ActionShape,
  amounts: readonly ActionAmount[] = [],
  context: Context,
): Awaitable<CoinShape[]> {
  if (amounts.some(isOfContract)) return namedCoins(shape, amounts, context)
  return amounts.map((each) => toCoin(shape, each, noNames))
}

async function namedCoins(
  shape: ActionShape,
  amounts: readonly ActionAmount[],
  context: Context,
): Promise<CoinShape[]> {
  const proven = await loadNames(context, shape, null)
  const isUnnamed = (each: ActionAmount) =>
    isOfContract(each) && findDenom(each, proven) === (each.metadata ?? each.denom)
  const assets = amounts.some(isUnnamed) ? await loadAssets(context, shape.chain) : null
  const nameOf = assets ? await loadNames(context, shape, assets) : proven
  return amounts.map((each) => toCoin(shape, each, nameOf))
}

const toCoin = ({ chain }: ActionShape, amount: ActionAmount, nameOf: DenomOf): CoinShape => ({
  chainId: chain.chainId,
  denom: findDenom(amount, nameOf),
  amount: amount.amount,
})

/** The chain that a channel leads to, by the router's assets. Null if unknown. */
export async function loadChainBehind(
  context: Context,
  chain: ServedChain,
  channel: string,
): Promise<ChainShape | null> {
  const assets = await loadAssets(context, chain)
  const chainId = assets?.chainBehind(channel)
  return chainId ? chainOf(context, chainId) : null
}

const unlisted =
  'A token without a known denom has its contract or metadata. Null, with an error, if the list of assets fails.'

builder.objectFields(TransactionAction, (t) => ({
  amounts: t.nullable(
    [Coin],
    `Coins and tokens given, moved, approved, received over a bridge or returned. ${unlisted}`,
    (shape, _args, context) => loadCoins(shape, shape.action.amounts, context),
  ),
  receivedAmounts: t.nullable(
    [Coin],
    `Coins and tokens from a swap, a pool, rewards or a call. ${unlisted}`,
    (shape, _args, context) => loadCoins(shape, shape.action.received, context),
  ),
  otherChain: t.nullable(
    Chain,
    'The other chain of a bridge. Null if unknown: see `channel` and `opInitBridgeId`.',
    ({ chain, action }, _args, context) => {
      const channel = action.remote?.channel
      return channel ? loadChainBehind(context, chain, channel) : null
    },
  ),
}))
