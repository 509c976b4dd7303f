import type { Steps } from '#kit/steps'
import { balanceChanges } from '../balanceChanges/balanceChanges.ts'
import { UnboundedChanges } from '../balanceChanges/bound.ts'
import type { BalanceChange } from '../balanceChanges/change.ts'
import type { ChainEvent } from '../balanceChanges/events.ts'
import type { EvmLog } from '../balanceChanges/evmTransfers.ts'
import type { ActionAmount, ActionNft, ActorChanges, Draft, Piece } from './action.ts'
import { coins, nftPieces, says } from './sentence.ts'

/** Of a message that failed, or whose changes are not read yet. */
export const noChanges: ActorChanges = { paid: [], got: [], gotNfts: [] }

/** The changes of an account by the events of one message, or by its logs. None if there is too much to read. */
export function* changesOfActor(
  events: readonly ChainEvent[],
  account: string,
  evmLogs?: readonly EvmLog[],
): Steps<ActorChanges> {
  try {
    const changes = yield* balanceChanges({ code: 0, events, evmLogs }, { account, known: null })
    const coinsOf = (sign: bigint) =>
      changes.flatMap((change) => (change.amount * sign > 0n ? amountOf(change, sign) : []))
    return { paid: coinsOf(-1n), got: coinsOf(1n), gotNfts: changes.flatMap(nftOf) }
  } catch (error) {
    if (!(error instanceof UnboundedChanges)) throw error
    return noChanges
  }
}

function amountOf({ kind, denom, contract, amount }: BalanceChange, sign: bigint): ActionAmount[] {
  if (kind !== 'COIN' && kind !== 'TOKEN') return []
  const units = { amount: amount * sign }
  if (denom !== null) return [{ denom, ...units }]
  if (contract === null) return []
  // The metadata of Move are longer than the contracts of the EVM.
  return /^0x[0-9a-f]{64}$/.test(contract)
    ? [{ denom: null, metadata: contract, ...units }]
    : [{ denom: contract, ...units }]
}

const nftOf = ({ kind, contract, tokenId, object, amount }: BalanceChange): ActionNft[] =>
  kind === 'NFT' && amount > 0n ? [{ collection: contract, tokenId, objectAddress: object, quantity: amount }] : []

/** The action with what it changed for its actor at its end, as far as its own words do not have it. */
export function withChanges(draft: Draft, { paid, got, gotNfts }: ActorChanges): Draft {
  const isPaidNew = paid.length > 0 && !draft.amounts?.length
  const isGotNew = got.length > 0 && !draft.received?.length
  const isNftNew = gotNfts.length > 0 && !draft.nfts?.length
  const gained: readonly Piece[] = [
    ...(isGotNew ? [coins(got)] : []),
    ...(isGotNew && isNftNew ? [' and '] : []),
    ...(isNftNew ? nftPieces(gotNfts) : []),
  ]
  return {
    ...draft,
    ...(isPaidNew && { amounts: paid }),
    ...(isGotNew && { received: got }),
    ...(isNftNew && { nfts: gotNfts }),
    says: says(
      draft.says.verb,
      draft.says.pieces,
      isPaidNew ? [', paid ', coins(paid)] : [],
      gained.length === 0 ? [] : [isPaidNew ? ' and got ' : ', got ', ...gained],
    ),
  }
}
