interface Side {
  readonly hexAddress?: string | null
}

/** A transfer of coins or tokens, as far as it is compared with others. */
export interface AssetTransferParts {
  readonly from?: Side | null
  readonly to?: Side | null
  readonly amount?: string | null
}

const keyOf = ({ from, to, amount }: AssetTransferParts) => `${from?.hexAddress} ${to?.hexAddress} ${amount}`

/** The transfers that `others` does not have. The coins of an EVM chain are tokens too, so both lists have the same ones. */
export function withoutTwins<One extends AssetTransferParts>(
  list: readonly One[],
  others: readonly AssetTransferParts[],
): readonly One[] {
  const twins = others.map(keyOf)
  return list.filter((one) => {
    const at = twins.indexOf(keyOf(one))
    if (at >= 0) twins.splice(at, 1)
    return at < 0
  })
}

interface Coin {
  readonly amount?: string | null
  readonly denom?: string | null
}

/** Transfers of coins without the first one that paid the fee, which is no transfer of the account to somebody. */
export function withoutFee<One extends AssetTransferParts & Coin>(
  transfers: readonly One[],
  fee: { readonly coins: readonly Coin[]; readonly payer: Side | null | undefined },
): readonly One[] {
  const paid = fee.coins.flatMap(
    (coin) =>
      transfers.find(
        ({ from, amount, denom }) =>
          from?.hexAddress === fee.payer?.hexAddress && amount === coin.amount && denom === coin.denom,
      ) ?? [],
  )
  return transfers.filter((transfer) => !paid.includes(transfer))
}

export type Direction = 'in' | 'out' | 'self'

/** Which way a transfer goes for an account. Undefined if it is not the account's. */
export function directionOf({ from, to }: AssetTransferParts, hexAddress: string): Direction | undefined {
  const isSent = from?.hexAddress === hexAddress
  const isReceived = to?.hexAddress === hexAddress
  if (isSent) return isReceived ? 'self' : 'out'
  return isReceived ? 'in' : undefined
}
