import { addressOfWord, arrayAt, indexedOf, isAddressWord, wordsOf } from './abi.ts'
import { defaultBounds } from './bound.ts'
import { parsed } from './events.ts'

export interface EvmLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** The log in an attribute of an event. MiniEVM writes it as JSON. Undefined for any other text. */
export function logIn(json: string): EvmLog | undefined {
  const value = parsed(json)
  if (typeof value !== 'object' || value === null) return undefined
  const { address, topics, data } = value as Partial<Record<keyof EvmLog, unknown>>
  const isLog =
    typeof address === 'string' &&
    typeof data === 'string' &&
    Array.isArray(topics) &&
    topics.every((topic) => typeof topic === 'string')
  return isLog ? { address, topics, data } : undefined
}

/** Tokens that moved from one account to another. */
export interface TokenTransfer {
  readonly standard: 'ERC20' | 'ERC721' | 'ERC1155'
  readonly contract: string
  /** Null for new tokens. */
  readonly from: string | null
  /** Null for burned tokens. */
  readonly to: string | null
  readonly amount: bigint
  readonly tokenId: bigint | null
}

// The hashes of the events of the standards: EIP-20 and EIP-721, and EIP-1155.

/** `Transfer(address,address,uint256)`: the last one is indexed in EIP-721 only. */
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** `TransferSingle(address,address,address,uint256,uint256)` */
const transferSingle = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
/** `TransferBatch(address,address,address,uint256[],uint256[])` */
const transferBatch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

/**
 * The tokens that a log says to have moved. Empty for other logs, and for those of another form.
 * @throws UnboundedChanges if one log moves too many.
 */
export function transfersOf({ address: contract, topics, data }: EvmLog): TokenTransfer[] {
  const event = topics[0]?.toLowerCase()
  if (event !== transfer && event !== transferSingle && event !== transferBatch) return []
  const indexed = indexedOf(topics)
  // A batch has two lists, each after its place and its length.
  const words = wordsOf(data, 0, 2 * defaultBounds.maxRows + 4)
  if (!indexed || !words) return []
  const [first = 0n, second = 0n, third = 0n] = indexed
  if (event === transfer) {
    if (![first, second].every(isAddressWord)) return []
    const between = { contract, from: addressOfWord(first), to: addressOfWord(second) }
    const [amount] = words
    if (indexed.length === 3) return [{ standard: 'ERC721', amount: 1n, tokenId: third, ...between }]
    if (indexed.length !== 2 || amount === undefined) return []
    return [{ standard: 'ERC20', amount, tokenId: null, ...between }]
  }
  if (indexed.length !== 3 || ![second, third].every(isAddressWord)) return []
  const between = {
    contract,
    from: addressOfWord(second),
    to: addressOfWord(third),
    standard: 'ERC1155' as const,
  }
  if (event === transferSingle) {
    const [tokenId, amount] = words
    return tokenId === undefined || amount === undefined ? [] : [{ tokenId, amount, ...between }]
  }
  const [ids, amounts] = [arrayAt(words, words[0]), arrayAt(words, words[1])]
  if (ids?.length !== amounts?.length) return []
  return (ids ?? []).map((tokenId, i) => ({ tokenId, amount: amounts?.[i] ?? 0n, ...between }))
}
