import { isSameAddress } from '../addresses/bytes.ts'
import type { TokenTransfer } from '../balanceChanges/evmTransfers.ts'
import type { ActionAmount, ActionNft, Draft } from './action.ts'
import { type EvmCall, swapTopics, topicOf, transfersIn } from './evmLogs.ts'
import { readStandardCall, signatureOf } from './evmStandards.ts'
import { coins, nftPieces, says, withAddress } from './sentence.ts'

/** The action of a call, by its arguments and logs. */
export const readEvmCall = (call: EvmCall): Draft =>
  readStandardCall(call) ?? payment(call) ?? swap(call) ?? mint(call) ?? move(call) ?? otherCall(call)

const hasNoInput = ({ input }: EvmCall): boolean => input === '0x' || input === ''

/** A call without data sends coins of the chain, which one log names. */
function payment(call: EvmCall): Draft | null {
  const { actor, target, logs } = call
  if (!target) return null
  const [move, ...others] = transfersIn(logs)
  const isPayment = move?.tokenId === null && isSameAddress(move.from, actor) && isSameAddress(move.to, target)
  const isOnly = others.length === 0 && logs.length === 1
  const amounts = isPayment && isOnly ? [amountOf(move)] : []
  // A payment is known by its log alone if the data is missing.
  if (call.input === null ? amounts.length === 0 : !hasNoInput(call)) return null
  const said = says(['Sent', 'send'], ' ', coins(amounts), withAddress('to', target))
  return { kind: 'SEND', actor, counterparty: target, amounts, says: said }
}

const amountOf = ({ contract, amount }: TokenTransfer): ActionAmount => ({
  denom: contract,
  amount,
})

/** A swap by pools of a known kind: the actor ends with less of one token and more of another. */
function swap({ actor, target, input, logs }: EvmCall): Draft | null {
  if (!logs.some((log) => swapTopics.includes(topicOf(log) ?? ''))) return null
  const sums = new Map<string, bigint>()
  for (const { contract, from, to, amount, tokenId } of transfersIn(logs)) {
    if (tokenId !== null) continue
    const sum = sums.get(contract) ?? 0n
    // Tokens minted to the actor are shares, such as those of a pool, and no side of a swap.
    if (from === null && isSameAddress(to, actor)) return null
    const got = isSameAddress(to, actor) ? amount : 0n
    sums.set(contract, sum + got - (isSameAddress(from, actor) ? amount : 0n))
  }
  const of = (sign: bigint): readonly ActionAmount[] =>
    [...sums].flatMap(([denom, sum]) => (sum * sign > 0n ? [{ denom, amount: sum * sign }] : []))
  const [amounts, received] = [of(-1n), of(1n)]
  if (amounts.length !== 1 || received.length !== 1) return null
  return {
    kind: 'SWAP',
    actor,
    contract: target,
    function: selectorIn(input),
    amounts,
    received,
    says: says(['Swapped', 'swap'], ' ', coins(amounts), ' for ', coins(received)),
  }
}

/** A call that gives the actor new NFTs, for which it pays at most. */
function mint({ actor, target, input, logs }: EvmCall): Draft | null {
  const all = transfersIn(logs)
  const paid = all.filter(({ from, tokenId }) => tokenId === null && isSameAddress(from, actor))
  const moves = all.filter((each) => !paid.includes(each))
  const nfts = moves.flatMap(({ contract, from, to, tokenId, amount }): ActionNft[] =>
    tokenId !== null && from === null && isSameAddress(to, actor)
      ? [{ collection: contract, tokenId: String(tokenId), objectAddress: null, quantity: amount }]
      : [],
  )
  if (nfts.length === 0 || nfts.length !== moves.length) return null
  const amounts = paid.map(amountOf)
  return {
    kind: 'NFT_MINT',
    actor,
    contract: target,
    function: selectorIn(input),
    nfts,
    amounts,
    says: says(['Minted', 'mint'], ' ', nftPieces(nfts), amounts.length > 0 ? [' for ', coins(amounts)] : []),
  }
}

/** The only move of a call without known data, of the actor's tokens by their contract. */
function move({ actor, target, input, logs }: EvmCall): Draft | null {
  const [first] = transfersIn(logs)
  if (input !== null || !first || logs.length > 1) return null
  const { contract, from, to, tokenId, amount } = first
  if (!to || !isSameAddress(from, actor) || !isSameAddress(contract, target)) return null
  const parts = { actor, counterparty: to, contract: target }
  if (tokenId === null) {
    const amounts = [amountOf(first)]
    const said = says(['Sent', 'send'], ' ', coins(amounts), withAddress('to', to))
    return { kind: 'SEND', ...parts, amounts, says: said }
  }
  const id = { tokenId: String(tokenId), objectAddress: null, quantity: amount }
  const nfts = [{ collection: contract, ...id }]
  const said = says(['Sent', 'send'], ' ', nftPieces(nfts), withAddress('to', to))
  return { kind: 'NFT_TRANSFER', ...parts, nfts, says: said }
}

/** The first four bytes of call data. Null if there are fewer. */
const selectorIn = (input: string | null): string | null =>
  /^0x[0-9a-f]{8}/i.exec(input ?? '')?.[0].toLowerCase() ?? null

function otherCall(call: EvmCall): Draft {
  const { actor, target, input } = call
  const selector = signatureOf(call) ?? selectorIn(input)
  return {
    kind: 'CONTRACT_CALL',
    actor,
    contract: target,
    function: selector,
    says: says(
      ['Called', 'call'],
      selector ? [' ', { called: selector }] : [],
      target ? withAddress(selector ? 'of' : '', target) : ' a contract',
    ),
  }
}
