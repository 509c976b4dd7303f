import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type ChainEvent, eventsOfType } from './events.ts'
import { fieldsOf, fromJson, textOf, textsOf } from './fields.ts'

/** A log of an EVM contract. */
export interface EvmLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** A call of an EVM contract, or a payment to any account. */
export interface EvmCall {
  readonly actor: string | null
  readonly target: string | null
  /** The call data in hex. Null if it is not known. */
  readonly input: string | null
  readonly logs: readonly EvmLog[]
  readonly isSuccessful: boolean
}

/** Tokens that a log says to have moved. An amount for ERC-20, an id and an amount for NFTs. */
export interface TokenMove {
  readonly contract: string
  /** Null for new tokens. */
  readonly from: string | null
  /** Null for burnt tokens. */
  readonly to: string | null
  readonly amount: bigint
  readonly tokenId: bigint | null
}

const hashOf = (declaration: string): string =>
  `0x${bytesToHex(keccak_256(utf8ToBytes(declaration)))}`

/** The selector of a function: its first four bytes. */
export const selectorOf = (declaration: string): string => hashOf(declaration).slice(0, 10)

const topics = {
  transfer: hashOf('Transfer(address,address,uint256)'),
  single: hashOf('TransferSingle(address,address,address,uint256,uint256)'),
  batch: hashOf('TransferBatch(address,address,address,uint256[],uint256[])'),
}

/** What contracts report of allowances. */
export const approvalTopics = {
  one: hashOf('Approval(address,address,uint256)'),
  all: hashOf('ApprovalForAll(address,address,bool)'),
}

/** What the pools of Uniswap and of those like it report of a swap. */
export const swapTopics: readonly string[] = [
  'Swap(address,uint256,uint256,uint256,uint256,address)',
  'Swap(address,address,int256,int256,uint160,uint128,int24)',
].map(hashOf)

/** The logs in the events of a Cosmos transaction: MiniEVM writes each as JSON. Others are left out. */
export const logsInEvents = (events: readonly ChainEvent[]): readonly EvmLog[] =>
  eventsOfType(events, 'evm')
    .flatMap(({ attributes }) => attributes)
    .filter(({ key }) => key === 'log')
    .flatMap(({ value }): EvmLog[] => {
      const log = fieldsOf(fromJson(value))
      const address = textOf(log, 'address')
      return address
        ? [{ address, topics: textsOf(log.topics), data: textOf(log, 'data') ?? '0x' }]
        : []
    })

/** The words of 32 bytes in hex after an offset in bytes. Null if it is not hex, or ends within a word. */
export function wordsOf(hex: string, offset = 0): readonly bigint[] | null {
  const digits = hex.replace(/^0x/i, '').slice(2 * offset)
  if (!/^([0-9a-f]{64})*$/i.test(digits)) return null
  return (digits.match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
}

/** The address in a word. Null for the zero address, and for a number that is no address. */
export const addressOfWord = (word: bigint | undefined): string | null =>
  word && word < 1n << 160n ? `0x${word.toString(16).padStart(40, '0')}` : null

/** The name of a log, as the hash of its declaration. */
export const topicOf = ({ topics: [first] }: EvmLog): string | undefined => first?.toLowerCase()

/** The indexed values of a log. Null if one has another form. */
export function indexedOf({ topics: [, ...rest] }: EvmLog): readonly bigint[] | null {
  const words = rest.map((topic) => (/^0x[0-9a-f]{64}$/i.test(topic) ? BigInt(topic) : null))
  return words.includes(null) ? null : words.filter((word) => word !== null)
}

/** The tokens that a log says to have moved, by EIP-20, EIP-721 and EIP-1155. None for other logs. */
export function movesOf(log: EvmLog): readonly TokenMove[] {
  const [indexed, words] = [indexedOf(log), wordsOf(log.data)]
  const name = topicOf(log)
  if (!indexed || !words) return []
  const contract = log.address
  if (name === topics.transfer) {
    const between = { contract, from: addressOfWord(indexed[0]), to: addressOfWord(indexed[1]) }
    const [, , tokenId] = indexed
    if (tokenId !== undefined) return [{ ...between, amount: 1n, tokenId }]
    const [amount] = words
    return indexed.length === 2 && amount !== undefined
      ? [{ ...between, amount, tokenId: null }]
      : []
  }
  if (indexed.length !== 3) return []
  const between = { contract, from: addressOfWord(indexed[1]), to: addressOfWord(indexed[2]) }
  const [first, second] = words
  if (first === undefined || second === undefined) return []
  if (name === topics.single) return [{ ...between, tokenId: first, amount: second }]
  if (name !== topics.batch) return []
  const [ids, amounts] = [arrayAt(words, first), arrayAt(words, second)]
  if (ids.length !== amounts.length) return []
  return ids.map((tokenId, i) => ({ ...between, tokenId, amount: amounts[i] ?? 0n }))
}

/** The array at an offset in bytes. Empty if it does not fit into the words. */
function arrayAt(words: readonly bigint[], offset: bigint): readonly bigint[] {
  const start = offset % 32n === 0n && offset < 1n << 32n ? Number(offset / 32n) : words.length
  const length = words[start]
  if (length === undefined || length > BigInt(words.length - start - 1)) return []
  return words.slice(start + 1, start + 1 + Number(length))
}
