import { formatAmount } from '@portolan/client/amounts'
import { assetIdOf } from '#kit/activityTable'
import { type Row, toColumns } from '#kit/table'
import { addNote, type Ledger, listIn, type Table } from '../table.ts'
import { toPlainTime } from '../time.ts'
import { addAssets, type FindAsset } from './actionAssets.ts'
import { currencyOf, type HeldAsset, meaningOf, prepareSymbols } from './currencies.ts'
import type { Fact } from './fact.ts'
import { type Correction, type Facts, factsOf } from './facts.ts'
import type { ReturnedHalf, ReturnedHalves } from './findReturned.ts'
import type { KoinlyAsset, KoinlyChange, KoinlyEdge } from './koinlyEdge.ts'
import { toWorth } from './worth.ts'

/** What the rows of an account depend on, besides its transactions. */
export interface KoinlyOptions {
  /** The account, in hex. */
  readonly account: string
  /** Whether an address is one of the same owner. */
  isOwn(address: string): boolean
  /** Which transfers over bridges came back. */
  readonly returned: ReturnedHalves
  /** Whose these symbols are, by the lists of all chains. Those that no list has are left out. */
  findOwners(symbols: readonly string[]): Promise<ReadonlyMap<string, string>>
  readonly findAsset: FindAsset
  /** Whether gains of assets that no list names are written, though the account did not sign for them. */
  readonly includesUnlisted: boolean
}

/** An amount and its currency, as two cells. */
type Money = readonly [amount: string, currency: string] | readonly [null, null]
const none: Money = [null, null]

/** The parts of a row that differ between those of a transaction. */
interface Entry {
  readonly sent?: Fact
  readonly received?: Fact
  readonly fee?: Fact
  readonly label?: string
}

const explained = /^(?!UNKNOWN$|CONTRACT_CALL$)/

