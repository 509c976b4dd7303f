/** The part of a keyset list that is read. */
export interface KeyRange<T> {
  /** Records have greater keys than this. */
  readonly above: bigint
  /** Records have smaller keys than this. Undefined up to the newest. */
  readonly below: bigint | undefined
  /** Whether a record is in the range: the records of some lists do not show their keys. */
  readonly has: (item: T) => boolean
}
