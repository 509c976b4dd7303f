/** The body of a record that never changes. */
export interface SharedRecord {
  readonly body: string
  /** Milliseconds since it was read from the upstream. */
  readonly ageMs: number
}

/**
 * A second level of the cache: bodies of records that never change, which several gateways share. It is only
 * worth asking where it answers sooner than the upstream.
 */
export interface SharedRecords {
  /** Whether it can be asked now. */
  readonly isOpen: boolean
  /** The record that a target of a source has. Undefined if it is not known, or not soon. Never rejects. */
  find(source: string, target: string): Promise<SharedRecord | undefined>
  /** Keeps a record, if there is room. Never waits. */
  keep(source: string, target: string, body: string): void
}
