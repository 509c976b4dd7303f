import { activityColumns, type Owner } from '@portolan/kit/activityTable'
import { type Row, toColumns } from '@portolan/kit/table'
import type { CsvBalancesQuery, CsvTransfersQuery } from '../generated/graphql.ts'
import { type BalanceChangeChoice, goes, hasToken, isParty } from '../pages/account/balanceChangeFilter.ts'
import { directionOf, withoutFee, withoutTwins } from '../values/assetTransfers.ts'
import { dataIn, dataOf } from '../values/bech32.ts'

type Found<Query extends { account?: object | null }> = NonNullable<Query['account']>
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

type SideChoice = Pick<BalanceChangeChoice, 'direction' | 'party' | 'token'>

const columnOf = (name: string) => activityColumns.findIndex((column) => column.name === name)
const [amountAt, partyAt, denomAt] = [columnOf('amount'), columnOf('counterparty'), columnOf('denom')]

/** Whether a row of activity went a way, with whom, and in what. Several parties are separated by spaces. */
export const isActivityOf =
  ({ direction, party, token }: SideChoice) =>
  (row: Row): boolean => {
    const [amount, parties, denom] = [row[amountAt], row[partyAt], row[denomAt]].map((cell) =>
      typeof cell === 'string' ? cell : null,
    )
    return (
      goes(direction, [amount]) &&
      hasToken({ changes: [{ denom }] }, { token }) &&
      (party === '' || (parties?.split(' ').some((one) => isParty(one, party)) ?? false))
    )
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
    if (!hasToken({ changes: [{ denom }] }, sides)) return []
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
