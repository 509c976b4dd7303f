/** The documents of the pages, and how their subscriptions are resumed: `build.mjs` generates the rules. */
export const liveBlocks = `subscription LiveBlocks($chainId: ChainId!, $after: String) {
  blocks(chainId: $chainId, after: $after) { cursor node { id height } notice { kind message } }
}`

export const watchTransfer = `subscription WatchTransfer($chainId: ChainId!, $hash: String!) {
  transfer(chainId: $chainId, hash: $hash) { id state hops { bridge state } }
}`

const row = 'id hash timestamp chain { id prettyName } actions { title }'

export const activityPage = `query ActivityPage($address: Address!, $after: String) {
  account(address: $address) {
    id
    activity(first: 10, after: $after) {
      liveCursor
      nodes { ${row} }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

export const liveActivity = `subscription LiveActivity($address: Address!, $after: String) {
  activity(address: $address, after: $after) { cursor node { ${row} } notice { kind message } }
}`

export interface Row {
  readonly id: string
  readonly hash: string
  readonly actions: readonly { readonly title: string }[] | null
}

export interface ActivityPage {
  readonly account: {
    readonly activity: {
      readonly liveCursor: string | null
      readonly nodes: readonly Row[]
      readonly pageInfo: { readonly endCursor: string | null }
    }
  }
}

export interface LiveActivity {
  readonly activity: { readonly node: Row | null }
}

export interface LiveBlocks {
  readonly blocks: { readonly node: { readonly height: number } | null }
}

export interface WatchTransfer {
  readonly transfer: { readonly state: string }
}
