import type { ComponentChildren } from 'preact'
import { links } from '../app/links.ts'
import { useNow } from '../app/useNow.tsx'
import { text } from '../text.ts'
import { MiddleEllipsis } from './MiddleEllipsis.tsx'

/** A transaction that no indexer knows yet, and when it is asked for again. */
export function PendingTransaction({
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
        {text.transaction} <MiddleEllipsis value={hash} /> {text.notYet}
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
export function RetryCountdown({ at }: { at: number }) {
  const seconds = Math.max(0, Math.ceil((at - useNow()) / 1000))
  // Screen readers say the sentence once, and no countdown.
  return <span aria-live="off">{seconds > 0 ? text.askedIn(seconds) : text.askedNow}</span>
}
