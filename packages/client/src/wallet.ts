import type { TypedDocument } from './document.ts'
import type { LiveState } from './react/sources.ts'
import { type LiveConnection, useLatest, useLiveConnection } from './react.ts'
import type { ResumeRule } from './resume.ts'

export type { LiveConnection, LiveState }

/** A document in plain text, with its types. */
const typed = <Data, Variables>(text: string) => text as unknown as TypedDocument<Data, Variables>

/** The state of a transfer, in what trackers show. */
export interface TransferProgress {
  readonly state: string
  readonly outcome: string
  readonly isTerminal: boolean
  readonly hops: readonly {
    readonly bridge: string
    readonly state: string
    readonly fromChainId: string | null
    readonly toChainId: string | null
    readonly transactions: readonly {
      readonly kind: string
      readonly hash: string | null
      readonly explorerUrl: string | null
    }[]
  }[]
  readonly assetRelease: {
    readonly isReleased: boolean
    readonly chainId: string | null
    readonly denom: string | null
    readonly amount: string | null
  } | null
  readonly error: { readonly message: string | null } | null
}

/** The first transaction of a transfer. */
export interface TransferOf {
  readonly chainId: string
  readonly hash: string
}

const watchTransfer = typed<{ readonly transfer: TransferProgress }, TransferOf>(`subscription
WalletTransfer($chainId: ChainId!, $hash: String!) {
  transfer(chainId: $chainId, hash: $hash) {
    state outcome isTerminal
    hops { bridge state fromChainId toChainId transactions { kind hash explorerUrl } }
    assetRelease { isReleased chainId denom amount }
    error { message }
  }
}`)

/** Each connection begins with the present state. */
const presentState: ResumeRule = {}

/** A transfer as it proceeds. `data` is undefined before the first state. */
export function useTransfer({ chainId, hash }: TransferOf): LiveState<TransferProgress | undefined> {
  const { data, ...rest } = useLatest(watchTransfer, { chainId, hash }, { rule: presentState })
  return { ...rest, data: data?.transfer }
}

/** A transaction of an account, in what lists of activity show. */
export interface ActivityRow {
  readonly __typename: string
  readonly id: string
  readonly hash: string
  readonly height: number
  readonly timestamp: string | null
  readonly isSuccessful: boolean | null
  readonly chain: { readonly chainId: string; readonly prettyName: string | null }
  /** What it did, in words. Null if that cannot be read. */
  readonly actions: readonly { readonly kind: string; readonly title: string; readonly summary: string }[] | null
}

/** Whose activity is shown. */
export interface ActivityOf {
  /** In any spelling. */
  readonly address: string
  /** Default: all that the gateway serves. */
  readonly chainIds?: readonly string[]
  /** Transactions in a page. Default: 20. */
  readonly pageSize?: number
}

/** A page of activity. */
export interface ActivityPage {
  readonly account: {
    readonly activity: {
      readonly liveCursor: string | null
      readonly nodes: readonly (ActivityRow | null)[]
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
    } | null
  }
}

interface ActivityEvent {
  readonly activity: { readonly node: ActivityRow | null }
}

const row = `fragment WalletActivityRow on IndexedTransaction {
  __typename id hash height timestamp isSuccessful
  chain { chainId prettyName }
  actions { kind title summary }
}`

const activityPage = typed<ActivityPage, object>(`query WalletActivity(
  $address: Address!, $chainIds: [ChainId!], $first: Int!, $after: String
) {
  account(address: $address) {
    activity(first: $first, after: $after, filter: { chainIds: $chainIds }) {
      liveCursor
      nodes { ...WalletActivityRow }
      pageInfo { hasNextPage endCursor }
    }
  }
}
${row}`)

const liveActivity = typed<ActivityEvent, object>(`subscription
WalletLiveActivity($address: Address!, $chainIds: [ChainId!], $after: String) {
  activity(address: $address, chainIds: $chainIds, after: $after) {
    cursor
    node { ...WalletActivityRow }
    notice { kind message }
  }
}
${row}`)

const activityRule: ResumeRule = {
  cursor: 'activity.cursor',
  variable: 'after',
  notice: 'activity.notice',
  kind: 'activity.notice.kind',
}

/**
 * The transactions of an account on all chains, newest first: live at the top, and older pages on demand. While a chain cannot be
 * read, `error` says so. Its rows come in their order once it can.
 */
export function useActivity({
  address,
  chainIds,
  pageSize = 20,
}: ActivityOf): LiveConnection<ActivityPage, ActivityRow> {
  const whose = { address, ...(chainIds && { chainIds }) }
  return useLiveConnection<ActivityPage, object, ActivityEvent, object, ActivityRow>({
    page: activityPage,
    pageVariables: { ...whose, first: pageSize },
    live: liveActivity,
    liveVariables: whose,
    rule: activityRule,
    cursorOf,
    rowsOf,
    rowOf,
    keyOf,
    endCursorOf,
  })
}

const listOf = ({ account }: ActivityPage) => account.activity
const cursorOf = (page: ActivityPage) => listOf(page)?.liveCursor
const rowsOf = (page: ActivityPage) => listOf(page)?.nodes.filter((node) => node !== null) ?? []
const rowOf = ({ activity }: ActivityEvent) => activity.node
const keyOf = ({ id }: ActivityRow) => id
const endCursorOf = (page: ActivityPage) => {
  const { hasNextPage, endCursor } = listOf(page)?.pageInfo ?? {}
  return hasNextPage ? endCursor : null
}
