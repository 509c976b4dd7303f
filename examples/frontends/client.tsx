import { createClient } from '@portolan/client'
import { ClientProvider, useConnectionStatus, useLiveList } from '@portolan/client/react'
import { useActivity, useTransfer } from '@portolan/client/react/wallet'
import { resumes } from './__generated__/resumes.ts'
import * as documents from './documents.ts'
import { address, chainId, hash, show, url, View } from './view.tsx'

function Page() {
  const blocks = useLiveList<documents.LiveBlocks, object>(documents.liveBlocks, { chainId })
  const activity = useActivity({ address, pageSize: 10 })
  const transfer = useTransfer({ chainId, hash })
  return (
    <View
      status={useConnectionStatus()}
      heights={blocks.data.map(({ blocks }) => blocks.node?.height)}
      rows={activity.rows}
      state={transfer.data?.state}
      loadMore={activity.loadMore}
    />
  )
}

show(Page, ClientProvider, createClient({ url, resumes }))
