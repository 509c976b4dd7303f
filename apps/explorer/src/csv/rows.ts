import { activityRows, assetIdOf, type Owner } from '@portolan/kit/activityTable'
import { type Row, toColumns } from '@portolan/kit/table'
import type { CsvActivityQuery, CsvBalancesQuery, CsvTransfersQuery } from '../generated/graphql.ts'
import { isChosenChange, isOfSides, isParty, isToken, type SideChoice } from '../pages/account/balanceChangeFilter.ts'
import { balanceChangeRowOf } from '../pages/account/balanceChangeRow.ts'
import { directionOf, withoutFee, withoutTwins } from '../values/assetTransfers.ts'
import { dataIn, dataOf } from '../values/bech32.ts'

type Found<Query extends { account?: object | null }> = NonNullable<Query['account']>
type ActivityEdge = NonNullable<Found<CsvActivityQuery>['activity']>['edges'][number]
type Change = NonNullable<ActivityEdge['balanceChanges']>[number]
type TransfersEdge = NonNullable<Found<CsvTransfersQuery>['activity']>['edges'][number]
type Balance = NonNullable<Found<CsvBalancesQuery>['balances']>['balances'][number]

/** An account by its address in hex, which knows its own spellings: the same bytes in hex, or in bech32 with any prefix. */
export function ownerOf(hexAddress: string): Owner {
  const data = dataOf(hexAddress)
  return {
    hexAddress,
    isOwn: (address) => address.toLowerCase() === hexAddress || dataIn(address) === data,
  }
}

/** The asset of a change, as its row names it. */
const assetOf = (change: Change) => ({ kind: change.kind, amount: change.amount, denom: assetIdOf(change) })

/**
 * The rows of a transaction in a file, if the page would list it: the changes of the chosen asset that went the chosen way,
 * and its fee in that asset where no way is chosen. One of which nothing but its sentence is chosen has all of its rows.
 */
export function chosenRows(edge: ActivityEdge, owner: Owner, sides: SideChoice): readonly Row[] {
  const { chain, node } = edge
  const changes = edge.balanceChanges ?? []
  if (!node || !isOfSides(balanceChangeRowOf({ ...node, chain, changes: changes.map(assetOf) }), sides)) return []
  const chosen = changes.filter(
    (change) => (change.kind !== 'FEE' || sides.direction === '') && isChosenChange(assetOf(change), sides),
  )
  return activityRows({ ...edge, balanceChanges: chosen.length > 0 ? chosen : changes }, owner)
}

export const transferColumns = toColumns({
  ...{ time: 'time', chain_id: 'code', height: 'integer', hash: 'code', is_successful: 'boolean' },
  ...{ standard: 'code', from: 'text', to: 'text', symbol: 'text', denom: 'text' },
  ...{ formatted_in: 'decimal', formatted_out: 'decimal', amount: 'amount', token_id: 'text', usd_value: 'decimal' },
})

/** A row for each transfer of coins or tokens that an account sent or received, one with itself included, and no fee. */
export function transferRows({ chain, node }: TransfersEdge, hexAddress: string, sides: SideChoice): readonly Row[] {
  if (node?.__typename !== 'Transaction') return []
  const tokens = (node.tokenTransfers ?? []).map((of) => ({
    ...{ of, from: of.from, to: of.to, standard: of.standard, tokenId: of.tokenId },
    ...{ amount: of.amount, denom: of.denom ?? of.contract.address },
  }))
  const coins = (node.coinTransfers ?? []).flatMap(({ sender, recipient, coins }) =>
    (coins ?? []).map((of) => ({
      ...{ of, from: sender, to: recipient, standard: 'COIN', tokenId: null },
      ...{ amount: of.amount, denom: of.denom },
    })),
  )
  const payer = node.fee?.payer ?? node.signers?.[0]?.account
  const sent = withoutFee(coins, { coins: node.fee?.amount ?? [], payer })
  const known = [node.timestamp, chain.chainId, node.height, node.hash, node.isSuccessful]
  return [...tokens, ...withoutTwins(sent, tokens)].flatMap((transfer) => {
    const { of, from, to, standard, tokenId, denom } = transfer
    const direction = directionOf(transfer, hexAddress)
    if (!direction || (sides.direction !== '' && sides.direction !== direction)) return []
    if (!isToken({ denom }, sides)) return []
    if (sides.party !== '' && !isParty((direction === 'in' ? from : to)?.address, sides.party)) return []
    const amount = of.formattedAmount ?? (tokenId === null ? null : of.amount)
    return [
      [
        ...[...known, standard, from?.address ?? null, to?.address ?? null, of.asset?.symbol ?? null, denom],
        ...[direction === 'out' ? null : amount, direction === 'in' ? null : amount, of.amount, tokenId, of.usdValue],
      ],
    ]
  })
}

/** The graph knows the present values of balances and transfers. Notes of the file say when they were. */
export const balanceColumns = toColumns({
  ...{ chain_id: 'code', symbol: 'text', denom: 'text', formatted_amount: 'decimal', amount: 'amount' },
  ...{ usd_price: 'decimal', usd_value: 'decimal' },
})

export const balanceRow = (balance: Balance): Row => [
  ...[balance.chain.chainId, balance.asset?.symbol ?? null, balance.denom, balance.formattedAmount, balance.amount],
  ...[balance.usdPrice, balance.usdValue],
]
