import { useMemo, useRef, useSyncExternalStore } from 'react'
import type { Client } from './client.ts'
import { type Document, operationOf, type Rest, textOf } from './document.ts'
import {
  type ConnectionOptions,
  type ConnectionSource,
  type ConnectionState,
  connectionSource,
} from './react/connection.ts'
import { ClientProvider, useClient } from './react/context.ts'
import { type QueryPages, type UsePagesOptions, usePages } from './react/pages.ts'
import { keyOf, type QueryState, type UseQueryOptions, useQuery } from './react/query.ts'
import { onReturn, type RetriedRead, useRetry } from './react/retry.ts'
import { type LiveState, liveSource, problemSource, statusSource } from './react/sources.ts'
import { createStore, type Source } from './react/store.ts'
import type { ResumeRule } from './resume.ts'

export type { ConnectionState, LiveState, QueryPages, QueryState, RetriedRead, UsePagesOptions, UseQueryOptions }
export { ClientProvider, onReturn, useClient, usePages, useQuery, useRetry }

/** Opens a source anew when the key changes, and reads its store. */
function useOpened<State, Opened extends Source<State>>(key: string, open: (client: Client) => Opened) {
  const client = useClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what the source depends on
  const { source, store, initial } = useMemo(() => {
    const source = open(client)
    return { source, store: createStore<State>(source), initial: () => source.initial }
  }, [client, key])
  return { source, state: useSyncExternalStore(store.subscribe, store.get, initial) }
}

const useSource = <State>(key: string, open: (client: Client) => Source<State>): State =>
  useOpened<State, Source<State>>(key, open).state

/** How a live component shows events. */
export interface UseLiveOptions<Data, State> {
  /** The value before the first event. */
  readonly initial: State
  readonly reduce: (state: State, event: Data) => State
  /** Called where events are missing: read anew what is shown. */
  readonly onGap?: ((reason: string) => void) | undefined
  /** How it is resumed. Default: as the generated rules say. */
  readonly rule?: ResumeRule | undefined
}

/** The events of a subscription, reduced to a state, which changes at most once in a frame. */
export function useLive<Data, Variables, State>(
  document: Document<Data, Variables>,
  variables: Variables,
  options: UseLiveOptions<Data, State>,
): LiveState<State> {
  const latest = useRef(options)
  latest.current = options
  return useSource(keyOf(document, variables), (client) =>
    liveSource(client, {
      ...{ document, variables, initial: options.initial, rule: options.rule },
      reduce: (state, event) => latest.current.reduce(state, event),
      onGap: (reason) => latest.current.onGap?.(reason),
    }),
  )
}

/** The newest events of a subscription, newest first, at most `limit` of them. */
export const useLiveList = <Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
  { limit = 50, onGap }: { limit?: number; onGap?: (reason: string) => void } = {},
): LiveState<readonly Data[]> =>
  useLive<Data, Variables, readonly Data[]>(document, variables, {
    initial: [],
    reduce: (events, event) => [event, ...events].slice(0, limit),
    onGap,
  })

/** The newest event of a subscription, such as the state of a transfer. Undefined before the first. */
export const useLatest = <Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
  { rule }: { rule?: ResumeRule } = {},
): LiveState<Data | undefined> =>
  useLive<Data, Variables, Data | undefined>(document, variables, {
    ...{ initial: undefined, rule },
    reduce: (_, event) => event,
  })

/** A followed list, and where its older pages are. */
export type UseLiveConnectionOptions<Page, PageVariables, Event, EventVariables, Row> = ConnectionOptions<
  Page,
  PageVariables,
  Event,
  EventVariables,
  Row
>

/** A followed list with older pages. */
export interface LiveConnection<Page, Row> extends ConnectionState<Page, Row> {
  /** Reads the next older page. */
  readonly loadMore: () => Promise<void>
}

/**
 * A page, what follows it live, and older pages on demand: no row is lost or twice. While a page lacks a chain, `error` names it,
 * and the page is read again until it has the rows of that chain.
 */
export function useLiveConnection<Page, PageVariables, Event, EventVariables, Row>(
  options: UseLiveConnectionOptions<Page, PageVariables, Event, EventVariables, Row>,
): LiveConnection<Page, Row> {
  const key = JSON.stringify([textOf(options.page), textOf(options.live), options.pageVariables, options.liveVariables])
  const { source, state } = useOpened<ConnectionState<Page, Row>, ConnectionSource<Page, Row>>(key, (client) =>
    connectionSource(client, options),
  )
  return { ...state, loadMore: source.loadMore }
}

/** Whether the client has its connection. A loss is shown after five seconds. */
export const useConnectionStatus = (): Client['status'] => useSource('status', statusSource)

/** Why a subscription gets nothing, such as that a proxy buffers. Undefined if that is not known. */
export const useConnectionProblem = (): Client['problem'] => useSource('problem', problemSource)

/** The options of a query for TanStack Query. */
export interface QueryOptionsOf<Data> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>
  /** The client has retries of its own, which know what the gateway said. */
  readonly retry: false
  readonly staleTime: number
}

/**
 * The options of a query for `useQuery` and `useSuspenseQuery` of TanStack Query. They are stale after a second;
 * spread others over them for what changes less often.
 */
export const queryOptions = <Data, Variables>(
  client: Client,
  document: Document<Data, Variables>,
  ...[variables]: Rest<Variables, never>
): QueryOptionsOf<Data> => {
  const text = textOf(document)
  const send = client.query as (...args: unknown[]) => Promise<Data>
  return {
    queryKey: ['portolan', operationOf(text).name, text, variables ?? {}],
    queryFn: ({ signal }) => send(document, variables, { signal }),
    retry: false,
    staleTime: 1_000,
  }
}
