import { useContext } from 'preact/hooks'
import { links } from '../app/links.ts'
import { type Mention, type SentencePart, type ToldAction, toParts } from '../app/sentence.ts'
import { text } from '../text.ts'
import { Names, PageAccount } from './known.ts'
import { Amount, ChainName, Short, Words } from './text.tsx'

/** What an action did. Everything that the sentence names is a link, and amounts are written as all others of the page. */
export function Sentence({ of, chainId }: { of: ToldAction; chainId: string }) {
  return (
    <bdi dir="auto">
      {toParts(of).map((part, index) => (
        <Part key={index} of={part} chainId={chainId} />
      ))}
    </bdi>
  )
}

/** Characters of a link that stay on one line of the narrowest screen. */
const oneLine = 32

function Part({ of, chainId }: { of: SentencePart; chainId: string }) {
  const { addresses } = useContext(PageAccount)
  const names = useContext(Names)
  const { names: thing } = of
  if (!thing) return <>{of.text}</>
  if (thing.kind === 'amount') return <Amount of={thing.amount} chainId={chainId} isPlain />
  if (thing.kind === 'chain') {
    return (
      <>
        {of.text} (<ChainName chain={thing.chain} />)
      </>
    )
  }
  const address = thing.kind === 'nft' ? thing.collection : thing.address
  if (thing.kind === 'account' && addresses.includes(address)) return <>{text.you}</>
  const known = names.get(address.toLowerCase())
  return (
    <a
      href={hrefOf(thing, chainId, known?.href)}
      title={address}
      class={of.text.length > oneLine ? 'lengthy' : undefined}
    >
      {known ? <Words>{known.name}</Words> : of.text}
      {known && thing.kind === 'nft' && (
        <>
          {' '}
          <Short value={`#${thing.tokenId}`} />
        </>
      )}
    </a>
  )
}

function hrefOf(thing: Exclude<Mention, { kind: 'amount' | 'chain' }>, chainId: string, known: string | undefined) {
  switch (thing.kind) {
    case 'nft':
      return links.nft(chainId, thing.collection, thing.tokenId)
    case 'collection':
      return known ?? links.collection(chainId, thing.address)
    case 'contract':
      return known ?? links.contract(chainId, thing.address)
    default:
      return known ?? links.account(thing.address)
  }
}
