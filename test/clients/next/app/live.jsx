'use client'
import { liveBlocksDocument, searchDocument } from '@portolan/client/operations'
import { ClientProvider, queryOptions, useClient, useConnectionStatus, useLiveList } from '@portolan/client/react'
import { useTransfer } from '@portolan/client/react/wallet'
import { QueryClient, QueryClientProvider, useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { openClient } from './gateway.js'

function Blocks() {
  const { data, status } = useLiveList(liveBlocksDocument, { chainId: 'galley-1' }, { limit: 5 })
  return <p id="blocks">{`${status}, ${data.length} blocks, ${useConnectionStatus()}`}</p>
}

function Transfer() {
  const { data, status } = useTransfer({ chainId: 'osmosis-1', hash: '00' })
  return <p id="transfer">{data?.state ?? status}</p>
}

function Found() {
  const { data } = useSuspenseQuery(queryOptions(useClient(), searchDocument, { text: '1041' }))
  return <p id="found">{`${data.search.results.length} results`}</p>
}

export function Live() {
  const [queries] = useState(() => new QueryClient())
  const [client] = useState(openClient)
  return (
    <QueryClientProvider client={queries}>
      <ClientProvider value={client}>
        <Blocks />
        <Transfer />
        <Suspense fallback={<p>Searching</p>}>
          <Found />
        </Suspense>
      </ClientProvider>
    </QueryClientProvider>
  )
}
