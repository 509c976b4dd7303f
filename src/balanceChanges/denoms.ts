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

/** Indexes the assets of a chain. The hashes are made when one is first asked for, and kept with the index. */
export function knownDenoms(all: readonly ListedDenom[]): KnownDenoms {
  const byContract = new Map(
    all.flatMap(({ denom, tokenContract }) => {
      const contract = tokenContract || contractIn(denom)
      return contract ? [[hexAddress(contract), denom] as const] : []
    }),
  )
  let byMetadata: ReadonlyMap<string, string> | undefined
  return {
    ofMetadata(metadata) {
      byMetadata ??= new Map(all.map(({ denom }) => [metadataOf(denom), denom]))
      return byMetadata.get(metadata)
    },
    ofContract: (contract) => byContract.get(hexAddress(contract)),
  }
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
