import { badInput } from '../upstream/error.ts'

/** How another service names a record: the fields of a key in Federation. */
export type Representation = Readonly<Record<string, unknown>>

/** Fields that name a record of a node type without its `id`. */
export interface NaturalKey {
  /** The fields, as `@key` has them: `chain { chainId } hash`. */
  readonly fields: string
  /** The key of the node. Throws `BAD_USER_INPUT` if a field is missing. */
  readonly keyOf: (representation: Representation) => string
}

/** The text of a field of a representation. Throws `BAD_USER_INPUT` if it has none. */
export function keyText(representation: Representation, field: string): string {
  const value = representation[field]
  if (typeof value === 'string' && value !== '') return value
  throw badInput(`The representation has no text in \`${field}\`.`)
}

/** A natural key: the chain id, and a field that is unique within the chain. */
export const keyOnChain = (field: string): NaturalKey => ({
  fields: `chain { chainId } ${field}`,
  keyOf: (representation) => {
    const { chain } = representation
    if (typeof chain !== 'object' || chain === null) {
      throw badInput('The representation has no `chain`.')
    }
    return `${keyText({ ...chain }, 'chainId')}/${keyText(representation, field)}`
  },
})
