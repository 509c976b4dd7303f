import { useContext } from 'preact/hooks'
import { links } from '../app/links.ts'
import type { ActionSummaryFragment } from '../generated/graphql.ts'
import { text } from '../text.ts'
import { Amount } from './Amount.tsx'
import { ChainText } from './ChainText.tsx'
import { ModuleTag } from './ModuleTag.tsx'
import { NamesContext } from './NamesContext.ts'
import { PageAccountContext } from './PageAccountContext.ts'
import { ChainName } from './recordLinks.tsx'
import { useCollectionName } from './useCollectionName.ts'

type Part = ActionSummaryFragment['summaryParts'][number]

/** The sentence of an action as a text. */
export const textOf = ({ summaryParts }: Pick<ActionSummaryFragment, 'summaryParts'>): string =>
  summaryParts.map((part) => part.text).join('')

/** What an action did. Everything that the sentence names is a link, and amounts are written as all others of the page. */
export function Sentence({ of, chainId }: { of: ActionSummaryFragment; chainId: string }) {
  return (
    <bdi dir="auto">
      {of.summaryParts.map((part, index) => (
        <SentencePart key={index} of={part} chainId={chainId} />
      ))}
    </bdi>
  )
}

/** Parts that are "you" where the account of the page is meant. A contract keeps its name. */
const people: readonly Part['kind'][] = ['ACCOUNT', 'REMOTE_ACCOUNT', 'VALIDATOR']

/** Characters of a link that stay on one line of the narrowest screen. */
const oneLine = 32

function SentencePart({ of, chainId }: { of: Part; chainId: string }) {
  const { addresses } = useContext(PageAccountContext)
  const names = useContext(NamesContext)
  const address = of.account?.address ?? of.address ?? ''
  const collection = useCollectionName(chainId, of.kind === 'COLLECTION' && address ? address : undefined)
  if (of.amount) return <Amount of={of.amount} chainId={chainId} isPlain />
  if (of.chain) {
    return (
      <>
        {of.text} (<ChainName chain={of.chain} />)
      </>
    )
  }
  if (people.includes(of.kind) && addresses.includes(address)) return <>{text.you}</>
  const known = names.get(address.toLowerCase())
  const href = known?.href ?? hrefOf(of, chainId, address)
  const name = known?.name ?? collection
  if (!href) return <>{of.text}</>
  return (
    <>
      <a
        href={href}
        title={address || of.nft?.tokenId || undefined}
        class={of.text.length > oneLine ? 'lengthy' : undefined}
      >
        {name ? <ChainText>{name}</ChainText> : of.text}
      </a>
      {people.includes(of.kind) && <ModuleTag of={address} />}
    </>
  )
}

/** Where a part leads. Undefined for words, and for what has no page. */
function hrefOf({ kind, nft }: Part, chainId: string, address: string): string | undefined {
  if (nft?.collection && nft.tokenId != null) return links.nft(chainId, nft.collection.address, nft.tokenId)
  if (!address) return undefined
  if (kind === 'COLLECTION') return links.collection(chainId, address)
  return kind === 'CONTRACT' ? links.contract(chainId, address) : links.account(address)
}
