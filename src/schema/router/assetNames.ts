import { type Pieces, piecesOf } from '../../graphql/pieces.ts'
import { labelText, writtenLabel } from '../chain/labels.ts'

/** The names that an asset is found by. */
interface Names {
  readonly symbol: string | null
  readonly recommended_symbol: string | null
  readonly name: string | null
  readonly denom: string
  readonly token_contract: string | null
}

/** An asset with its names in lower case. */
export interface Named<Body> {
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
  readonly names: Pieces<Named<Body>>
}

/** A list of assets that can be searched. Their names are written in lower case once. */
export const namedList = <Body extends Names>(all: readonly Body[]): NamedList<Body> => ({
  all,
  names: piecesOf(all, named),
})

function named<Body extends Names>(body: Body): Named<Body> {
  const { symbol, recommended_symbol, name, denom, token_contract } = body
  const labels = labelText([token_contract, symbol, recommended_symbol, name, denom])
  const symbols = [symbol, recommended_symbol].flatMap((each) => each?.toLowerCase() ?? [])
  return { body, symbols, labels, contractEnd: writtenLabel(token_contract ?? '').length + 1 }
}
