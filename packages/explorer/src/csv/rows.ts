import { directionOf, withoutTwins } from '../app/tokenTransfers.ts'
import type { CsvActivityQuery, CsvBalancesQuery, CsvTransfersQuery } from '../generated/graphql.ts'
import type { Cell } from './csv.ts'

type Row = readonly Cell[]
type Found<Query extends { account?: object | null }> = NonNullable<Query['account']>
type ActivityEdge = NonNullable<Found<CsvActivityQuery>['activity']>['edges'][number]
type TransfersEdge = NonNullable<Found<CsvTransfersQuery>['activity']>['edges'][number]
type Balance = NonNullable<Found<CsvBalancesQuery>['balances']>['balances'][number]

const transactionHeads = ['time', 'chain', 'height', 'hash', 'result']

const transactionCells = ({ chain, node }: ActivityEdge | TransfersEdge): Row => [
  node?.timestamp,
  chain.chainId,
  node?.height,
  node?.hash,
  node?.isSuccessful == null ? '' : node.isSuccessful ? 'success' : 'failed',
]

export const activityHeads: Row = [
  ...transactionHeads,
  ...['what', 'kind', 'in', 'out', 'fee', 'asset', 'denom', 'token id', 'value USD', 'base units'],
]

/** A row for each change, or one for a transaction that changed nothing. Amounts are exact, and never negative. */
export function activityRows(edge: ActivityEdge): readonly Row[] {
  const { node } = edge
  const actions = node?.__typename === 'Transaction' ? (node.actions ?? []) : []
  const types = node?.__typename === 'Transaction' ? (node.messages ?? []) : []
  const what = actions.map(({ summary }) => summary).join('; ') || types.map(({ typeUrl }) => typeUrl).join('; ')
  const known = [...transactionCells(edge), what]
  if (!edge.balanceChanges?.length) return [[...known, ...Array<Cell>(9).fill('')]]
  return edge.balanceChanges.map((change) => {
    const isLoss = change.amount?.startsWith('-')
    const amount = unsigned(change.formattedAmount ?? (change.denom ? null : change.amount))
    const isFee = change.kind === 'FEE' && isLoss
    return [
      ...[...known, change.kind.toLowerCase()],
      ...(isFee ? ['', '', amount] : isLoss ? ['', amount, ''] : [amount, '', '']),
      change.asset?.symbol,
      change.denom ?? change.collection?.address ?? change.objectAddress,
      ...[change.tokenId, unsigned(change.usdValue), unsigned(change.amount)],
    ]
  })
}

export const transferHeads: Row = [
  ...transactionHeads,
  ...['standard', 'from', 'to', 'in', 'out', 'asset', 'denom', 'token id', 'value USD'],
  'base units',
]

/** A row for each transfer of coins or tokens that an account sent or received, one with itself included. */
export function transferRows(edge: TransfersEdge, hexAddress: string): readonly Row[] {
  const { node } = edge
  if (node?.__typename !== 'Transaction') return []
  const tokens = (node.tokenTransfers ?? []).map((of) => ({
    ...{ of, from: of.from, to: of.to, standard: of.standard as string, tokenId: of.tokenId },
    ...{ amount: of.amount, denom: of.denom ?? of.contract.address },
  }))
  const coins = (node.coinTransfers ?? []).flatMap(({ sender, recipient, coins }) =>
    (coins ?? []).map((of) => ({
      ...{ of, from: sender, to: recipient, standard: 'coin', tokenId: undefined },
      ...{ amount: of.amount, denom: of.denom },
    })),
  )
  return [...tokens, ...withoutTwins(coins, tokens)].flatMap((transfer) => {
    const { of, from, to, standard, tokenId, denom } = transfer
    const direction = directionOf(transfer, hexAddress)
    if (!direction) return []
    const amount = of.formattedAmount ?? (tokenId == null ? null : of.amount)
    return [
      [
        ...[...transactionCells(edge), standard, from?.address, to?.address],
        ...[direction === 'out' ? '' : amount, direction === 'in' ? '' : amount],
        ...[of.asset?.symbol, denom, tokenId, of.usdValue, of.amount],
      ],
    ]
  })
}

export const balanceHeads: Row = [...['chain', 'asset', 'denom', 'amount', 'price USD', 'value USD', 'base units']]

export const balanceRow = (balance: Balance): Row => [
  ...[balance.chain.chainId, balance.asset?.symbol, balance.denom, balance.formattedAmount],
  ...[balance.usdPrice, balance.usdValue, balance.amount],
]

const unsigned = (value: string | null | undefined) => value?.replace(/^-/, '')
