import { useConnectionStatus } from '@portolan/client/react'
import { text } from '../text.ts'
import { ChainName, type ChainParts } from './recordLinks.tsx'

/** Says that a list is live, as long as it is: not while the connection is lost, and not for the chains that it lacks. */
export function LiveMark({ without = [] }: { without?: readonly ChainParts[] | undefined }) {
  if (useConnectionStatus() !== 'live') return null
  return (
    <>
      <span class="pulse">{text.live}</span>{' '}
      {without.map((chain) => (
        <span class="bad" key={chain.chainId}>
          {text.without} <ChainName chain={chain} />{' '}
        </span>
      ))}
    </>
  )
}
