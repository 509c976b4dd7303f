import { isSameAddress } from '../addresses/bytes.ts'
import { addressOfWord, indexedOf, wordsOf } from '../balanceChanges/abi.ts'
import type { TokenTransfer } from '../balanceChanges/evmTransfers.ts'
import type { ActionNft, Draft, Piece } from './action.ts'
import { approvalTopics, type EvmCall, selectorOf, topicOf, transfersIn } from './evmLogs.ts'
import { coins, nftPieces, says, withAddress } from './sentence.ts'

// The functions of EIP-20, EIP-721 and EIP-1155. Their selectors are no proof, since any contract can have them: a
// call counts as one of them if its arguments fit and, unless it failed, if its logs say the same.

type Words = readonly bigint[]

interface Standard {
  readonly signature: string
  /** Number of words that the arguments have, if it is always the same. */
  readonly size?: number
  readonly read: (call: EvmCall, words: Words) => Draft | null
}

const standards: readonly Standard[] = [
  { signature: 'transfer(address,uint256)', size: 2, read: readTransfer },
  { signature: 'transferFrom(address,address,uint256)', size: 3, read: readTransferFrom },
  { signature: 'safeTransferFrom(address,address,uint256)', size: 3, read: readNftTransfer },
  { signature: 'safeTransferFrom(address,address,uint256,bytes)', read: readNftTransfer },
  { signature: 'safeTransferFrom(address,address,uint256,uint256,bytes)', read: readUnits },
  { signature: 'approve(address,uint256)', size: 2, read: readApproval },
  { signature: 'setApprovalForAll(address,bool)', size: 2, read: readApprovalForAll },
]

const bySelector = new Map(standards.map((standard) => [selectorOf(standard.signature), standard] as const))

/** The standard function that call data has the selector and the form of, with its arguments. */
function standardOf({ input }: EvmCall) {
  const standard = bySelector.get(input?.slice(0, 10).toLowerCase() ?? '')
  // Only the arguments before the bytes are read. Those need not end with a whole word.
  const length = standard?.size === undefined ? 10 + 64 * 4 : undefined
  const words = standard && input ? wordsOf(input.slice(0, length), 4) : undefined
  if (!standard || !words || words.length < (standard.size ?? 4)) return null
  if (standard.size !== undefined && words.length !== standard.size) return null
  return { standard, words }
}

/** The signature of a failed call that has the form of a standard one, since no log can confirm it. */
export function signatureOf(call: EvmCall): string | null {
  return call.isSuccessful ? null : (standardOf(call)?.standard.signature ?? null)
}

/** The action of a call of a standard function. Null for any other call. */
export function readStandardCall(call: EvmCall): Draft | null {
  const found = standardOf(call)
  return found?.standard.read(call, found.words) ?? null
}

const partsOf = (call: EvmCall, owner: string) => ({
  actor: owner,
  executor: isSameAddress(owner, call.actor) ? null : call.actor,
  contract: call.target,
  function: standardOf(call)?.standard.signature ?? null,
})

/** The move of a call's own contract that fits. */
const moveIn = ({ logs, target }: EvmCall, fits: (move: TokenTransfer) => boolean): TokenTransfer | undefined =>
  transfersIn(logs).find((move) => isSameAddress(move.contract, target) && fits(move))

function readTransfer(call: EvmCall, [to, amount = 0n]: Words): Draft | null {
  return call.actor ? sent(call, call.actor, addressOfWord(to), amount) : null
}

/** Tokens of an owner to a recipient. Null if the logs of a call that succeeded do not have it. */
function sent(call: EvmCall, owner: string, to: string | null, amount: bigint): Draft | null {
  if (!call.target || !to) return null
  const isMove = (move: TokenTransfer) =>
    move.tokenId === null && move.amount === amount && isSameAddress(move.from, owner) && isSameAddress(move.to, to)
  if (call.isSuccessful && !moveIn(call, isMove)) return null
  const amounts = [{ denom: call.target, amount }]
  const parts = partsOf(call, owner)
  return {
    kind: 'SEND',
    ...parts,
    counterparty: to,
    amounts,
    says: says(['Sent', 'send'], ' ', coins(amounts), withAddress('to', to)),
  }
}

