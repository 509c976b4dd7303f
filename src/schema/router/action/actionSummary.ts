import type { ActionAmount } from '#words/actions/action'
import {
  ownFirst,
  type SummaryPart as Part,
  rawAmount,
  summaryOf,
  summaryParts,
  type Wording,
  type WriteAmount,
  wholeAmount,
} from '#words/actions/summary'
import { isSameAddress } from '#words/addresses/bytes'
import type { DenomOf } from '#words/balanceChanges/denoms'
import { builder, type Context } from '../../../engine/graphql/builder.ts'
import { described } from '../../../engine/graphql/described.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { type Awaitable, withValue } from '../../../kit/awaitable.ts'
import { ChainAccount, chainAccountOf } from '../../account/chainAccount.ts'
import { inWholeUnits } from '../../amount/decimal.ts'
import { Chain } from '../../chain/chain.ts'
import { type ActionShape, NftOfAction, TransactionAction } from '../../indexer/actions/transactionAction.ts'
import { validatorName } from '../../indexer/block/validatorNames.ts'
import { Coin } from '../../indexer/coin.ts'
import type { ChainAssets } from '../catalog.ts'
import { loadChainBehind, loadCoins } from './actionAmounts.ts'
import { findDenom, isOfContract, loadNames, noNames, soonKnown } from './denomNames.ts'

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

/** How the sentence of an action is written, with the symbols of amounts if the list of assets is there soon. */
function loadWording(shape: ActionShape, context: Context): Awaitable<Wording> {
  const { chain, action } = shape
  const amounts = [...(action.amounts ?? []), ...(action.received ?? [])]
  const wordingWith = (assets: ChainAssets | null) => {
    const names = amounts.some(isOfContract) ? loadNames(context, shape, assets) : noNames
    return withValue(names, (denomNameOf) => ({
      writeAmount: writerWith(assets, denomNameOf),
      rankOf: rankWith(assets, denomNameOf, chain),
      nameOf: (address: string) => validatorName(context, chain, address),
      nameOfFunction: context.nameOfFunction,
    }))
  }
  return amounts.length > 0 ? withValue(soonKnown(context, chain), wordingWith) : wordingWith(null)
}

/** A part of the sentence of an action. */
interface PartShape {
  readonly of: ActionShape
  readonly part: Part
}

const kinds = {
  TEXT: 'Words that name nothing.',
  ACCOUNT: 'An account on this chain, or an address of unknown kind.',
  CONTRACT: 'The contract or Move module of the action.',
  COLLECTION: 'The collection of an NFT of the action.',
  OBJECT: 'An object of a Move chain.',
  VALIDATOR: 'A validator, by its name once the gateway has read one of its blocks.',
  REMOTE_ACCOUNT: 'The party on another chain of a bridge.',
  CHANNEL: 'An IBC channel of this chain, or a light client by IBC v2.',
  NFT: 'An NFT, by its token id.',
  AMOUNT: 'An amount with its symbol, or in base units.',
}

type Kind = keyof typeof kinds

const SummaryPartKind = builder.enumType('SummaryPartKind', {
  description: 'The kind of a part of a sentence.',
  values: described(kinds),
})

function kindOf({ of: { action }, part: { names } }: PartShape): Kind {
  if (!names) return 'TEXT'
  if ('amount' in names) return 'AMOUNT'
  if ('nft' in names) return 'NFT'
  if ('channel' in names) return 'CHANNEL'
  if ('remoteAddress' in names) return 'REMOTE_ACCOUNT'
  const { address } = names
  const isSame = (other: string | null | undefined) => isSameAddress(address, other)
  if (isSame(action.validator) || /^[a-z]+(valoper|cncl)1/.test(address)) return 'VALIDATOR'
  if (action.nfts?.some(({ collection }) => isSame(collection))) return 'COLLECTION'
  if (action.nfts?.some(({ objectAddress }) => isSame(objectAddress))) return 'OBJECT'
  return isSame(action.contract) ? 'CONTRACT' : 'ACCOUNT'
}

const SummaryPart = builder.objectRef<PartShape>('SummaryPart').implement({
  description: 'A part of a sentence. The texts of all parts together are the sentence.',
  fields: (t) => ({
    text: t.value('String', 'The text as it stands in the sentence.', ({ part }) => part.text),
    kind: t.value(SummaryPartKind, 'Its kind.', kindOf),
    address: t.nullable(
      'Address',
      'The whole of an address, as the transaction writes it. Null for what is no address.',
      ({ part: { names } }) => {
        if (names && 'remoteAddress' in names) return names.remoteAddress
        return names && 'address' in names ? names.address : null
      },
    ),
    account: t.nullable(
      ChainAccount,
      'The account, contract, collection or object on this chain. Null for others.',
      (shape) => {
        const { of, part } = shape
        const isHere = part.names && 'address' in part.names && kindOf(shape) !== 'VALIDATOR'
        return isHere ? chainAccountOf(of.chain, part.names.address) : null
      },
    ),
    amount: t.nullable(
      Coin,
      'The amount. Null for others, and if it needs the list of assets and that fails, which is an error.',
      ({ of, part: { names } }, _args, context) =>
        names && 'amount' in names ? withValue(loadCoins(of, [names.amount], context), ([coin]) => coin) : null,
    ),
    nft: t.nullable(NftOfAction, 'The NFT. Null for others.', ({ of: { chain }, part: { names } }) =>
      names && 'nft' in names ? { chain, nft: names.nft } : null,
    ),
    chain: t.nullable(
      Chain,
      'The chain behind a channel. Null if unknown.',
      ({ of, part: { names } }, _args, context) =>
        names && 'channel' in names ? loadChainBehind(context, of.chain, names.channel) : null,
    ),
  }),
})

builder.objectFields(TransactionAction, (t) => ({
  summary: t.value(
    'String',
    'A plain sentence without its subject, such as `Delegated 12 INIT to Polaris`. Amounts of unlisted assets are in base units. A validator has its address until the gateway has read one of its blocks.',
    (shape, _args, context) => withValue(loadWording(shape, context), (wording) => summaryOf(shape.action, wording)),
  ),
  summaryParts: t.value(
    [SummaryPart],
    'The sentence in its parts, so that a page can make links of what it names, and write amounts as its reader does.',
    (of, _args, context) =>
      withValue(loadWording(of, context), (wording) => summaryParts(of.action, wording).map((part) => ({ of, part }))),
  ),
}))
