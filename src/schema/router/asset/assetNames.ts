import { type Pieces, splitIntoChunks } from '../../../engine/graphql/chunks.ts'
import { ifReadable, type Optional } from '../../../engine/wire/optional.ts'
import { labelText, writtenLabel } from '../../chain/labels.ts'

/** The names that an asset is found by. */
interface Names {
  readonly symbol: Optional<string>
  readonly recommended_symbol: Optional<string>
  readonly name: Optional<string>
  readonly denom: string
  readonly token_contract: Optional<string>
}

/** An asset with its names in lower case. */
export interface NamedAsset<Body> {
  readonly body: Body
  /** Its symbols: the issuer's and the recommended one. */
  readonly symbols: readonly string[]
  /** The address of its contract, its symbols, name and denom, as `labelText` writes them. */
  readonly labels: string
  /** Where the address of its contract ends in the labels. */
  readonly contractEnd: number
}

/** Assets in the order of their list, with their names in pieces. */
export interface NamedList<Body> {
  readonly all: readonly Body[]
  readonly names: Pieces<NamedAsset<Body>>
}

/** A list of assets that can be searched. Their names are written in lower case once. */
export const namedList = <Body extends Names>(all: readonly Body[]): NamedList<Body> => ({
  all,
  names: splitIntoChunks(all, named),
})

function named<Body extends Names>(body: Body): NamedAsset<Body> {
  const contract = ifReadable(body.token_contract)
  const [symbol, recommended] = [ifReadable(body.symbol), ifReadable(body.recommended_symbol)]
  const labels = labelText([contract, symbol, recommended, ifReadable(body.name), body.denom])
  const symbols = [symbol, recommended].flatMap((each) => each?.toLowerCase() ?? [])
  return { body, symbols, labels, contractEnd: writtenLabel(contract ?? '').length + 1 }
}
