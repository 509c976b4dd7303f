import { keys, resolvers } from '@portolan/client/config/graphcache'
import { introspection } from '@portolan/client/config/introspection'
import { liveExchange } from '@portolan/client/urql'
import { cacheExchange } from '@urql/exchange-graphcache'
import { useState } from 'react'
import { Client, fetchExchange, Provider, useQuery, useSubscription } from 'urql'
import * as documents from './documents.ts'
import { live, useStatus } from './live.ts'
import { address, chainId, hash, Rows, show, url, View } from './view.tsx'

const onGap = () => location.reload()
const cache = cacheExchange({ schema: introspection, keys, resolvers })
const exchanges = [cache, liveExchange(live, { onGap }), fetchExchange]
const client = new Client({ url, exchanges, preferGetMethod: false })

function Page() {
  const [after, setAfter] = useState<string>()
  const [start, setStart] = useState<string>()
  const [{ data, error }] = useQuery<documents.ActivityPage>({
    ...{ query: documents.activityPage, variables: { address, after } },
  })
  const list = data?.account.activity
  if (list?.liveCursor && !start) setStart(list.liveCursor)
  const [newer] = useSubscription<documents.LiveActivity, readonly documents.Row[]>(
    { query: documents.liveActivity, variables: { address, after: start }, pause: !start },
    (rows = [], { activity }) => [activity.node ?? [], ...rows].flat(),
  )
  const [{ data: heights = [] }] = useSubscription<documents.LiveBlocks, readonly number[]>(
    { query: documents.liveBlocks, variables: { chainId } },
    (before = [], { blocks }) => [blocks.node?.height ?? [], ...before].flat(),
  )
  const watch = { query: documents.watchTransfer, variables: { chainId, hash } }
  const [transfer] = useSubscription<documents.WatchTransfer>(watch)
  const state = transfer.data?.transfer.state
  const rows = [...(newer.data ?? []), ...(list?.nodes ?? [])]
  const loadMore = () => setAfter(list?.pageInfo.endCursor ?? undefined)
  return (
    <View {...{ heights, state }} status={useStatus()}>
      <Rows {...{ rows, loadMore, error }} />
    </View>
  )
}

show(Page, Provider, client)
