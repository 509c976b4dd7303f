import type { ComponentChildren } from 'preact'
import { links } from '../app/links.ts'
import { useNow } from '../app/useNow.tsx'
import { Short } from '../parts/Short.tsx'
import { text } from '../text.ts'

/** A path that is none of a page. */
export const Lost = () => (
  <>
    <h1>{text.notFound}</h1>
    <p>
      {text.notFoundHint} <a href={links.home()}>{text.home}</a>
    </p>
  </>
)

/** A record that does not exist, and where else to look. */
export const Missing = ({ what, value, children }: { what: string; value: string; children?: ComponentChildren }) => (
  <p class="nothing">
    {what} <Short value={value} /> {text.noRecord} {children ?? <a href={links.search(value)}>{text.searchLabel}</a>}
  </p>
)

/** An NFT or a collection that the indexer does not have, such as those of ERC-1155, whose contract can still be known. */
export const Unlisted = ({
  chainId,
  contract,
  ...of
}: {
  what: string
  value: string
  chainId: string
  contract: string
}) => (
  <Missing {...of}>
    {text.unlistedNft} <a href={links.contract(chainId, contract)}>{text.asContract}</a>
  </Missing>
)

/** A transaction that no indexer knows yet, and when it is asked for again. */
export function NotYet({
  hash,
  when,
  onAsk,
}: {
  hash: string
  /** When it is asked for again, in a sentence. Undefined if it is not. */
  when: ComponentChildren
  onAsk: () => void
}) {
  return (
    <div class="nothing" role="status">
      <p>
        {text.transaction} <Short value={hash} /> {text.notYet}
      </p>
      <p>
        {when ?? text.askedEnough}{' '}
        {when === undefined && (
          <button type="button" onClick={onAsk}>
            {text.askAgain}
          </button>
        )}{' '}
        <a href={links.search(hash)}>{text.searchLabel}</a>
      </p>
    </div>
  )
}

/** The seconds until something is asked for again. */
export function AskedIn({ at }: { at: number }) {
  const seconds = Math.max(0, Math.ceil((at - useNow()) / 1000))
  // Screen readers say the sentence once, and no countdown.
  return <span aria-live="off">{seconds > 0 ? text.askedIn(seconds) : text.askedNow}</span>
}
