import type { Steps } from '#kit/steps'
import { type BalanceChange, type ChangedAsset, coinAsset, nftAsset, tokenAsset } from './change.ts'
import { readCoins } from './coins.ts'
import type { DenomOf, KnownDenoms } from './denoms.ts'
import type { EventPart } from './events.ts'
import { type EvmLog, logIn, type TokenTransfer, transfersOf } from './evmTransfers.ts'
import { hexAddress, ownerOf } from './owners.ts'

interface MessageTransfer extends TokenTransfer {
  readonly messageIndex: number | null
}

/**
 * The changes on a MiniEVM chain, by the logs of contracts. Its bank module keeps coins in contracts, so a transfer of coins has
 * both a log and an event of the bank module, and a call of a contract has only a log. So logs are counted, and the events only
 * name the denoms. The zero address stands for new and burnt tokens, and is no account.
 */
export function* evmChanges(
  parts: readonly EventPart[],
  known: KnownDenoms | null,
  maxRows: number,
  logs?: readonly EvmLog[],
): Steps<BalanceChange[]> {
  const moved = yield* logs ? movedBy(logs.map((log) => ({ log, messageIndex: null }))) : movedBy(logsIn(parts))
  const denomOf = yield* denomsOf(parts, moved, known, maxRows)
  const changes: BalanceChange[] = []
  for (const transfer of moved) {
    yield
    const { from, to, amount, messageIndex } = transfer
    const asset = assetOf(transfer, denomOf)
    if (from) changes.push({ ...ownerOf(from), ...asset, amount: -amount, messageIndex })
    if (to) changes.push({ ...ownerOf(to), ...asset, amount, messageIndex })
  }
  return changes
}

interface MessageLog extends Pick<MessageTransfer, 'messageIndex'> {
  readonly log: EvmLog
}

function* movedBy(logs: Iterable<MessageLog>): Steps<MessageTransfer[]> {
  const moved: MessageTransfer[] = []
  for (const { log, messageIndex } of logs) {
    yield
    for (const each of transfersOf(log)) moved.push({ ...each, messageIndex })
  }
  return moved
}

function* logsIn(parts: readonly EventPart[]): Generator<MessageLog> {
  for (const { type, values, messageIndex } of parts) {
    if (type !== 'evm' || messageIndex === null) continue
    const log = logIn(values.get('log') ?? '')
    if (log) yield { log, messageIndex }
  }
}

function assetOf({ standard, contract, tokenId }: TokenTransfer, denomOf: DenomOf): ChangedAsset {
  const address = hexAddress(contract)
  if (standard !== 'ERC20') return nftAsset(address, String(tokenId))
  const denom = denomOf(address)
  return denom === null || /^evm\//i.test(denom) ? tokenAsset(address, denom) : coinAsset(denom, address)
}

/** The denoms of the contracts of a transaction, by its events or by the list. */
export function* evmDenoms(parts: readonly EventPart[], known: KnownDenoms | null, maxRows: number): Steps<DenomOf> {
  return yield* denomsOf(parts, yield* movedBy(logsIn(parts)), known, maxRows)
}

function* denomsOf(
  parts: readonly EventPart[],
  moved: readonly MessageTransfer[],
  known: KnownDenoms | null,
  maxRows: number,
): Steps<DenomOf> {
  const proven = yield* provenDenoms(parts, moved, maxRows)
  return (contract) => proven.get(hexAddress(contract)) ?? known?.ofContract(contract) ?? null
}

const zeroAddress = `0x${'0'.repeat(40)}`

const placeOf = (messageIndex: number | null, from: string, to: string, amount: bigint): string =>
  JSON.stringify([messageIndex, hexAddress(from), hexAddress(to), String(amount)])

/**
 * The denoms of contracts that the events of the bank module prove: the logs with the accounts and amount of such
 * an event, in its message, and no other event gives that contract another denom. The bank module has the contracts
 * of coins emit their logs in the order of the coins, so coins of equal amounts are told apart by their order. Any
 * contract can emit such a log besides: then there are more logs than coins, which name none of them.
 */
function* provenDenoms(
  parts: readonly EventPart[],
  moved: readonly MessageTransfer[],
  maxRows: number,
): Steps<ReadonlyMap<string, string>> {
  const contracts = new Map<string, string[]>()
  for (const { standard, contract, from, to, amount, messageIndex } of moved) {
    if (standard !== 'ERC20') continue
    yield
    const place = placeOf(messageIndex, from ?? zeroAddress, to ?? zeroAddress, amount)
    append(contracts, place, hexAddress(contract))
  }
  const denoms = new Map<string, string[]>()
  for (const part of parts) {
    const places = bankPlaces(part, maxRows)
    if (places.length > 0) yield
    for (const { place, denom } of places) append(denoms, place, denom)
  }
  const named = new Map<string, Set<string>>()
  for (const [place, coins] of denoms) {
    yield
    const logs = contracts.get(place) ?? []
    const isOne = new Set(logs).size === 1 && new Set(coins).size === 1
    if (!isOne && logs.length !== coins.length) continue
    for (const [i, contract] of logs.entries()) {
      const denom = isOne ? coins[0] : coins[i]
      if (denom !== undefined) named.set(contract, (named.get(contract) ?? new Set()).add(denom))
    }
  }
  return new Map(
    [...named].flatMap(([contract, [denom, ...others]]) =>
      denom !== undefined && others.length === 0 ? [[contract, denom] as const] : [],
    ),
  )
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** The accounts of the bank module's events, which repeat its moves. */
const bankParties: Readonly<Record<string, readonly [from: string, to: string]>> = {
  transfer: ['sender', 'recipient'],
  coinbase: ['', 'minter'],
  burn: ['burner', ''],
}

function bankPlaces({ type, values, messageIndex }: EventPart, maxCoins: number) {
  const parties = Object.hasOwn(bankParties, type) ? bankParties[type] : undefined
  const [from, to] = parties?.map((key) => (key ? values.get(key) : zeroAddress)) ?? []
  if (!from || !to) return []
  return readCoins(values.get('amount') ?? '', maxCoins).map(({ denom, amount }) => ({
    denom,
    place: placeOf(messageIndex, from, to, amount),
  }))
}
