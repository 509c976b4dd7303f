import { hexOf } from '../../values/bech32.ts'

/** What a reader chose of the balance changes. An empty text chooses all, and hides what strangers send to deceive. */
export interface BalanceChangeChoice {
  readonly direction: 'in' | 'out' | ''
  /** An address of the other side in any spelling, or a part of one. */
  readonly party: string
  /** The denoms of an asset, with spaces between them. */
  readonly token: string
  readonly dust: 'show' | ''
}

/** What a list is chosen by: which way, with whom and in what. */
export type SideChoice = Pick<BalanceChangeChoice, 'direction' | 'party' | 'token'>

/** The asset of a balance change: an amount, an NFT or an object. */
export interface ChangedAsset {
  readonly kind?: string
  readonly amount?: string | null
  /** Token transfers name the coins of an EVM chain by their contracts. */
  readonly denom?: string | null
  readonly tokenId?: string | null
  readonly objectAddress?: string | null
  readonly asset?: { readonly isListed?: boolean } | null
  /** What a token is by its contract. Indexers list no collections of ERC-1155. */
  readonly standard?: string | undefined
}

/** The balance changes of an account by a transaction, as far as a choice regards it. */
export interface BalanceChangeRow {
  readonly chain: { readonly chainId: string }
  /** Who signed it first, in the spelling of its chain. */
  readonly signer: string | undefined
  readonly changes: readonly ChangedAsset[]
  /** The amounts of its sentences, where it changed no balance: one of 0, or what failed. */
  readonly named?: readonly ChangedAsset[]
  /** The addresses that it names. */
  readonly parties: readonly (string | null | undefined)[]
}

/**
 * The chains whose lists of assets were read, since a row has a listed asset or a price is known, by chain id and denom. Without
 * its list, no asset of a chain is known to be unlisted.
 */
export const listedChains = (
  rows: readonly BalanceChangeRow[],
  prices: ReadonlyMap<string, number>,
): ReadonlySet<string> =>
  new Set([
    ...rows.flatMap((row) => (assetsOf(row).some(({ asset }) => asset?.isListed) ? [row.chain.chainId] : [])),
    ...[...prices.keys()].map((key) => key.split(' ')[0] ?? ''),
  ])

/** What it moved, or names where it moved nothing. */
const assetsOf = ({ changes, named = [] }: BalanceChangeRow) => (changes.length > 0 ? changes : named)

/**
 * Whether somebody else moved nothing but amounts of 0, unlisted tokens and NFTs of unlisted collections: so look-alike
 * addresses get into lists, from which a reader copies them. What the account signed for itself and objects are never hidden.
 */
export function isDust(row: BalanceChangeRow, addresses: readonly string[], listed: ReadonlySet<string>): boolean {
  const { chain, signer } = row
  const assets = assetsOf(row)
  if (assets.length === 0 || signer === undefined || addresses.includes(signer)) return false
  return assets.every(({ amount, tokenId, objectAddress, asset, standard }) => {
    if (tokenId != null) return standard === 'ERC1155'
    if (objectAddress != null || amount == null) return false
    return /^-?0+$/.test(amount) || (listed.has(chain.chainId) && !asset?.isListed)
  })
}

/** Whether an address is the one of a text, in any spelling, or has the text in it. */
export function isParty(address: string | null | undefined, party: string): boolean {
  if (!address) return false
  const hex = hexOf(party)
  return hex ? hexOf(address) === hex : address.toLowerCase().includes(party.toLowerCase())
}

/** The most denoms of a filter that the gateway takes. */
const maxDenoms = 20

/** The denoms of the chosen asset. */
export const denomsOf = ({ token }: Pick<BalanceChangeChoice, 'token'>): readonly string[] =>
  token.split(' ').filter(Boolean).slice(0, maxDenoms)

/** An asset as a denom or a contract of the EVM names it. */
const plain = (name: string): string => name.toLowerCase().replace(/^evm\//, '0x')

/** Whether an asset is the chosen one. */
export function isToken({ denom }: ChangedAsset, choice: Pick<BalanceChangeChoice, 'token'>): boolean {
  const names = new Set(denomsOf(choice).map(plain))
  return names.size === 0 || (denom != null && names.has(plain(denom)))
}

/** Whether a change is one of the chosen asset that went the chosen way: negative amounts out, all others in. */
export const isChosenChange = (change: ChangedAsset, choice: Omit<SideChoice, 'party'>): boolean =>
  isToken(change, choice) &&
  (choice.direction === '' || (change.amount != null && change.amount.startsWith('-') === (choice.direction === 'out')))

/** Whether a row has the chosen party. */
export const hasParty = (
  { parties }: Pick<BalanceChangeRow, 'parties'>,
  { party }: Pick<BalanceChangeChoice, 'party'>,
): boolean => party === '' || parties.some((address) => isParty(address, party))

/**
 * Whether a row belongs to a choice of sides: one change must both be of the chosen asset and go the chosen way. What a row
 * only names went no way.
 */
export function isOfSides(row: BalanceChangeRow, choice: SideChoice): boolean {
  if (!hasParty(row, choice)) return false
  if (choice.direction === '' && choice.token === '') return true
  const assets = choice.direction === '' ? assetsOf(row) : row.changes
  return assets.some((asset) => isChosenChange(asset, choice))
}
