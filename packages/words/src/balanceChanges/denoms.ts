import { hexAddress } from './owners.ts'
import { metadataOf } from './stores.ts'

/** An asset of the chain, as a list of assets has it. */
export interface ListedDenom {
  readonly denom: string
  readonly tokenContract?: string | null | undefined
}

/** The denoms of a chain by what they are called in events. */
export interface KnownDenoms {
  /** The denom with this Move metadata, 64 hex digits. */
  ofMetadata(metadata: string): string | undefined
  /** The denom with this contract, in any spelling. */
  ofContract(contract: string): string | undefined
}

/**
 * The denom of a contract, or of the metadata of a Move token, both as changes have them. Null if neither the
 * transaction nor a list names it: that a list lacks it does not prove that it has the denom of its address.
 */
export type DenomOf = (contract: string) => string | null

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
