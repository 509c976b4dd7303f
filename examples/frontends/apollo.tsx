import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { ApolloProvider, useQuery, useSubscription } from '@apollo/client/react'
import { liveLink } from '@portolan/client/apollo'
import { possibleTypes } from '@portolan/client/config'
import { typePolicies } from '@portolan/client/config/apollo'
import { useState } from 'react'
import * as documents from './documents.ts'
import { live, useStatus } from './live.ts'
import { address, chainId, hash, Rows, show, url, View } from './view.tsx'

const onGap = () => void client.refetchQueries({ include: 'active' })
const client = new ApolloClient({
  link: ApolloLink.from([liveLink(live, { onGap }), new HttpLink({ uri: url })]),
  cache: new InMemoryCache({ possibleTypes, typePolicies }),
})

function Page() {
  const [heights, setHeights] = useState<readonly number[]>([])
  const [newer, setNewer] = useState<readonly documents.Row[]>([])
  const page = gql(documents.activityPage)
  const { data, error, fetchMore } = useQuery<documents.ActivityPage>(page, {
    variables: { address },
    errorPolicy: 'all',
  })
  const list = data?.account.activity
  useSubscription<documents.LiveActivity>(gql(documents.liveActivity), {
    ...{ variables: { address, after: list?.liveCursor }, skip: !list },
    onData: ({ data }) => setNewer((rows) => [data.data?.activity.node ?? [], ...rows].flat()),
  })
  useSubscription<documents.LiveBlocks>(gql(documents.liveBlocks), {
    variables: { chainId },
    onData: ({ data }) => setHeights((all) => [data.data?.blocks.node?.height ?? [], ...all].flat()),
  })
  const transfer = gql(documents.watchTransfer)
  const watch = useSubscription<documents.WatchTransfer>(transfer, { variables: { chainId, hash } })
  const state = watch.data?.transfer.state
  const loadMore = () => void fetchMore({ variables: { after: list?.pageInfo.endCursor } })
  const rows = [...newer, ...(list?.nodes ?? [])]
  return (
    <View {...{ heights, state }} status={useStatus()}>
      <Rows {...{ rows, loadMore, error }} />
    </View>
  )
}

show(Page, ApolloProvider, client)
