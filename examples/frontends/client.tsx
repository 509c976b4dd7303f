import { createClient } from '@portolan/client'
import { ClientProvider, useConnectionStatus, useLiveList } from '@portolan/client/react'
import { useTransfer } from '@portolan/client/react/wallet'
import { resumes } from './__generated__/resumes.ts'
import { Activity } from './Activity.tsx'
import * as documents from './documents.ts'
import { address, chainId, hash, show, url, View } from './view.tsx'

function Page() {
  const blocks = useLiveList<documents.LiveBlocks, object>(documents.liveBlocks, { chainId })
  const transfer = useTransfer({ chainId, hash })
  return (
    <View
      status={useConnectionStatus()}
      heights={blocks.data.map(({ blocks }) => blocks.node?.height)}
      state={transfer.data?.state}
    >
      <Activity address={address} />
    </View>
  )
}

show(Page, ClientProvider, createClient({ url, resumes }))
