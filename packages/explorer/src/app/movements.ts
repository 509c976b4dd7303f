import { type Transferred, withoutFee, withoutTwins } from './tokenTransfers.ts'

interface Side {
  readonly address: string
  readonly hexAddress?: string | null
}

interface Named {
  readonly denom?: string | null
  readonly amount?: string | null
  readonly tokenId?: string | null
  readonly objectAddress?: string | null
  readonly contract?: { readonly address: string } | null
  readonly collection?: { readonly address: string } | null
}

/** A transfer between two accounts, as an upstream reports it. */
export interface Transfer extends Transferred, Named {
  readonly from?: Side | null
  readonly to?: Side | null
}

/** What one account lost or got. */
export interface Change extends Named {
  readonly kind: string
  readonly account?: Side | null
}

/** Something that went from one account to another. A side is unknown or none where a thing was made, burnt or held. */
export interface Movement<Of> {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly of: Of
}

/** What a thing is called, equal for a coin of an EVM chain and its contract. */
const thingOf = ({ denom, contract, collection, tokenId, objectAddress }: Named): string => {
  const place = objectAddress ?? collection?.address ?? contract?.address ?? denom ?? ''
  return `${place.toLowerCase().replace(/^evm\//, '0x')}#${tokenId ?? ''}`
}

const isLoss = ({ amount }: Named) => amount?.startsWith('-') ?? false
const sizeOf = ({ amount }: Named) => amount?.replace('-', '')

/**
 * All that a transaction moved, each thing once and without the fee: transfers of coins, transfers of tokens that no coin
 * stands for, and what only the balances show, such as objects, and coins that were made or burnt. A loss and a gain of the
 * same thing are one movement.
 */
export function movementsOf<Coin extends Transfer, Token extends Transfer, OneChange extends Change>({
  coins,
  tokens,
  changes,
  fee,
}: {
  coins: readonly Coin[]
  tokens: readonly Token[]
  changes: readonly OneChange[]
  fee: Parameters<typeof withoutFee>[1]
}): readonly Movement<Coin | Token | OneChange>[] {
  const moved = withoutFee(coins, fee)
  const transfers = [...moved, ...withoutTwins(tokens, moved)]
  const told = new Set(
    transfers.flatMap((one) => [one.from, one.to].map((side) => `${side?.hexAddress} ${thingOf(one)}`)),
  )
  const untold = changes.filter(
    (change) => change.kind !== 'FEE' && !told.has(`${change.account?.hexAddress} ${thingOf(change)}`),
  )
  const gains = untold.filter((change) => !isLoss(change))
  const pairs = untold.filter(isLoss).map((loss) => {
    const at = gains.findIndex((gain) => thingOf(gain) === thingOf(loss) && sizeOf(gain) === sizeOf(loss))
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
export const chargedOf = <OneChange extends Change>(changes: readonly OneChange[]): readonly OneChange[] =>
  changes.filter((change) => change.kind === 'FEE' && isLoss(change))
