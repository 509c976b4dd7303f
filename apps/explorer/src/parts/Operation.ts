/** What a panel asks for: a query of the page has these. */
export interface Operation {
  readonly document: { toString(): string }
  readonly variables: object
  /** When the answer that is shown came, in milliseconds since 1970. */
  readonly loadedAt?: number | undefined
}
