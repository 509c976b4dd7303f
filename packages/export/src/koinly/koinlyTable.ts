import { type Row, toColumns } from '#kit/table'
import type { Action, ActivityEdge, ExportedChange } from '../subjects/activity.ts'
import { addNote, type Ledger, listIn, type Table } from '../table.ts'
import { toPlainTime } from '../time.ts'
import type { ReturnedHalf, ReturnedHalves } from './findReturned.ts'
import { type Correction, isSigner, type Net, toMagnitude, toNets } from './net.ts'
import { meaningOf, numberedName } from './numbers.ts'
import { toWorth } from './worth.ts'

/** What the rows of an account depend on, besides its transactions. */
export interface KoinlyOptions {
  /** The account, in hex. */
  readonly account: string
  /** Whether an address is one of the same owner. */
  isOwn(address: string): boolean
  /** Which transfers over bridges came back. */
  readonly returned: ReturnedHalves
  /** Whether gains of assets that no list names are written, though the account did not sign for them. */
  readonly includesUnlisted: boolean
}

/** An amount and its currency, as two cells. */
type Money = readonly [amount: string, currency: string] | readonly [null, null]
const none: Money = [null, null]

/** The parts of a row that differ between those of a transaction. */
interface Entry {
  readonly sent?: Net
  readonly received?: Net
  readonly fee?: Net
  readonly label?: string
}

const rewards = /^(STAKE|UNSTAKE|REDELEGATE|CLAIM_REWARDS)$/
const explained = /^(?!UNKNOWN$|CONTRACT_CALL$)/

/** Rows in Koinly's universal format. Its help pages have the columns, and which of them go together. */
export const koinlyTable = (options: KoinlyOptions): Table<ActivityEdge> => ({
  columns: toColumns({
    ...{ Date: 'time', 'Sent Amount': 'decimal', 'Sent Currency': 'text', 'Received Amount': 'decimal' },
    ...{ 'Received Currency': 'text', 'Fee Amount': 'decimal', 'Fee Currency': 'text' },
    ...{
      'Net Worth Amount': 'decimal',
      'Net Worth Currency': 'text',
      Label: 'text',
      Description: 'text',
      TxHash: 'code',
    },
  }),
  rowsOf(edge, ledger) {
    const { node, chain, balanceChanges } = edge
    if (!node?.timestamp || !balanceChanges) return []
    const own = node.actions.filter(({ actor, isSuccessful }) => isSuccessful && actor?.hexAddress === options.account)
    const halves = options.returned(chain.chainId, node.hash)
    const corrections = [...stakeIn(own), ...halves.flatMap((half) => correctionOf(half, ledger))]
    const nets = node.isSuccessful === false ? [] : toNets(balanceChanges, corrections)
    if (halves.length === 0 && own.some(({ kind }) => kind === 'BRIDGE_REFUND')) addNote(ledger, 'lateRefunds')
    const kept = nets.filter((net) => isWanted(net, edge, options, ledger))
    if (balanceChanges.some(({ kind }) => kind === 'NFT' || kind === 'OBJECT')) addNote(ledger, 'nfts')
    if (kept.length > 0 && !own.some(({ kind }) => explained.test(kind)) && isSigner(edge, options.account)) {
      addNote(ledger, 'unexplained')
    }
    // The receipt of an own transfer merges with its send only if it has no hash of its own.
    const isArrival = own.some(
      ({ kind, remoteAddress }) =>
        kind === 'BRIDGE_REFUND' || (kind === 'BRIDGE_IN' && remoteAddress !== null && options.isOwn(remoteAddress)),
    )
    const summary = node.actions.map(({ summary }) => summary).join('; ')
    const where = `${chain.chainId}: ${summary}`
    const time = toPlainTime(node.timestamp)
    const toMoney = (net: Net | undefined): Money => (net ? moneyOf(net, chain.chainId, ledger) : none)
    const rowOf = (entry: Entry): Row => {
      const [sent, received, fee] = [toMoney(entry.sent), toMoney(entry.received), toMoney(entry.fee)]
      const hasOwnHash = !(isArrival && entry.received && !entry.sent)
      const names = [sent, received, fee].flatMap(([, currency]) => meaningOf(currency, ledger))
      const description = [where, ...names, ...(hasOwnHash ? [] : [node.hash])].join(', ')
      const amounts = [...sent, ...received, ...fee, ...worthOf(entry)]
      return [time, ...amounts, entry.label ?? null, description, hasOwnHash ? node.hash : null]
    }
    const fees = balanceChanges.filter(({ kind }) => kind === 'FEE')
    return toEntries(kept, own, fees, (net) => toMoney(net)[1]).map(rowOf)
  },
})

