import type { ActionAmount } from '#words/action'
import { denomsOf } from '#words/balance-changes'
import { type ChangeBounds, UnboundedChanges } from '#words/bound'
import type { DenomOf } from '#words/denoms'
import { ownFirst, rawAmount, summaryOf, type WriteAmount, wholeAmount } from '#words/summary'
import { builder, type Context } from '../../engine/graphql/builder.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { ifReadable } from '../../engine/wire/optional.ts'
import { type Awaitable, withValue } from '../../kit/awaitable.ts'
import type { Steps } from '../../kit/clock/steps.ts'
import { inWholeUnits } from '../amount/decimal.ts'
import { Chain } from '../chain/chain.ts'
import { chainOf } from '../chain/knownChain.ts'
import { type ActionShape, TransactionAction } from '../indexer/actions/transactionAction.ts'
import { validatorName } from '../indexer/block/validatorNames.ts'
import { Coin, type CoinShape } from '../indexer/coin.ts'
import { type ChainAssets, loadedAssets } from './catalog.ts'

/** The assets of a chain. Null if no router is configured. */
const loadAssets = (context: Context, { chainId }: Pick<ServedChain, 'chainId'>): Awaitable<ChainAssets | null> =>
  context.network.router ? loadedAssets(context, chainId) : null

/** The longest wait for the list of assets, without which a sentence has amounts in base units. In milliseconds. */
const waitMs = 1_000

/** The assets of a chain, if the list is there soon. */
const soonKnown = (context: Context, chain: Pick<ServedChain, 'chainId'>): Awaitable<ChainAssets | null> =>
  context.scope.memory.load(`soon known assets of ${chain.chainId}`, () =>
    context.scope.within({ milliseconds: waitMs }, async () => loadAssets(context, chain)).catch(() => null),
  )

/** How much of a transaction is read for its balance changes. */
export const boundsOf = ({ limits }: Pick<Context, 'limits'>): ChangeBounds => ({
  maxHashes: limits.maxBalanceChangeHashes,
  maxAddresses: limits.maxBalanceChangeAddresses,
  maxDenoms: limits.maxBalanceChangeDenoms,
  maxRows: limits.maxListRows,
})

/** Names no coin, for a transaction with too much to read. */
const noNames: DenomOf = () => null

/** The names that the balance changes of the same transaction have, found once in an operation. */
function loadNames(context: Context, { transaction }: ActionShape, assets: ChainAssets | null): Awaitable<DenomOf> {
  const key = `denoms of transactions, ${assets ? 'listed' : 'unlisted'}`
  const found = context.scope.memory.get(key, () => new WeakMap<object, Awaitable<DenomOf>>())
  const options = { known: assets?.known ?? null, bounds: boundsOf(context) }
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
const isOfContract = ({ denom, metadata }: ActionAmount): boolean =>
  metadata !== undefined || /^0x|^[a-z]+1[02-9ac-hj-np-z]{38,}$/.test(denom ?? '')

/** The denom of an amount, or the contract or metadata of a token without a known denom. */
function findDenom(amount: ActionAmount, nameOf: DenomOf): string {
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
    const denom = findDenom(each, nameOf)
    const asset = assets?.find(denom)
    const symbol = ifReadable(asset?.recommended_symbol) ?? ifReadable(asset?.symbol)
    const decimals = ifReadable(asset?.decimals)
    const whole = decimals === null ? null : inWholeUnits(each.amount, decimals)
    if (symbol && whole !== null) return wholeAmount(whole, symbol)
    return rawAmount(denom === each.metadata ? each : { ...each, denom })
  }

/** The place of an amount in a sentence: coins of the chain itself, coins that are listed, others. */
const rankWith =
  (assets: ChainAssets | null, nameOf: DenomOf, { chainId }: ServedChain) =>
  (each: ActionAmount): number => {
    const asset = assets?.find(findDenom(each, nameOf))
    if (!asset) return 2 * ownFirst(each)
    return asset.origin_chain_id === chainId ? 0 : 1
  }

/** Writes amounts of coins of a chain, with their symbols if the list of assets is there soon. */
export const loadWriter = (context: Context, chainId: string): Awaitable<WriteAmount> =>
  withValue(soonKnown(context, { chainId }), (assets) => writerWith(assets, noNames))

/** The coins of an action, by the denoms that the balance changes of its transaction have. */
function loadCoins(
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

const unlisted =
  'A token without a known denom has its contract or metadata. Null, with an error, if the list of assets fails.'

builder.objectFields(TransactionAction, (t) => ({
  summary: t.value(
    'String',
    'A plain sentence without its subject, such as `Delegated 12 INIT to Polaris`. Amounts of unlisted assets are in base units. A validator has its address until the gateway has read one of its blocks.',
    (shape, _args, context) => {
      const { chain, action } = shape
      const amounts = [...(action.amounts ?? []), ...(action.received ?? [])]
      const write = (assets: ChainAssets | null) => {
        const names = amounts.some(isOfContract) ? loadNames(context, shape, assets) : noNames
        return withValue(names, (nameOf) =>
          summaryOf(action, {
            writeAmount: writerWith(assets, nameOf),
            rankOf: rankWith(assets, nameOf, chain),
            nameOf: (address) => validatorName(context, chain, address),
            nameOfFunction: context.nameOfFunction,
          }),
        )
      }
      return amounts.length > 0 ? withValue(soonKnown(context, chain), write) : write(null)
    },
  ),
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
    async ({ chain, action }, _args, context) => {
      const channel = action.remote?.channel
      const assets = channel ? await loadAssets(context, chain) : null
      const chainId = channel && assets?.chainBehind(channel)
      return chainId ? chainOf(context, chainId) : null
    },
  ),
}))
