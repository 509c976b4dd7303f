/** A log of a contract. */
export interface EvmLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
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

/** The tokens that a log says to have moved. Empty for other logs, and for those of another form. */
export function transfersOf({ address: contract, topics, data }: EvmLog): TokenTransfer[] {
  const event = topics[0]?.toLowerCase()
  const indexed = topics.slice(1).map(wordOf)
  const words = wordsOf(data)
  if (indexed.includes(undefined) || !words) return []
  const [first = 0n, second = 0n, third = 0n] = indexed
  if (event === transfer) {
    const between = { contract, from: addressOf(first), to: addressOf(second) }
    const [amount] = words
    if (indexed.length === 3)
      return [{ standard: 'ERC721', amount: 1n, tokenId: third, ...between }]
    if (indexed.length !== 2 || amount === undefined) return []
    return [{ standard: 'ERC20', amount, tokenId: null, ...between }]
  }
  if (indexed.length !== 3) return []
  const between = {
    ...{ contract, from: addressOf(second), to: addressOf(third) },
    standard: 'ERC1155' as const,
  }
  if (event === transferSingle) {
    const [tokenId, amount] = words
    return tokenId === undefined || amount === undefined ? [] : [{ tokenId, amount, ...between }]
  }
  if (event !== transferBatch) return []
  const [ids, amounts] = [arrayAt(words, words[0]), arrayAt(words, words[1])]
  if (ids?.length !== amounts?.length) return []
  return (ids ?? []).map((tokenId, i) => ({ tokenId, amount: amounts?.[i] ?? 0n, ...between }))
}

/** The number in a topic. Undefined if it is not 32 bytes in hex. */
const wordOf = (topic: string): bigint | undefined =>
  /^0x[0-9a-f]{64}$/i.test(topic) ? BigInt(topic) : undefined

/** The words of 32 bytes in the data of a log. Undefined if it is not hex. */
function wordsOf(data: string): bigint[] | undefined {
  if (!/^(0x)?([0-9a-f]{64})*$/i.test(data)) return undefined
  return (data.replace(/^0x/i, '').match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
}

/** The ABI-encoded array at an offset in bytes. Undefined if it does not fit in the words. */
function arrayAt(words: readonly bigint[], offset = -1n): bigint[] | undefined {
  const start = offset >= 0n && offset % 32n === 0n ? Number(offset / 32n) : words.length
  const length = words[start]
  if (length === undefined || length > BigInt(words.length - start - 1)) return undefined
  return words.slice(start + 1, start + 1 + Number(length))
}

/** The address in a word. Null for the zero address, from which tokens are minted and to which they are burned. */
const addressOf = (word: bigint): string | null =>
  word === 0n ? null : `0x${word.toString(16).padStart(40, '0').slice(-40)}`
