import { createHash } from 'node:crypto'

/** Numbers go from 1 to this one. Koinly's help names none, and its users' files have small ones. */
const largest = 9_999

/**
 * The number of an asset, which is the same in all files. Each further attempt has one number more to choose from, so that
 * there always is a free one.
 */
export function numberOf(identity: string, attempt: number): number {
  const hash = createHash('sha256').update(attempt === 0 ? identity : `${identity} ${attempt}`)
  return 1 + (hash.digest().readUInt32BE() % (largest + attempt))
}