/** What a row was worth: by what was sent, or else by what was received. */
function worthOf({ sent, received }: Entry): Money {
  const worth = (sent && toWorth(sent)) ?? (received && toWorth(received)) ?? null
  return worth === null ? none : [worth, 'USD']
}

/** Stake leaves the balance, and stays with its owner. */
const stakeIn = (own: readonly Action[]): readonly Correction[] =>
  own
    .filter(({ kind }) => kind === 'STAKE')
    .flatMap(({ amounts }) => amounts ?? [])
    .map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }))

/**
 * Takes a half of a transfer that came back out of the file, if its other half is out of it too: then it is no sale and
 * no income.
 */
function correctionOf({ id, half, denom, amount }: ReturnedHalf, ledger: Ledger): readonly Correction[] {
  const cancelled = listIn(ledger, 'cancelled')
  if (half === 'sent') {
    cancelled.push(id)
    return [{ denom, amount }]
  }
  if (cancelled.includes(id)) return [{ denom, amount: -amount }]
  addNote(ledger, 'lateRefunds')
  return []
}

/** Anybody can send a token with any name to an account. */
function isWanted({ amount, change }: Net, edge: ActivityEdge, options: KoinlyOptions, ledger: Ledger): boolean {
  const isUnasked = amount > 0n && change.asset === null && !isSigner(edge, options.account)
  if (isUnasked && !options.includesUnlisted) addNote(ledger, 'unlisted')
  return !isUnasked || options.includesUnlisted
}

/**
 * Sends come first, and the first of them has the fee. A receipt cannot have one, and the importer drops one in a currency
 * of its row: then the fee is a send of its own.
 */
function toEntries(
  nets: readonly Net[],
  own: readonly Action[],
  fees: readonly ExportedChange[],
  currencyOf: (net: Net | undefined) => string | null,
): readonly Entry[] {
  const isReward = own.some(({ kind }) => rewards.test(kind)) && !own.some(({ kind }) => kind === 'SWAP')
  const losses = nets.filter(({ amount }) => amount < 0n)
  const gains = nets.filter(({ amount }) => amount > 0n)
  const [loss] = losses
  const [gain] = gains
  const isTrade = own.some(({ kind }) => kind === 'SWAP') && losses.length === 1 && gains.length === 1
  const moved: readonly Entry[] =
    isTrade && loss && gain
      ? [{ sent: loss, received: gain }]
      : [
          ...losses.map((net) => ({ sent: net })),
          ...gains.map((net) => ({ received: net, ...(isReward && { label: 'reward' }) })),
        ]
  const [first, ...rest] = moved
  const [fee, ...others] = toFees(fees)
  const costs = (all: readonly (Net | undefined)[]): readonly Entry[] =>
    all.flatMap((sent) => (sent ? [{ sent, label: 'cost' }] : []))
  const collected = toCollected(fees).map((net) => ({ received: net }))
  const isDropped = [first?.sent, first?.received].some((net) => net && currencyOf(net) === currencyOf(fee))
  const carrier = first?.sent && fee && !isDropped ? [{ ...first, fee }, ...rest, ...costs(others)] : undefined
  return [...(carrier ?? [...costs([fee, ...others]), ...moved]), ...collected]
}

const feeNets = (fees: readonly ExportedChange[]): readonly Net[] =>
  fees.map((change) => ({ assetId: change.denom ?? '', amount: BigInt(change.amount), change }))

/** The fees that the account paid, and those that it collected. */
const toFees = (fees: readonly ExportedChange[]) => feeNets(fees).filter(({ amount }) => amount < 0n)
const toCollected = (fees: readonly ExportedChange[]) => feeNets(fees).filter(({ amount }) => amount > 0n)

/** An amount with the symbol that its asset has where it was issued, or with a number: the importer refuses names that it does not know. */
function moneyOf({ amount, change, assetId }: Net, chainId: string, ledger: Ledger): readonly [string, string] {
  const size = toMagnitude(amount, change)
  const { symbol, decimals, origin, originChainId, originDenom } = change.asset ?? {}
  const name = origin?.symbol ?? symbol
  if (name != null && decimals != null) return [size, name]
  const isIssuedElsewhere = originChainId != null && originDenom != null
  return [size, numberedName(isIssuedElsewhere ? `${originChainId}/${originDenom}` : `${chainId}/${assetId}`, ledger)]
}
