import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { hexAddress } from './owners.ts'
import { metadataOf } from './stores.ts'

/** An asset of the chain, as a list of assets has it. */
export interface ListedDenom {
  readonly denom: string
  /** The address of its contract. */
  readonly tokenContract?: string | null | undefined
}

/** The denoms of a chain by what they are called in events. */
export interface KnownDenoms {
  /** The denom with this Move metadata, 64 hex digits. */
  ofMetadata(metadata: string): string | undefined
  /** The denom with this contract, in any spelling. */
  ofContract(contract: string): string | undefined
}

/** The assets of a chain as an index. It is made when it is first needed, and kept with the list. */
export function knownDenoms(all: readonly ListedDenom[]): KnownDenoms {
  let byContract: ReadonlyMap<string, string> | undefined
  let byMetadata: ReadonlyMap<string, string> | undefined
  return {
    ofMetadata(metadata) {
      byMetadata ??= new Map(all.map(({ denom }) => [metadataOf(denom), denom]))
      return byMetadata.get(metadata)
    },
    ofContract(contract) {
      byContract ??= new Map(all.flatMap(contractEntry))
      return byContract.get(hexAddress(contract))
    },
  }
}

function contractEntry({ denom, tokenContract }: ListedDenom): [string, string][] {
  const contract = tokenContract || contractIn(denom)
  return contract ? [[hexAddress(contract), denom]] : []
}

/** The contract that a denom of MiniEVM names. */
const contractIn = (denom: string): string | undefined =>
  /^evm\/[0-9a-f]{40}$/i.test(denom) ? denom.replace(/^evm\//i, '0x') : undefined

/** The denom that MiniEVM gives a contract without another: its address with the checksum of EIP-55. */
export function evmDenom(contract: string): string {
  const digits = contract.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const cased = [...digits].map((digit, i) =>
    Number.parseInt(hash[i] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `evm/${cased.join('')}`
}
