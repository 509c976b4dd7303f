import { type BalanceChange, type ChangedAsset, coinAsset, nftAsset, tokenAsset } from './change.ts'
import { readCoins } from './coins.ts'
import { evmDenom, type KnownDenoms } from './denoms.ts'
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
  const nameOf = namesOf(parts, moved, known)
  return moved.flatMap((transfer) => {
    const { from, to, amount, messageIndex } = transfer
    const asset = assetOf(transfer, nameOf)
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

function assetOf(
  { standard, contract, tokenId }: TokenTransfer,
  nameOf: (contract: string) => string | null,
): ChangedAsset {
  const address = hexAddress(contract)
  if (standard !== 'ERC20') return nftAsset(address, String(tokenId))
  const denom = nameOf(address)
  return denom === null || /^evm\//i.test(denom)
    ? tokenAsset(address, denom)
    : coinAsset(denom, address)
}

/** The denom of a contract: that of the bank module, or that of the list, or the one made of its address. */
function namesOf(parts: readonly EventPart[], moved: readonly Moved[], known: KnownDenoms | null) {
  const pairs = pairsOf(parts, moved)
  return (contract: string): string | null =>
    pairs.get(contract) ??
    (known && /^0x[0-9a-f]{40}$/.test(contract)
      ? (known.ofContract(contract) ?? evmDenom(contract))
      : null)
}

const zeroAddress = `0x${'0'.repeat(40)}`

const placeOf = (messageIndex: number | null, from: string, to: string, amount: bigint): string =>
  JSON.stringify([messageIndex, hexAddress(from), hexAddress(to), String(amount)])

/**
 * The denoms of contracts that the events of the bank module prove: the logs with the accounts and amount of
 * such an event, in its message, are those of one contract, and no other event gives that contract another denom.
 * Any contract can emit a log, so the logs of two contracts in one place name neither.
 */
function pairsOf(parts: readonly EventPart[], moved: readonly Moved[]): Map<string, string> {
  const contracts = new Map<string, Set<string>>()
  for (const { standard, contract, from, to, amount, messageIndex } of moved) {
    if (standard !== 'ERC20') continue
    const place = placeOf(messageIndex, from ?? zeroAddress, to ?? zeroAddress, amount)
    contracts.set(place, (contracts.get(place) ?? new Set()).add(hexAddress(contract)))
  }
  const denoms = new Map<string, Set<string>>()
  for (const { place, denom } of parts.flatMap(bankPlaces)) {
    const [contract, ...others] = contracts.get(place) ?? []
    if (contract === undefined || others.length > 0) continue
    denoms.set(contract, (denoms.get(contract) ?? new Set()).add(denom))
  }
  return new Map(
    [...denoms].flatMap(([contract, [denom, ...others]]) =>
      denom !== undefined && others.length === 0 ? [[contract, denom] as const] : [],
    ),
  )
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
