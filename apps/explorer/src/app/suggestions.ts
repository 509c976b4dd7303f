import { byNumber, count } from '../values/format.ts'
import { links } from './links.ts'

/** The kinds of what is suggested. */
export type SuggestionKind = 'recent' | 'account' | 'transaction' | 'block' | 'chain' | 'asset' | 'collection'

/** A line below the search field. */
export interface Suggestion {
  readonly kind: SuggestionKind
  readonly label: string
  /** What tells it from others of the same label. */
  readonly detail?: string | undefined
  readonly href: string
}

interface Chain {
  readonly chainId: string
  readonly prettyName: string
}

interface Asset {
  readonly chainId: string
  readonly denom: string
  readonly symbol?: string | null
  readonly name?: string | null
  readonly originLabel: string
  readonly isListed: boolean
  readonly chain: { readonly prettyName: string }
}

/** Lines of each kind. */
const most = 5

/** What a link to another explorer names in its path: its last address or hash. The search reads heights and denoms too. */
function inLink(input: string): string | undefined {
  if (!/^(https?:\/\/|([\w-]+\.)+[a-z]{2,}\/)/i.test(input)) return undefined
  return input.split(/[/?#&=]/).findLast((part) => /[a-z]/i.test(part) && byForm(part, []).length > 0)
}

/** What a text can be by its form alone. Nobody is asked whether there is such a record. */
export function byForm(input: string, chains: readonly Chain[]): readonly Suggestion[] {
  const named = inLink(input)
  if (named !== undefined) return byForm(named, chains)
  const place = /^(.*[^\s/#:])(?:\s*[/#:]\s*#?|\s+#?)(\d{1,15})$/.exec(input)
  if (place) {
    const [, name = '', digits = ''] = place
    return blocksAt(digits, chainsWith(name, chains))
  }
  const height = /^#?(\d{1,15})$/.exec(input)?.[1]
  if (height) {
    return blocksAt(height, chains)
  }
  if (/^(0x)?[\da-f]{64}$/i.test(input)) {
    return [{ kind: 'transaction', label: input, href: links.search(input) }]
  }
  if (/^(0x[\da-f]{40}|[a-z]{1,20}1[02-9ac-hj-np-z]{38,58})$/i.test(input)) {
    return [{ kind: 'account', label: input, href: links.account(input) }]
  }
  return []
}

const blocksAt = (height: string, chains: readonly Chain[]): readonly Suggestion[] =>
  chains.slice(0, most).map(({ chainId, prettyName }) => ({
    kind: 'block',
    label: count(height),
    detail: prettyName,
    href: links.block(chainId, Number(height)),
  }))

const chainsWith = <One extends Chain>(input: string, chains: readonly One[]): readonly One[] => {
  const text = input.toLowerCase()
  return chains.filter(({ chainId, prettyName }) => `${prettyName} ${chainId}`.toLowerCase().includes(text))
}

/** The chains with a text in their name or id. */
export const chainsFor = (input: string, chains: readonly Chain[]): readonly Suggestion[] =>
  chainsWith(input, chains)
    .slice(0, most)
    .map(({ chainId, prettyName }) => ({
      kind: 'chain',
      label: prettyName,
      detail: chainId,
      href: links.chain(chainId),
    }))

/** Assets that were found for a text: those of that symbol first, then native ones. An unlisted asset is not suggested. */
export function assetsFor(input: string, assets: readonly Asset[]): readonly Suggestion[] {
  const rank = ({ symbol, originLabel }: Asset) =>
    (symbol?.toLowerCase() === input.toLowerCase() ? 0 : 2) + (originLabel === 'native' ? 0 : 1)
  return assets
    .filter(({ isListed }) => isListed)
    .toSorted((a, b) => rank(a) - rank(b) || byNumber(a.chain.prettyName, b.chain.prettyName))
    .slice(0, most)
    .map(({ chainId, denom, symbol, name, originLabel, chain }) => ({
      kind: 'asset',
      label: symbol || name || denom,
      detail: [chain.prettyName, originLabel].filter(Boolean).join(' · '),
      href: links.asset(chainId, denom),
    }))
}

interface Collection {
  readonly address: string
  readonly name: string
  readonly chain: Chain
}

/** Collections of NFTs that were found for a text. */
export const collectionsFor = (collections: readonly Collection[]): readonly Suggestion[] =>
  collections.slice(0, most).map(({ address, name, chain }) => ({
    kind: 'collection',
    label: name,
    detail: chain.prettyName,
    href: links.collection(chain.chainId, address),
  }))

const key = 'portolan:recent'

/** Reads what a browser has kept. What leads out of the explorer is left out. */
export function recentOf(kept: string | null): readonly Suggestion[] {
  let value: unknown
  try {
    value = JSON.parse(kept ?? '[]')
  } catch {
    return []
  }
  if (!Array.isArray(value)) return []
  return value
    .flatMap((one): Suggestion[] => {
      const { label, detail, href } = one ?? {}
      if (typeof label !== 'string' || typeof href !== 'string' || !/^\/(?!\/)/.test(href)) return []
      return [{ kind: 'recent', label, detail: typeof detail === 'string' ? detail : undefined, href }]
    })
    .slice(0, most)
}

/** What this reader has chosen or searched for last, newest first. */
export function recent(): readonly Suggestion[] {
  try {
    return recentOf(localStorage.getItem(key))
  } catch {
    return []
  }
}

/** Keeps what a reader has chosen in the browser. */
export function keepRecent({ label, detail, href }: Omit<Suggestion, 'kind'>): void {
  const others = recent().filter((one) => one.href !== href)
  try {
    localStorage.setItem(key, JSON.stringify([{ label, detail, href }, ...others].slice(0, most)))
  } catch {
    // A browser that keeps nothing has no recent ones.
  }
}
