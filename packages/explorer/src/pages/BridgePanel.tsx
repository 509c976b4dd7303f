import { useQuery } from '../app/useQuery.ts'
import { BridgeTransfersDocument } from '../generated/graphql.ts'
import { BridgeTransferStory } from '../parts/BridgeTransfer.tsx'
import { Failed } from '../parts/Failed.tsx'
import { Panel } from '../parts/Panel.tsx'
import { text } from '../text.ts'

/** What a transaction did to movements of coins between chains. It is read after the page, since it asks other chains. */
export function BridgePanel({ chainId, hash }: { chainId: string; hash: string }) {
  const query = useQuery(BridgeTransfersDocument, { chainId, hash })
  const found = query.data?.transaction?.movements ?? []
  if (found.length === 0 && !query.error) return null
  return (
    <Panel title={text.accountTabs.bridges} note={found.length > 1 && found.length} of={query.operation}>
      <Failed error={query.error} onRetry={query.reload} />
      {found.map((movement, index) => (
        <BridgeTransferStory key={index} of={movement} />
      ))}
    </Panel>
  )
}
