import { hexOf } from './bech32.ts'

/** What a reader chose of what was moved. An empty text chooses all, and hides what strangers send to deceive. */
export interface MovesChoice {
  readonly direction: 'in' | 'out' | ''
  /** An address of the other side in any spelling, or a part of one. */
  readonly party: string
  readonly dust: 'show' | ''
}

/** An amount that was moved, or a token or an object. */
export interface Moved {
  readonly kind?: string
  readonly amount?: string | null
  readonly tokenId?: string | null
  readonly objectAddress?: string | null
  readonly asset?: { readonly isListed?: boolean } | null
}

/** What a transaction moved of an account, as far as a choice regards it. */
export interface MovingRow {
  readonly chain: { readonly chainId: string }
  /** Who signed it first, in the spelling of its chain. */
  readonly signer: string | undefined
  readonly moved: readonly Moved[]
  /** The addresses that it names. */
  readonly parties: readonly (string | null | undefined)[]
}

/**
 * The chains whose lists of assets were read, since a row has a listed asset or a price is known, by chain id and denom. Without
 * its list, no asset of a chain is known to be unlisted.
 */
export const listedChains = (rows: readonly MovingRow[], prices: ReadonlyMap<string, number>): ReadonlySet<string> =>
  new Set([
    ...rows.flatMap(({ chain, moved }) => (moved.some(({ asset }) => asset?.isListed) ? [chain.chainId] : [])),
    ...[...prices.keys()].map((key) => key.split(' ')[0] ?? ''),
  ])

/**
 * Whether somebody else moved nothing but amounts of 0 and unlisted tokens: so look-alike addresses get into lists, from which
 * a reader copies them. What the account signed for itself, NFTs and objects are never hidden.
 */
export function isDust(
  { chain, signer, moved }: MovingRow,
  addresses: readonly string[],
  listed: ReadonlySet<string>,
): boolean {
  if (moved.length === 0 || signer === undefined || addresses.includes(signer)) return false
  return moved.every(({ amount, tokenId, objectAddress, asset }) => {
    if (tokenId != null || objectAddress != null || amount == null) return false
    return /^-?0+$/.test(amount) || (listed.has(chain.chainId) && !asset?.isListed)
  })
}

/** Whether an address is the one of a text, in any spelling, or has the text in it. */
export function isParty(address: string | null | undefined, party: string): boolean {
  if (!address) return false
  const hex = hexOf(party)
  return hex ? hexOf(address) === hex : address.toLowerCase().includes(party.toLowerCase())
}

/** Whether amounts went the chosen way: negative ones out, all others in. */
export const goes = (direction: MovesChoice['direction'], amounts: readonly (string | null | undefined)[]): boolean =>
  direction === '' || amounts.some((amount) => amount != null && amount.startsWith('-') === (direction === 'out'))

/** Whether a row has the chosen party. */
export const hasParty = ({ parties }: Pick<MovingRow, 'parties'>, { party }: MovesChoice): boolean =>
  party === '' || parties.some((address) => isParty(address, party))
