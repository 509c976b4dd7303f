import type { AmountParts, ChainParts } from '../parts/text.tsx'

/** An account in its spellings. A sentence has any of them. */
interface Spelled {
  readonly address: string
  readonly hexAddress?: string | null
  readonly bech32Address?: string | null
}

/** An action with what its sentence names, as queries with the fragment `Told` have it. */
export interface ToldAction {
  readonly summary: string
  readonly actor?: Spelled | null
  readonly executor?: Spelled | null
  readonly counterparty?: Spelled | null
  readonly contract?: Spelled | null
  readonly validatorAddress?: string | null
  readonly remoteAddress?: string | null
  readonly channel?: string | null
  readonly otherChain?: ChainParts | null
  readonly amounts?: readonly AmountParts[] | null
  readonly receivedAmounts?: readonly AmountParts[] | null
  readonly nfts?: readonly ToldNft[] | null
}

interface ToldNft {
  readonly tokenId?: string | null
  readonly objectAddress?: string | null
  readonly collection?: Spelled | null
}

/** What a part of a sentence names. */
export type Mention =
  | { readonly kind: 'account' | 'contract' | 'collection'; readonly address: string }
  | { readonly kind: 'nft'; readonly collection: string; readonly tokenId: string }
  | { readonly kind: 'amount'; readonly amount: AmountParts }
  | { readonly kind: 'chain'; readonly chain: ChainParts }

/** A part of a sentence: its text there, and what it names, if it is known. The texts together are the sentence. */
export interface SentencePart {
  readonly text: string
  readonly names?: Mention
}

/** A text of a chain as sentences have it: a long one is cut to its prefix, its first characters and its last six. */
export function cutText(text: string, head = 6): string {
  const prefix = /^[a-z]{1,20}1(?=[02-9ac-hj-np-z]{20})|^0x/.exec(text)?.[0] ?? ''
  const start = prefix.length + head
  return text.length <= start + 7 ? text : `${text.slice(0, start)}…${text.slice(-6)}`
}

/** A text as sentences quote it: on one line, without characters that cannot be seen. */
const cleanText = (text: string): string =>
  text
    .replace(/[“”"]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu, '')
    .trim()

/** A text, what it names, and the whole of what it is cut from. */
type Found = readonly (readonly [text: string, names: Mention, whole?: string])[]

const spellings = ({ address, hexAddress, bech32Address }: Spelled): readonly string[] =>
  [address, hexAddress, bech32Address].filter((one) => one != null)

const accountTexts = (account: Spelled | null | undefined, kind: 'account' | 'contract' | 'collection'): Found =>
  account ? spellings(account).map((one) => [cutText(one), { kind, address: account.address }, one]) : []

function amountTexts(amount: AmountParts): Found {
  const names = { kind: 'amount', amount } as const
  const { formattedAmount, denom, asset } = amount
  if (formattedAmount != null && asset?.symbol) return [[`${formattedAmount} ${asset.symbol}`, names]]
  if (!denom) return []
  const units = amount.amount === '1' ? '1 base unit' : `${amount.amount} base units`
  return [
    [`${units} of token ${cutText(denom)}`, names],
    [`${units} of ${cutText(denom, 14)}`, names],
  ]
}

function nftTexts({ tokenId, objectAddress, collection }: ToldNft): Found {
  const object = objectAddress ? accountTexts({ address: objectAddress }, 'account') : []
  if (!collection) return object
  const ids = tokenId == null ? [] : [cutText(tokenId, 60), `“${cleanText(tokenId)}”`]
  const names = { kind: 'nft', collection: collection.address, tokenId: tokenId ?? '' } as const
  const whole = ids.flatMap((id) =>
    spellings(collection).map((address) => [`NFT ${id} of ${cutText(address)}`, names] as const),
  )
  return [...whole, ...accountTexts(collection, 'collection'), ...object]
}

/** The texts by which the sentence of an action can name something. Two different things of one text are named by none. */
function findMentions(action: ToldAction): ReadonlyMap<string, Mention> {
  const { actor, executor, counterparty, contract, validatorAddress, remoteAddress, channel, otherChain } = action
  const others = [validatorAddress, remoteAddress].flatMap((address) => (address ? { address } : []))
  const all: Found = [
    ...[actor, executor, counterparty, ...others].flatMap((account) => accountTexts(account, 'account')),
    ...accountTexts(contract, 'contract'),
    ...(action.nfts ?? []).flatMap(nftTexts),
    ...[...(action.amounts ?? []), ...(action.receivedAmounts ?? [])].flatMap(amountTexts),
    ...(channel && otherChain ? [[`IBC ${channel}`, { kind: 'chain', chain: otherChain }] as const] : []),
  ]
  const mentions = new Map<string, Mention>()
  const wholes = new Map<string, string>()
  const unclear = new Set<string>()
  for (const [text, names, whole] of all) {
    // An account has the same spelling on both chains of a bridge, which is one thing.
    if (whole && (wholes.get(text) ?? whole) !== whole) unclear.add(text)
    if (whole) wholes.set(text, whole)
    mentions.set(text, names)
  }
  for (const text of unclear) mentions.delete(text)
  return mentions
}

/** The name of a validator: capital words or a quotation, at the end of a clause. */
const validatorName =
  /(?<= (?:to|from) )(?:“[^“”]+”|\p{Lu}[\p{L}\p{N}]*(?: \p{Lu}[\p{L}\p{N}]*){0,3})(?=$|, (?:got|executed) )/gu

/** The name that stands in place of the address of a validator. A redelegation has the new one last. */
function validatorTexts({ summary, validatorAddress }: ToldAction): readonly (readonly [string, Mention])[] {
  const name = validatorAddress && [...summary.matchAll(validatorName)].at(-1)?.[0]
  return name ? [[name, { kind: 'account', address: validatorAddress }]] : []
}

const escaped = (text: string): string => text.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&')

/** A sentence in its parts. What the action does not name stays text. */
export function toParts(action: ToldAction): readonly SentencePart[] {
  const { summary } = action
  const mentions = new Map([...validatorTexts(action), ...findMentions(action)])
  if (mentions.size === 0) return [{ text: summary }]
  const texts = [...mentions.keys()].toSorted((a, b) => b.length - a.length).map(escaped)
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}.])(${texts.join('|')})(?![\\p{L}\\p{N}…])`, 'u')
  return summary
    .split(pattern)
    .filter((text) => text !== '')
    .map((text) => {
      const names = mentions.get(text)
      return names ? { text, names } : { text }
    })
}
