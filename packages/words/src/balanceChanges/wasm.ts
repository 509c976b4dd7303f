import type { Steps } from '#kit/steps'
import { type BalanceChange, nftAsset, type Owner, tokenAsset } from './change.ts'
import { bankChanges, coinChange } from './coins.ts'
import type { KnownDenoms } from './denoms.ts'
import { amountIn, type EventPart } from './events.ts'
import { createHolders, type Holders, hexAddress, noOwner, ownerOf } from './owners.ts'

/** The changes on a Wasm chain: coins by the events of the bank module, CW-20 and CW-721 by those of contracts. */
export function* wasmChanges(
  parts: readonly EventPart[],
  known: KnownDenoms | null,
  maxCoins: number,
): Steps<BalanceChange[]> {
  const holders = createHolders()
  const signers = yield* signersOf(parts)
  const changesOf = (part: EventPart): BalanceChange[] => {
    const { type, values, messageIndex } = part
    if (messageIndex === null) return []
    if (type !== 'wasm') {
      return bankChanges(part, maxCoins).map((change) => coinChange(change, 'COIN'))
    }
    const contract = values.get('_contract_address')
    if (!contract) return []
    const call = { values, contract: contract.toLowerCase(), messageIndex }
    return values.has('token_id') ? nftChanges(call, holders, signers.get(messageIndex)) : tokenChanges(call, known)
  }
  const all: BalanceChange[] = []
  for (const part of parts) {
    yield
    all.push(...changesOf(part))
  }
  return all
}

/** The report of a contract in one event. */
interface Call {
  readonly values: ReadonlyMap<string, string>
  readonly contract: string
  readonly messageIndex: number
}

/** The accounts of each action of a CW-20 contract, by the keys of its attributes. */
const tokenActions: Readonly<Record<string, readonly ('from' | 'to')[]>> = {
  transfer: ['from', 'to'],
  send: ['from', 'to'],
  transfer_from: ['from', 'to'],
  send_from: ['from', 'to'],
  mint: ['to'],
  burn: ['from'],
  burn_from: ['from'],
}

function tokenChanges({ values, contract, messageIndex }: Call, known: KnownDenoms | null): BalanceChange[] {
  const action = values.get('action') ?? ''
  const keys = Object.hasOwn(tokenActions, action) ? tokenActions[action] : undefined
  const amount = amountIn(values.get('amount'))
  // An action of the same name with other parties is one of another kind of contract.
  if (!keys || amount === null || !keys.every((key) => values.get(key))) return []
  const asset = tokenAsset(contract, known?.ofContract(contract) ?? null)
  return keys.map((key) => ({
    ...ownerOf(values.get(key) ?? ''),
    ...asset,
    amount: key === 'from' ? -amount : amount,
    messageIndex,
  }))
}

/**
 * An NFT that a CW-721 contract moved. Its events name the account that moved it, which can be an operator of
 * its owner. The owner is sure only if it got the NFT in the same transaction. Else the signer of the message is
 * named, as not sure, and a contract is not.
 */
function nftChanges(
  { values, contract, messageIndex }: Call,
  holders: Holders,
  signer: string | undefined,
): BalanceChange[] {
  const tokenId = values.get('token_id') ?? ''
  const nft = JSON.stringify([contract, tokenId])
  const asset = nftAsset(contract, tokenId)
  const changed = (owner: Owner, amount: bigint) => ({ ...owner, ...asset, amount, messageIndex })
  const lost = () => {
    const holder = holders.of(nft)
    if (holder.isOwnerKnown) return changed(holder, -1n)
    const sender = hexAddress(values.get('sender') ?? '')
    const isSigner = sender !== '' && sender === signer
    return changed(isSigner ? { account: sender, isOwnerKnown: false } : noOwner, -1n)
  }
  const got = (address: string) => {
    holders.set(nft, address)
    return changed(ownerOf(address), 1n)
  }
  const [owner, recipient] = [values.get('owner'), values.get('recipient')]
  switch (values.get('action')) {
    case 'mint':
      return owner ? [got(owner)] : []
    case 'transfer_nft':
    case 'send_nft':
      return recipient ? [lost(), got(recipient)] : []
    case 'burn': {
      const change = lost()
      holders.set(nft, null)
      return [change]
    }
    default:
      return []
  }
}

/** The signer of each message, which the chain itself reports before what the message does. */
function* signersOf(parts: readonly EventPart[]): Steps<Map<number, string>> {
  const signers = new Map<number, string>()
  for (const { type, values, messageIndex } of parts) {
    const sender = values.get('sender')
    if (type !== 'message' || messageIndex === null || !sender || !values.has('action')) continue
    yield
    if (!signers.has(messageIndex)) signers.set(messageIndex, hexAddress(sender))
  }
  return signers
}
