import { bytesOf } from '#words/addresses/bytes'
import { pasted } from '../../kit/pasted.ts'
import { searchPrice } from '../indexer/block/byHash.ts'

/** How the hash of a transaction is written: as on Cosmos chains, EVM chains or Solana. */
export type HashForm = 'HEX' | 'PREFIXED_HEX' | 'BASE58'

/**
 * The text to search for: of a link to an explorer, the hash, address or height in its path. Hex of the length of an
 * address gets its 0x, and a number loses the commas between its digits.
 */
export function searchText(input: string): string {
  const seen = pasted(input)
  const text = textInLink(seen) ?? seen
  if (/^\d{1,3}(,\d{3})+$/.test(text)) return text.replaceAll(',', '')
  return /^[0-9a-f]{40}$/i.test(text) ? `0x${text}` : text
}

/** What a link names in its path, or after a #: a coin of IBC, else a hash, address or height. Undefined if nothing. */
function textInLink(text: string): string | undefined {
  // Browsers show addresses without what comes before the host.
  if (!/^(https?:\/\/|([\w-]+\.)+[a-z]{2,}\/).{1,2000}$/i.test(text)) return undefined
  const path = text.replace(/^(https?:\/\/)?[^/?#]*/i, '').replace(/%2f/gi, '/')
  const denom = /ibc\/[0-9a-f]{64}(?![0-9a-z])/i.exec(path)?.[0]
  const parts = path.split(/[/?#&=]/)
  const kinds = [findHashForm, isWholeAddress, (part: string) => /^\d{1,16}$/.test(part)]
  return denom ?? kinds.flatMap((is) => parts.findLast(is) ?? [])[0]
}

/**
 * Whether a text is an address of which nothing is cut. Hex may lack three leading zeros, which Move leaves out. Shorter
 * hex is a special address of Move: AIP-40 of Aptos has 0x0 to 0xf, and chains use up to two digits.
 */
const isWholeAddress = (text: string): boolean => bytesOf(text) !== null && !/^0x(.{3,36}|.{41,60})$/i.test(text)

/** A chain by its id or name, and a height of a block. */
export interface BlockPlace {
  readonly chain: string
  readonly height: bigint
}

/** The chain and the height in a text such as `galley-1/1041`, "Galley 1,041" or "galley block #1041". Null for another one. */
function parsePlace(text: string): BlockPlace | null {
  const [, before = '', digits = ''] =
    /^(.*?[^\s/#:])(?:\s*[/#:]\s*#?|\s+#?)(\d{1,16}|\d{1,3}(?:,\d{3})+)$/.exec(text) ?? []
  const chain = before.replace(/\s+(block|height)$/i, '')
  const height = parseHeight(digits.replaceAll(',', ''))
  return chain && height !== null ? { chain, height } : null
}

/** Prefixes of denoms that are no names. */
const denomPrefix = /^(cw20|erc20|evm|factory|ibc|l2|move)[/:]/i

/** The possible meanings of a text. Digits, a hash and an address are no names. */
export function findForm(text: string) {
  const hashForm = findHashForm(text)
  const isHash = hashForm === 'HEX' || hashForm === 'PREFIXED_HEX'
  const isNumber = /^\d+$/.test(text)
  const isAddress = isWholeAddress(text)
  const isDenom = denomPrefix.test(text)
  const isName = !hashForm && !isNumber && !isAddress && !isDenom
  return {
    /** Whether it is a hash that an indexer can have. */
    isHash,
    /** The form of the hash of a transaction on any chain. Null if it is none. */
    hashForm,
    /** Null if it is no height of a block. */
    height: isNumber ? parseHeight(text) : null,
    /** Null if it names no block of one chain. */
    place: isName ? parsePlace(text) : null,
    isAddress,
    /** The denom of an asset, or the address of its contract. */
    isDenom: isDenom || isAddress || isName,
    isChainId: (isNumber && !isHash) || isName,
    isName,
  }
}

/** Hashes are 32 bytes in hex. On Solana, the first signature of 64 bytes in base58 stands for one. */
function findHashForm(text: string): HashForm | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return 'HEX'
  if (/^0x[0-9a-f]{64}$/i.test(text)) return 'PREFIXED_HEX'
  return /^[1-9A-HJ-NP-Za-km-z]{86,88}$/.test(text) ? 'BASE58' : null
}

function parseHeight(digits: string): bigint | null {
  const height = digits.length > 16 ? 0n : BigInt(digits)
  return height >= 1n && height < 2n ** 53n ? height : null
}

/** The most upstream requests that a search sends, of which `askedCount` ask for transfers. One for many records counts as several. */
export function countRequests(text: string, chainCount: number, askedCount: number): number {
  const { isHash, hashForm, height, place, isAddress, isDenom, isChainId, isName } = findForm(text)
  // Of a hash: the transaction of either kind, whether the chain has an EVM, and the newest blocks.
  const ofHash = isHash ? 3 + searchPrice : 0
  const ofEach = ofHash + Number((height ?? place) !== null) + Number(isAddress) + Number(isName)
  const ofRouter = hashForm ? 1 + askedCount : 0
  return chainCount * ofEach + Number(isDenom) + Number(isChainId) + ofRouter
}
