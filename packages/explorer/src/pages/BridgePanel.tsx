import { type Query, useQuery } from '../app/useQuery.ts'
import { BridgeTransfersDocument, type BridgeTransfersQuery } from '../generated/graphql.ts'
import { BridgeTransferStory, type Followed } from '../parts/BridgeTransfer.tsx'
import { Failed } from '../parts/Failed.tsx'
import { Panel } from '../parts/Panel.tsx'
import { text } from '../text.ts'

/** What a transaction did to movements of coins between chains. It is read after the page, since it asks other chains. */
export const BridgePanel = (of: { chainId: string; hash: string }) => (
  <BridgeStories of={useQuery(BridgeTransfersDocument, of)} />
)

/** The movements of a transaction. On the page of a transfer, what it has told above is not told again. */
export function BridgeStories({ of, followed }: { of: Query<BridgeTransfersQuery>; followed?: Followed }) {
  const found = of.data?.transaction?.movements ?? []
  if (found.length === 0 && !of.error) return null
  return (
    <Panel title={text.accountTabs.bridges} note={found.length > 1 && found.length} of={of.operation}>
      <Failed error={of.error} onRetry={of.reload} />
      {found.map((movement, index) => (
        <BridgeTransferStory key={index} of={movement} followed={followed} />
      ))}
    </Panel>
  )
}
