import { type BalanceChange, type ChangedAsset, coinAsset, nftAsset, tokenAsset } from './change.ts'
import { readCoins } from './coins.ts'
import type { DenomOf, KnownDenoms } from './denoms.ts'
import type { EventPart } from './events.ts'
import { type EvmLog, logIn, type TokenTransfer, transfersOf } from './evmTransfers.ts'
import { hexAddress, ownerOf } from './owners.ts'

/** Tokens that a contract moved in a message. */
interface Moved extends TokenTransfer {
  readonly messageIndex: number | null
}

/**
 * The changes on a MiniEVM chain, by the logs of contracts. Its bank module keeps coins in contracts and emits
 * its own events besides, while calls of contracts emit logs alone. So the events of the bank module only name
 * the denoms. The zero address stands for new and burnt tokens, and is no account.
 */
export function evmChanges(
  parts: readonly EventPart[],
  known: KnownDenoms | null,
  receiptLogs?: readonly EvmLog[],
): BalanceChange[] {
  const moved = receiptLogs
    ? receiptLogs.flatMap(transfersOf).map((each) => ({ ...each, messageIndex: null }))
    : parts.flatMap(movedIn)
  const denomOf = denomsOf(parts, moved, known)
  return moved.flatMap((transfer) => {
    const { from, to, amount, messageIndex } = transfer
    const asset = assetOf(transfer, denomOf)
    return [
      ...(from ? [{ ...ownerOf(from), ...asset, amount: -amount, messageIndex }] : []),
      ...(to ? [{ ...ownerOf(to), ...asset, amount, messageIndex }] : []),
    ]
  })
}

function movedIn({ type, values, messageIndex }: EventPart): Moved[] {
  const log = type === 'evm' && messageIndex !== null ? logIn(values.get('log') ?? '') : undefined
  return log ? transfersOf(log).map((each) => ({ ...each, messageIndex })) : []
}

function assetOf({ standard, contract, tokenId }: TokenTransfer, denomOf: DenomOf): ChangedAsset {
  const address = hexAddress(contract)
  if (standard !== 'ERC20') return nftAsset(address, String(tokenId))
  const denom = denomOf(address)
  return denom === null || /^evm\//i.test(denom)
    ? tokenAsset(address, denom)
    : coinAsset(denom, address)
}

/** The denoms of the contracts of a transaction, by its events or by the list. */
export const evmDenoms = (parts: readonly EventPart[], known: KnownDenoms | null): DenomOf =>
  denomsOf(parts, parts.flatMap(movedIn), known)

function denomsOf(
  parts: readonly EventPart[],
  moved: readonly Moved[],
  known: KnownDenoms | null,
): DenomOf {
  const proven = provenDenoms(parts, moved)
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
function provenDenoms(
  parts: readonly EventPart[],
  moved: readonly Moved[],
): ReadonlyMap<string, string> {
  const contracts = new Map<string, string[]>()
  for (const { standard, contract, from, to, amount, messageIndex } of moved) {
    if (standard !== 'ERC20') continue
    const place = placeOf(messageIndex, from ?? zeroAddress, to ?? zeroAddress, amount)
    append(contracts, place, hexAddress(contract))
  }
  const denoms = new Map<string, string[]>()
  for (const { place, denom } of parts.flatMap(bankPlaces)) append(denoms, place, denom)
  const named = new Map<string, Set<string>>()
  for (const [place, coins] of denoms) {
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

function bankPlaces({ type, values, messageIndex }: EventPart) {
  const parties = Object.hasOwn(bankParties, type) ? bankParties[type] : undefined
  const [from, to] = parties?.map((key) => (key ? values.get(key) : zeroAddress)) ?? []
  if (!from || !to) return []
  return readCoins(values.get('amount') ?? '').map(({ denom, amount }) => ({
    denom,
    place: placeOf(messageIndex, from, to, amount),
  }))
}
