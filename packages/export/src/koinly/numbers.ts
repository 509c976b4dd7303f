import { createHash } from 'node:crypto'
import { addNote, type Ledger, listIn } from '../table.ts'

/** Numbers go from 1 to this one. Koinly's help names none, and its users' files have small ones. */
const largest = 9_999

/**
 * The name of an asset without a known symbol, such as `NULL4711`. In the importer, a name is one currency in all files of a
 * wallet, so the number is a hash of the asset. One that another asset of this file has is not used a second time.
 */
export function numberedName(assetId: string, ledger: Ledger): string {
  const all = listIn(ledger, 'unnamed')
  const known = all.find((entry) => idIn(entry) === assetId)
  if (known !== undefined) return nameIn(known)
  addNote(ledger, 'unnamed')
  const names = new Set(all.map(nameIn))
  for (let attempt = 0; ; attempt++) {
    const name = `NULL${numberOf(assetId, attempt)}`
    if (names.has(name)) continue
    if (attempt > 0) addNote(ledger, 'renumbered')
    all.push(`${name} ${assetId}`)
    return name
  }
}

/** What a numbered name stands for. Empty for other currencies. */
export const meaningOf = (currency: string | null, ledger: Ledger): readonly string[] =>
  listIn(ledger, 'unnamed')
    .filter((entry) => nameIn(entry) === currency)
    .map((entry) => `${currency} is ${idIn(entry)}`)

const nameIn = (entry: string): string => entry.slice(0, entry.indexOf(' '))
const idIn = (entry: string): string => entry.slice(entry.indexOf(' ') + 1)

/** Each further attempt has one number more to choose from, so that there always is a free one. */
function numberOf(assetId: string, attempt: number): number {
  const hash = createHash('sha256').update(attempt === 0 ? assetId : `${assetId} ${attempt}`)
  return 1 + (hash.digest().readUInt32BE() % (largest + attempt))
}
