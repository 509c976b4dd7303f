import { directionOf, withoutFee, withoutTwins } from '../app/tokenTransfers.ts'
import type { CsvActionFragment, CsvActivityQuery, CsvBalancesQuery, CsvTransfersQuery } from '../generated/graphql.ts'
import type { Cell } from './csv.ts'

type Row = readonly Cell[]
type Found<Query extends { account?: object | null }> = NonNullable<Query['account']>
type ActivityEdge = NonNullable<Found<CsvActivityQuery>['activity']>['edges'][number]
type TransfersEdge = NonNullable<Found<CsvTransfersQuery>['activity']>['edges'][number]
type Balance = NonNullable<Found<CsvBalancesQuery>['balances']>['balances'][number]

const transactionHeads = ['time UTC', 'chain', 'height', 'hash', 'result']

const transactionCells = ({ chain, node }: ActivityEdge | TransfersEdge): Row => [
  node?.timestamp,
  chain.chainId,
  node?.height,
  node?.hash,
  node?.isSuccessful == null ? '' : node.isSuccessful ? 'success' : 'failed',
]

/** The graph knows present prices alone. A note of the file says when they were. */
const valueHead = 'value USD at export'

export const activityHeads: Row = [
  ...transactionHeads,
  ...['what', 'other parties', 'kind', 'in', 'out', 'fee', 'asset', 'denom', 'token id', valueHead, 'base units'],
]

/** A row for each change, or one for a transaction that changed nothing. Amounts are exact, and never negative. */
export function activityRows(edge: ActivityEdge, hexAddress: string): readonly Row[] {
  const { node } = edge
  const actions = node?.__typename === 'Transaction' ? (node.actions ?? []) : []
  const types = node?.__typename === 'Transaction' ? (node.messages ?? []) : []
  const what = actions.map(toWholeSentence).join('; ') || types.map(({ typeUrl }) => typeUrl).join('; ')
  const others = new Set(actions.flatMap((action) => otherParties(action, hexAddress)))
  const known = [...transactionCells(edge), what, [...others].join('; ')]
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

/** The sentence of an action with whole addresses. A validator that has a name has its address behind it. */
const toWholeSentence = ({ summaryParts }: CsvActionFragment): string =>
  summaryParts
    .map(({ text, address, account }) => {
      const whole = account?.address ?? address
      if (!whole || whole === text) return text
      return /^[^“\s]\S*…\S+$/.test(text) ? whole : `${text} (${whole})`
    })
    .join('')

/** The whole addresses of all that an action names, but for the account itself. */
function otherParties(action: CsvActionFragment, hexAddress: string): readonly string[] {
  const { actor, executor, counterparty, contract, validatorAddress, remoteAddress } = action
  const accounts = [actor, executor, counterparty, contract].filter((account) => account != null)
  const own = accounts.filter((account) => account.hexAddress === hexAddress)
  const isOther = (address: string) =>
    own.every((account) => account.address !== address && account.bech32Address !== address)
  return [...accounts.map(({ address }) => address), validatorAddress, remoteAddress].flatMap((address) =>
    address != null && isOther(address) ? [address] : [],
  )
}

export const transferHeads: Row = [
  ...transactionHeads,
  ...['standard', 'from', 'to', 'in', 'out', 'asset', 'denom', 'token id', valueHead],
  'base units',
]

/** A row for each transfer of coins or tokens that an account sent or received, one with itself included, and no fee. */
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
  const payer = node.fee?.payer ?? node.signers?.[0]?.account
  const sent = withoutFee(coins, { coins: node.fee?.amount ?? [], payer })
  return [...tokens, ...withoutTwins(sent, tokens)].flatMap((transfer) => {
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

export const balanceHeads: Row = [
  ...['chain', 'asset', 'denom', 'amount', 'price USD at export', valueHead, 'base units'],
]

export const balanceRow = (balance: Balance): Row => [
  ...[balance.chain.chainId, balance.asset?.symbol, balance.denom, balance.formattedAmount],
  ...[balance.usdPrice, balance.usdValue, balance.amount],
]

const unsigned = (value: string | null | undefined) => value?.replace(/^-/, '')