/** The same function moves an amount of ERC-20, or the NFT with this id. Only a log shows which. */
function readTransferFrom(call: EvmCall, words: Words): Draft | null {
  if (!call.isSuccessful) return null
  const owner = addressOfWord(words[0])
  const [, to, third = 0n] = words
  return (owner && sent(call, owner, addressOfWord(to), third)) || readNftTransfer(call, words)
}

function readNftTransfer(call: EvmCall, words: Words): Draft | null {
  return sentNfts(call, words, 1n)
}

/** Any number of units of one id, by EIP-1155. */
function readUnits(call: EvmCall, words: Words): Draft | null {
  return sentNfts(call, words, words[3] ?? 0n)
}

function sentNfts(call: EvmCall, words: Words, quantity: bigint): Draft | null {
  const [from, to, tokenId = 0n] = words
  const [owner, counterparty] = [addressOfWord(from), addressOfWord(to)]
  if (!owner || !counterparty) return null
  const isMove = (move: TokenTransfer) =>
    move.tokenId === tokenId &&
    move.amount === quantity &&
    isSameAddress(move.from, owner) &&
    isSameAddress(move.to, counterparty)
  if (call.isSuccessful && !moveIn(call, isMove)) return null
  const nfts = [{ ...nftOf(call, tokenId), quantity }]
  const said = says(['Sent', 'send'], ' ', nftPieces(nfts), withAddress('to', counterparty))
  return { kind: 'NFT_TRANSFER', ...partsOf(call, owner), counterparty, nfts, says: said }
}

const nftOf = ({ target }: EvmCall, tokenId: bigint): ActionNft => ({
  collection: target,
  tokenId: String(tokenId),
  objectAddress: null,
})

/** The smallest amount that means no limit at all. */
const unlimited = 1n << 255n

/** The same function approves an amount of ERC-20, or the NFT with this id. Only a log shows which. */
function readApproval(call: EvmCall, [word, value = 0n]: Words): Draft | null {
  const { actor, target, isSuccessful } = call
  const spender = addressOfWord(word)
  if (!actor || !spender || !target) return null
  const approved = (what: Piece | readonly Piece[], parts?: Partial<Draft>): Draft => ({
    kind: 'APPROVE',
    ...partsOf(call, actor),
    counterparty: spender,
    ...parts,
    says: says(['Approved', 'approve'], ' ', { address: spender }, ' to spend ', what),
  })
  if (!isSuccessful) return approved(['tokens', ...withAddress('of', target)])
  const log = call.logs.find((each) => isSameAddress(each.address, target) && topicOf(each) === approvalTopics.one)
  const indexed = log ? indexedOf(log.topics) : undefined
  const isOwn = isSameAddress(addressOfWord(indexed?.[0]), actor) && isSameAddress(addressOfWord(indexed?.[1]), spender)
  if (!log || !isOwn) return null
  if (indexed?.[2] === value) {
    const nfts = [nftOf(call, value)]
    return approved(nftPieces(nfts), { nfts })
  }
  if (wordsOf(log.data)?.[0] !== value) return null
  const amounts = [{ denom: target, amount: value }]
  if (value < unlimited) return approved(coins(amounts), { amounts })
  return approved(['any amount', ...withAddress('of', target)])
}

function readApprovalForAll(call: EvmCall, [word, isGiven]: Words): Draft | null {
  const { actor, target, logs, isSuccessful } = call
  const operator = addressOfWord(word)
  if (!actor || !operator || !target || (isGiven !== 0n && isGiven !== 1n)) return null
  const isLogged = logs.some((each) => isSameAddress(each.address, target) && topicOf(each) === approvalTopics.all)
  if (isSuccessful && !isLogged) return null
  const all = withAddress('to spend all NFTs of', target)
  const parts = { ...partsOf(call, actor), counterparty: operator, kind: 'APPROVE' } as const
  return isGiven === 1n
    ? { ...parts, says: says(['Approved', 'approve'], ' ', { address: operator }, all) }
    : {
        ...parts,
        says: says(['Withdrew', 'withdraw'], ' the approval', withAddress('of', operator), all),
      }
}
