import { metadataOf } from '#words/balanceChanges/stores'
import { badInput } from '../../../engine/upstream/error.ts'
import { type Listed, UnreadableRecord } from '../../../engine/wire/decode.ts'
import type { TransactionRecord } from './wire.ts'

/** The most assets that a filter names. */
const maxDenoms = 20

/** The longest word that can name an asset. */
const maxLength = 200

/** Checks the denoms of a filter. Throws `BAD_USER_INPUT`. */
export function checkDenoms(denoms: readonly string[] | null | undefined): readonly string[] | undefined {
  if (denoms == null) return undefined
  if (denoms.length === 0) throw badInput('`denoms` must not be empty. Leave it out to list all.')
  if (denoms.length > maxDenoms) throw badInput(`At most ${maxDenoms} denoms are allowed.`, 'TOO_MANY_ENTRIES')
  if (denoms.some((denom) => denom.trim() === '' || denom.length > maxLength)) {
    throw badInput(`A denom has 1 to ${maxLength} characters, such as \`uinit\`.`)
  }
  return denoms
}

/** The contract that a denom of MiniEVM or of a Wasm chain is. */
const contractOf = (denom: string): string | undefined =>
  /^(?:evm\/|0x)([0-9a-f]{40})$/i.exec(denom)?.[1] ?? /^cw20:(.+)$/.exec(denom)?.[1]

/** The digits of an address in one spelling, and other words as they are. */
const plain = (word: string): string =>
  /^(?:0x)?[0-9a-f]{20,}$/i.test(word) ? word.toLowerCase().replace(/^(?:0x)?0*/, '') : word

/** What events call an asset: its denom, its contract, or the metadata of a Move token. */
const namesOf = (denom: string): readonly string[] => [denom, metadataOf(denom), contractOf(denom) ?? denom].map(plain)

/** Whether a text has one of these names as a word of its own, or after an amount: `transfer/channel-0/uinit` does not name `uinit`. */
function hasNameOf(names: ReadonlySet<string>, text: string): boolean {
  for (const [word] of text.matchAll(/[\w/:.-]+/g)) {
    if (word.length > maxLength) continue
    if (names.has(word) || names.has(plain(word)) || names.has(word.replace(/^\d+/, ''))) return true
  }
  return false
}

/** A predicate: whether an event of a record names one of these assets. True if its events cannot be read. */
export function hasDenomOf(denoms: readonly string[]): (tx: Listed<TransactionRecord>) => boolean {
  const names = new Set(denoms.flatMap(namesOf))
  return (tx) =>
    tx instanceof UnreadableRecord ||
    tx.events.some(({ isCoded, attributes }) => isCoded || attributes.some(({ value }) => hasNameOf(names, value)))
}
