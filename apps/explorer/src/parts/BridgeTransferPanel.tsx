import { type QueryState, useQuery } from '@portolan/client/react'
import { BridgeTransfersDocument, type BridgeTransfersQuery } from '../generated/graphql.ts'
import { text } from '../text.ts'
import { BridgeTransferStory, type FollowedTransfer } from './BridgeTransfer.tsx'
import { FaultNote } from './FaultNote.tsx'
import { Panel } from './Panel.tsx'

/** The bridge transfers of a transaction. They are read after the page, since they are asked of other chains. */
export const BridgeTransferPanel = (of: { chainId: string; hash: string }) => (
  <BridgeTransferStories of={useQuery(BridgeTransfersDocument, of)} />
)

/** The bridge transfers that a query found. On the page of a transfer, what it has told above is not told again. */
export function BridgeTransferStories({
  of,
  followed,
}: {
  of: QueryState<BridgeTransfersQuery>
  followed?: FollowedTransfer
}) {
  const found = of.data?.transaction?.bridgeTransfers ?? []
  if (found.length === 0 && !of.error) return null
  return (
    <Panel title={text.accountTabs.bridges} note={found.length > 1 && found.length} of={of}>
      <FaultNote error={of.error} onRetry={of.refetch} />
      {found.map((one, index) => (
        <BridgeTransferStory key={index} of={one} followed={followed} />
      ))}
    </Panel>
  )
}
