import { useActivity } from '@portolan/client/react/wallet'
import type { UIEvent } from 'react'

/** The transactions of an account on all chains, newest first. */
export function Activity({ address }: { address: string }) {
  const { rows, error, hasMore, loadMore } = useActivity({ address })
  const onScroll = ({ currentTarget: list }: UIEvent) => {
    if (list.scrollTop + list.clientHeight > list.scrollHeight - 20) void loadMore()
  }
  return (
    <>
      {error && <p>Not everything can be shown: {error.message}</p>}
      <ol id="activity" style={{ height: 240, overflow: 'auto' }} onScroll={onScroll}>
        {rows.map(({ id, hash, chain, actions }) => (
          <li key={id} data-hash={hash}>
            {chain.prettyName}: {actions?.[0]?.summary ?? hash}
          </li>
        ))}
      </ol>
      {hasMore && <p>Scroll down for older ones.</p>}
    </>
  )
}
