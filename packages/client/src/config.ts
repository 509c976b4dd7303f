import * as tables from './config/generated/tables.ts'

export type { introspection } from './config/generated/tada.ts'

/** The types behind each interface and union, for the cache of Apollo Client. */
export const possibleTypes: Record<string, string[]> = tables.possibleTypes

/** The TypeScript type of each scalar, for GraphQL Code Generator. */
export const scalars = tables.scalars

/** The types of the scalars, for gql.tada. */
export type Scalars = {
  -readonly [Name in keyof typeof scalars]: (typeof scalars)[Name] extends 'number'
    ? number
    : (typeof scalars)[Name] extends 'string'
      ? string
      : unknown
}

/** Settings of the Relay compiler. Spread them into its own. */
export const relayConfig: { readonly customScalarTypes: Readonly<Record<string, string>> } = {
  customScalarTypes: scalars,
}