/** Rows in Koinly's universal format. Its help pages have the columns, and which of them go together. */
export const koinlyTable = (
  options: KoinlyOptions,
  assets = new Map<string, Promise<KoinlyAsset | null>>(),
): Table<KoinlyEdge> => ({
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
  async prepare(edges, ledger) {
    const { account, findAsset } = options
    const complete = await Promise.all(edges.map((edge) => addAssets(edge, account, findAsset, assets)))
    await prepareSymbols(complete.flatMap(heldIn), ledger, options.findOwners)
    return complete
  },
  rowsOf(edge, ledger) {
    const { node, chain, balanceChanges } = edge
    if (!node?.timestamp || !balanceChanges) return []
    const own = node.actions.filter(({ actor, isSuccessful }) => isSuccessful && actor?.hexAddress === options.account)
    const halves = options.returned(chain.chainId, node.hash)
    const corrections = halves.flatMap((half) => correctionOf(half, ledger))
    const all = node.isSuccessful === false ? noFacts : factsOf(balanceChanges, own, corrections)
    if (halves.length === 0 && own.some(({ kind }) => kind === 'BRIDGE_REFUND')) addNote(ledger, 'lateRefunds')
    const facts = wantedOf(all, edge, options, ledger)
    if (balanceChanges.some(({ kind }) => kind === 'NFT' || kind === 'OBJECT')) addNote(ledger, 'nfts')
    const moved = entriesOf(facts)
    if (moved.length > 0 && !own.some(({ kind }) => explained.test(kind)) && isSigner(edge, options.account)) {
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
    const toMoney = (fact: Fact | undefined): Money => (fact ? moneyOf(fact, chain.chainId, ledger) : none)
    const rowOf = (entry: Entry): Row => {
      const [sent, received, fee] = [toMoney(entry.sent), toMoney(entry.received), toMoney(entry.fee)]
      const hasOwnHash = !(isArrival && entry.received && !entry.sent && !entry.label)
      const names = [sent, received, fee].flatMap(([, currency]) => meaningOf(currency, ledger))
      const description = [where, ...names, ...(hasOwnHash ? [] : [node.hash])].join(', ')
      const amounts = [...sent, ...received, ...fee, ...worthOf(entry)]
      return [time, ...amounts, entry.label ?? null, description, hasOwnHash ? node.hash : null]
    }
    const fees = balanceChanges.filter(({ kind }) => kind === 'FEE')
    return withFees(moved, fees, (fact) => toMoney(fact)[1]).map(rowOf)
  },
})

/** The assets of a transaction that its rows can name. */
const heldIn = ({ chain: { chainId }, node, balanceChanges }: KoinlyEdge): readonly HeldAsset[] => [
  ...(balanceChanges ?? []).map((change) => ({ chainId, assetId: assetIdOf(change) ?? '', asset: change.asset })),
  ...(node?.actions ?? [])
    .flatMap(({ amounts, receivedAmounts }) => [...(amounts ?? []), ...(receivedAmounts ?? [])])
    .map(({ denom, asset = null }) => ({ chainId, assetId: denom, asset })),
]

/** What a row was worth: by what was sent, or else by what was received. */
function worthOf({ sent, received }: Entry): Money {
  const worth = (sent && toWorth(sent)) ?? (received && toWorth(received)) ?? null
  return worth === null ? none : [worth, 'USD']
}

const noFacts: Facts = { losses: [], trades: [], gains: [], rewards: [] }

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
function wantedOf(facts: Facts, edge: KoinlyEdge, options: KoinlyOptions, ledger: Ledger): Facts {
  if (options.includesUnlisted || isSigner(edge, options.account)) return facts
  const isWanted = ({ change }: Fact) => {
    if (change.asset === null) addNote(ledger, 'unlisted')
    return change.asset !== null
  }
  return { ...facts, gains: facts.gains.filter(isWanted), rewards: facts.rewards.filter(isWanted) }
}

/** Whether the account signed the transaction. */
const isSigner = ({ node }: KoinlyEdge, account: string): boolean =>
  node?.signers?.some((signer) => signer.account?.hexAddress === account) ?? false

/** Sends come first, since the first of them has the fee. */
const entriesOf = ({ losses, trades, gains, rewards }: Facts): readonly Entry[] => [
  ...losses.map((sent) => ({ sent })),
  ...trades,
  ...gains.map((received) => ({ received })),
  ...rewards.map((received) => ({ received, label: 'reward' })),
]

/**
 * A receipt cannot have a fee beside it, and the importer drops one in a currency of its row: then the fee is a send of its
 * own.
 */
function withFees(
  moved: readonly Entry[],
  fees: readonly KoinlyChange[],
  currencyOfFact: (fact: Fact | undefined) => string | null,
): readonly Entry[] {
  const [first, ...rest] = moved
  const [fee, ...others] = feeFacts(fees, -1n)
  const costs = (all: readonly (Fact | undefined)[]): readonly Entry[] =>
    all.flatMap((sent) => (sent ? [{ sent, label: 'cost' }] : []))
  const collected = feeFacts(fees, 1n).map((received) => ({ received }))
  const isDropped = [first?.sent, first?.received].some((fact) => fact && currencyOfFact(fact) === currencyOfFact(fee))
  const carrier = first?.sent && fee && !isDropped ? [{ ...first, fee }, ...rest, ...costs(others)] : undefined
  return [...(carrier ?? [...costs([fee, ...others]), ...moved]), ...collected]
}

/** The fees that the account paid, or by the other sign those that it collected. */
const feeFacts = (fees: readonly KoinlyChange[], sign: 1n | -1n): readonly Fact[] =>
  fees
    .map((change) => ({ assetId: change.denom ?? '', amount: BigInt(change.amount), change }))
    .filter(({ amount }) => amount * sign > 0n)

/** An amount and its currency, without its sign: in whole units, or in base units if its decimals are unknown. */
function moneyOf({ amount, change: { asset }, assetId }: Fact, chainId: string, ledger: Ledger): Money {
  const { name, decimals } = currencyOf({ chainId, assetId, asset }, ledger)
  const size = amount < 0n ? -amount : amount
  return [decimals === null ? String(size) : formatAmount(size, decimals), name]
}
