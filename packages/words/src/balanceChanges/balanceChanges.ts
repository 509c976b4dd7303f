import type { Steps } from '#kit/steps'
import { type ChangeBounds, defaultBounds, UnboundedChanges } from './bound.ts'
import type { BalanceChange } from './change.ts'
import { type BankChange, bankChanges, coinChange, readCoins } from './coins.ts'
import type { DenomOf, KnownDenoms } from './denoms.ts'
import { type ChainEvent, type EventPart, eventParts } from './events.ts'
import { evmChanges, evmDenoms } from './evm.ts'
import { receiptLogs } from './evmFee.ts'
import type { EvmLog } from './evmTransfers.ts'
import { moveChanges, moveDenoms } from './move.ts'
import { hexAddress } from './owners.ts'
import { wasmChanges } from './wasm.ts'

/** The virtual machine of a chain. */
export type Vm = 'MOVE' | 'EVM' | 'WASM'

/** The result of a transaction or of its simulation. */
export interface ExecutedTransaction {
  /** Default: the machine that the events show. */
  readonly vm?: Vm | undefined
  /** 0 if it succeeded. */
  readonly code: number | bigint
  readonly events: readonly ChainEvent[]
  /** The logs of its EVM receipt, in place of those in its events. They do not name their message. */
  readonly evmLogs?: readonly EvmLog[] | undefined
}

/** Whose changes are read, and what is known of the chain. */
export interface ChangeOptions {
  /** In any spelling. Default: each account that the transaction touched, and the changes without a known owner. */
  readonly account?: string | undefined
  /** The assets of the chain. Null if they could not be loaded: a denom that needs them is then null. */
  readonly known: KnownDenoms | null
  /** By default `defaultBounds`. */
  readonly bounds?: ChangeBounds | undefined
  /** Whether to sum within each message only, also of those inside others. Default: false. */
  readonly isByMessage?: boolean | undefined
}

/**
 * The losses and gains of accounts by a transaction, one change for each account and asset. The fee has changes
 * of its own. A failed transaction changes only the fee. The events of the chain's modules and of token
 * contracts are read. A contract can report anything about its own token.
 * @throws UnboundedChanges if the transaction has too much to read: never a part of its changes for the whole.
 */
export function* balanceChanges(
  { vm, code, events, evmLogs }: ExecutedTransaction,
  { account, known, bounds = defaultBounds, isByMessage = false }: ChangeOptions,
): Steps<BalanceChange[]> {
  const outer = yield* eventParts(events)
  const { parts, indexOf } = isByMessage ? yield* numberedByMessage(outer) : { parts: outer, indexOf: undefined }
  const whose = account === undefined ? undefined : hexAddress(account)
  const isSuccessful = Number(code) === 0
  const read = readers[vm ?? machineOf(parts, evmLogs)]
  const logs = evmLogs && receiptLogs(evmLogs)
  const reported = yield* feeChanges(parts, bounds.maxRows)
  const fees = reported.length > 0 || !logs ? reported : yield* feeOfReceipt(logs.fee, known, bounds.maxRows)
  const byMessages = isSuccessful ? yield* read({ parts, known, account: whose, evmLogs: logs?.call, bounds }) : []
  const changes = [...fees, ...byMessages]
  const wanted = whose === undefined ? changes : changes.filter((change) => change.account === whose)
  if (!indexOf) return yield* summed(wanted, bounds.maxRows, changeKey)
  const each = yield* summed(wanted, bounds.maxRows, (change) => `${change.messageIndex} ${changeKey(change)}`)
  return each.map((change) => ({ ...change, messageIndex: indexOf(change.messageIndex) }))
}

/** The parts with a number for each message, also of those inside others, and the index that a number stands for. */
function* numberedByMessage(parts: readonly EventPart[]): Steps<{
  readonly parts: readonly EventPart[]
  readonly indexOf: (number: number | null) => number | null
}> {
  const numbers = new Map<string, number>()
  const indexes: number[] = []
  const numbered: EventPart[] = []
  for (const part of parts) {
    yield
    const { messageIndex, innerPlace } = part
    if (messageIndex === null) {
      numbered.push(part)
      continue
    }
    const place = `${messageIndex} ${innerPlace}`
    const number = numbers.get(place) ?? indexes.push(messageIndex) - 1
    numbers.set(place, number)
    numbered.push({ ...part, messageIndex: number })
  }
  return { parts: numbered, indexOf: (number) => (number === null ? null : (indexes[number] ?? null)) }
}

/**
 * The denoms of the contracts and Move metadata of a transaction, as its balance changes have them. What else is read of the
 * transaction uses the same ones, so that a coin has one name.
 * @throws UnboundedChanges, when it is called, if a Move transaction has too many denoms to be sure.
 */
