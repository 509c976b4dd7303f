import { type AssetTransferParts, withoutFee, withoutTwins } from '../../values/assetTransfers.ts'

interface Side {
  readonly address: string
  readonly hexAddress?: string | null
}

interface AssetIdentity {
  readonly denom?: string | null
  readonly amount?: string | null
  readonly tokenId?: string | null
  readonly objectAddress?: string | null
  readonly contract?: { readonly address: string } | null
  readonly collection?: { readonly address: string } | null
}

/** A transfer between two accounts, as an upstream reports it. */
export interface ReportedTransfer extends AssetTransferParts, AssetIdentity {
  readonly from?: Side | null
  readonly to?: Side | null
}

/** What one account lost or got of an asset. */
export interface BalanceChange extends AssetIdentity {
  readonly kind: string
  readonly account?: Side | null
}

/** An asset that went from one account to another. A side is unknown or none where it was made, burnt or held. */
export interface AssetTransfer<Of> {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly of: Of
}

/** What an asset is called, equal for a coin of an EVM chain and its contract. */
const assetOf = ({ denom, contract, collection, tokenId, objectAddress }: AssetIdentity): string => {
  const place = objectAddress ?? collection?.address ?? contract?.address ?? denom ?? ''
  return `${place.toLowerCase().replace(/^evm\//, '0x')}#${tokenId ?? ''}`
}

const isLoss = ({ amount }: AssetIdentity) => amount?.startsWith('-') ?? false
const sizeOf = ({ amount }: AssetIdentity) => amount?.replace('-', '')

/**
 * The asset transfers of a transaction, each once and without the fee: of coins, of tokens that no coin stands for, and what
 * only the balance changes show, such as objects, and coins that were made or burnt. A loss and a gain of the same asset are
 * one transfer.
 */
export function listAssetTransfers<
  Coin extends ReportedTransfer,
  Token extends ReportedTransfer,
  Change extends BalanceChange,
>({
  coins,
  tokens,
  changes,
  fee,
}: {
  coins: readonly Coin[]
  tokens: readonly Token[]
  changes: readonly Change[]
  fee: Parameters<typeof withoutFee>[1]
}): readonly AssetTransfer<Coin | Token | Change>[] {
  const moved = withoutFee(coins, fee)
  const transfers = [...moved, ...withoutTwins(tokens, moved)]
  const told = new Set(
    transfers.flatMap((one) => [one.from, one.to].map((side) => `${side?.hexAddress} ${assetOf(one)}`)),
  )
  const untold = changes.filter(
    (change) => change.kind !== 'FEE' && !told.has(`${change.account?.hexAddress} ${assetOf(change)}`),
  )
  const gains = untold.filter((change) => !isLoss(change))
  const pairs = untold.filter(isLoss).map((loss) => {
    const at = gains.findIndex((gain) => assetOf(gain) === assetOf(loss) && sizeOf(gain) === sizeOf(loss))
    const [gain] = at < 0 ? [] : gains.splice(at, 1)
    return { from: loss.account?.address, to: gain?.account?.address, of: gain ?? loss }
  })
  return [
    ...transfers.map((of) => ({ from: of.from?.address, to: of.to?.address, of })),
    ...pairs,
    ...gains.map((of) => ({ from: undefined, to: of.account?.address, of })),
  ]
}

/** An amount without its sign, as what went from one account to another has it. */
export function unsigned<Of extends { readonly [name in 'amount' | 'formattedAmount' | 'usdValue']?: string | null }>(
  of: Of,
): Of {
  const { amount, formattedAmount, usdValue } = of
  const all = { ...(amount && { amount }), ...(formattedAmount && { formattedAmount }), ...(usdValue && { usdValue }) }
  return { ...of, ...Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value.replace('-', '')])) }
}

/** What the payer was charged, by the balances: it can be less than the fee that a transaction offers. */
export const chargedOf = <Change extends BalanceChange>(changes: readonly Change[]): readonly Change[] =>
  changes.filter((change) => change.kind === 'FEE' && isLoss(change))