export function* denomsOf(
  { vm, events }: Pick<ExecutedTransaction, 'vm' | 'events'>,
  { known, bounds = defaultBounds }: Pick<ChangeOptions, 'known' | 'bounds'>,
): Steps<DenomOf> {
  const parts = yield* eventParts(events)
  switch (vm ?? machineOf(parts, undefined)) {
    case 'MOVE':
      return yield* moveDenoms(parts, known, bounds)
    case 'EVM':
      return yield* evmDenoms(parts, known, bounds.maxRows)
    case 'WASM':
      return (contract) => known?.ofContract(contract) ?? null
  }
}

interface Input {
  readonly parts: readonly EventPart[]
  readonly known: KnownDenoms | null
  readonly account: string | undefined
  readonly evmLogs: readonly EvmLog[] | undefined
  readonly bounds: ChangeBounds
}

const readers: Readonly<Record<Vm, (input: Input) => Steps<BalanceChange[]>>> = {
  MOVE: ({ parts, known, account, bounds }) => moveChanges(parts, known, account, bounds),
  EVM: ({ parts, known, evmLogs, bounds }) => evmChanges(parts, known, bounds.maxRows, evmLogs),
  WASM: ({ parts, known, bounds }) => wasmChanges(parts, known, bounds.maxRows),
}

/** The machine that the events are of: on Move and EVM chains, each coin that moves makes its machine emit one. */
function machineOf(parts: readonly EventPart[], evmLogs: readonly EvmLog[] | undefined): Vm {
  if (evmLogs || parts.some(({ type }) => type === 'evm')) return 'EVM'
  return parts.some(({ type, values }) => type === 'move' && values.has('type_tag')) ? 'MOVE' : 'WASM'
}

/**
 * The payments of accounts for the execution itself: coins that moved outside of all messages. The bank module
 * reports them on every virtual machine, also if the transaction failed. An older node reports the fee and its
 * payer alone. A fee needs an event, since a transaction that is refused before its messages pays none.
 */
function* feeChanges(parts: readonly EventPart[], maxCoins: number): Steps<BalanceChange[]> {
  const moved: BalanceChange[] = []
  const reported: BalanceChange[] = []
  for (const part of parts) {
    if (part.messageIndex !== null) continue
    yield
    for (const change of bankChanges(part, maxCoins)) moved.push(coinChange(change, 'FEE'))
    for (const change of reportedFee(part, maxCoins)) reported.push(coinChange(change, 'FEE'))
  }
  return moved.length > 0 ? moved : reported
}

/** The fee in the logs of a receipt, which stand for the events of the bank module where those are missing. */
function* feeOfReceipt(logs: readonly EvmLog[], known: KnownDenoms | null, maxRows: number): Steps<BalanceChange[]> {
  const changes = yield* evmChanges([], known, maxRows, logs)
  return changes.map((change): BalanceChange => ({ ...change, kind: 'FEE' }))
}

function reportedFee({ type, values }: EventPart, maxCoins: number): BankChange[] {
  const address = type === 'tx' ? values.get('fee_payer') : undefined
  if (!address) return []
  return readCoins(values.get('fee') ?? '', maxCoins).map((coin) => ({
    ...coin,
    address,
    sign: -1n,
    messageIndex: null,
  }))
}

/**
 * One change for each key, in the order of their first appearance, losses first. Changes that
 * cancel each other out are left out. Those without an owner are summed by their store.
 * @throws UnboundedChanges if too many balances change.
 */
function* summed(
  changes: readonly BalanceChange[],
  maxRows: number,
  keyOf: (change: BalanceChange) => string,
): Steps<BalanceChange[]> {
  const sums = new Map<string, BalanceChange>()
  for (const change of changes) {
    yield
    const key = keyOf(change)
    const sum = sums.get(key)
    sums.set(key, sum ? added(sum, change) : change)
    if (sums.size > maxRows) {
      throw new UnboundedChanges(`It changes more than ${maxRows} balances.`)
    }
  }
  const all = [...sums.values()].filter(({ amount }) => amount !== 0n)
  return [...all.filter(({ amount }) => amount < 0n), ...all.filter(({ amount }) => amount > 0n)]
}

const added = (sum: BalanceChange, change: BalanceChange): BalanceChange => ({
  ...sum,
  // One sure part does not make the whole sure.
  isOwnerKnown: sum.isOwnerKnown && change.isOwnerKnown,
  amount: sum.amount + change.amount,
  messageIndex: sum.messageIndex === change.messageIndex ? sum.messageIndex : null,
})

function changeKey({ account, store, kind, denom, contract, tokenId, object }: BalanceChange): string {
  if (store !== undefined || tokenId !== null || object !== null) {
    return JSON.stringify([account, store, kind, denom ?? contract, tokenId, object])
  }
  // Most changes are of coins, and JSON takes longer than all else. The length says where the asset ends.
  const asset = denom ?? contract ?? ''
  return `${kind} ${asset.length} ${asset} ${account}`
}
