import { type Document, operationOf, type Rest, type TypedDocument, textOf } from './document.ts'
import { createLive, type Live, type LiveStatus } from './live.ts'
import type { PortolanError } from './portolanError.ts'
import { createQuery, type Http, type QueryOptions } from './query.ts'
import type { LiveEvent } from './readEvent.ts'
import type { ResumeRule, ResumeRules } from './resume.ts'
import { createTransport } from './transports.ts'
import { fullJitter, type RetryDelay } from './wait.ts'

// What the plugin writes, and what the functions of a client take and return. Programs have to name them.
export type { Document, Live, LiveEvent, LiveStatus, ResumeRule, ResumeRules, TypedDocument }

/** How a client reaches its gateway. */
export interface ClientOptions {
  /** URL of the graph, such as `https://gateway.example/graphql`. In a page, it may be relative. */
  readonly url: string
  /** The key of this client, or what returns it before each connection and request. */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined
  readonly fetch?: typeof fetch | undefined
  /** Default: the global one. With null, or where sockets are blocked: server-sent events. */
  readonly webSocketImpl?: typeof WebSocket | null | undefined
  /** The map that the plugin of `@portolan/client/codegen` wrote. */
  readonly resumes?: ResumeRules | undefined
  /** Milliseconds of silence after which a connection is examined. Default: 10,000. */
  readonly keepAlive?: number | undefined
  /** Milliseconds after which an answer that has not come is given up. Default: 30,000. */
  readonly timeout?: number | undefined
  /**
   * Send queries that are named by a hash or an id by GET, so that browsers and proxies keep their answers for as long
   * as the gateway says. Those that it does not know, and those with a long URL, are sent by POST. Default: false.
   */
  readonly preferGetForPersistedQueries?: boolean | undefined
  /** Default: exponential back-off with full jitter. */
  readonly retryDelay?: RetryDelay | undefined
}

/** How a subscription begins. */
export interface SubscribeOptions {
  readonly signal?: AbortSignal | undefined
  /**
   * `auto`: as the generated rules say. A cursor: the same, beginning after it. A rule: for a document that
   * no rule was generated for. Default: `auto`.
   */
  readonly resume?: string | ResumeRule | undefined
}

/** A client of one gateway. All its subscriptions share one socket. */
export interface Client {
  /**
   * Sends a query or mutation. Retries what the gateway refused for now, and, for queries, lost connections.
   * @throws PortolanError if it fails, with the data that arrived as `partialData`.
   */
  query<Data, Variables>(document: Document<Data, Variables>, ...rest: Rest<Variables, QueryOptions>): Promise<Data>
  /** Starts a subscription that continues after each loss, from its cursor. */
  subscribe<Data, Variables>(
    document: Document<Data, Variables>,
    ...rest: Rest<Variables, SubscribeOptions>
  ): Live<Data>
  /** `offline` if a subscription is, `connecting` if one is, else `live`. */
  readonly status: 'connecting' | 'live' | 'offline'
  /** Why a subscription gets nothing, such as that a proxy buffers. Undefined if that is not known. */
  readonly problem: PortolanError | undefined
  /** Calls back when the status or the problem may have changed. The returned function stops it. */
  onStatus(listener: () => void): () => void
}

/** Creates a client. It connects when it is used. */
export function createClient(options: ClientOptions): Client {
  const { apiKey, keepAlive = 10_000, resumes = {}, retryDelay = fullJitter } = options
  const { timeout = 30_000, preferGetForPersistedQueries = false } = options
  const { fetch = (...request) => globalThis.fetch(...request) } = options
  const { webSocketImpl = globalThis.WebSocket } = options
  const base = (globalThis as { location?: { href: string } }).location?.href
  const url = new URL(options.url, base).href
  const key = async () => (typeof apiKey === 'function' ? apiKey() : apiKey)
  const http: Http = {
    ...{ url, fetch, retryDelay, timeout, preferGetForPersistedQueries },
    async headers() {
      const value = await key()
      const authorization = value !== undefined && { authorization: `Bearer ${value}` }
      return { 'content-type': 'application/json', ...authorization }
    },
  }

  const sleepers = new Set<() => void>()
  const subscribe = createTransport({
    ...{ http, webSocketImpl, keepAlive },
    hello: async () => ({ apiKey: await key() }),
    // The gateway is reachable again, so no subscription waits any longer.
    onWorks() {
      for (const wake of sleepers) wake()
    },
  })

  const lives = new Map<Live<unknown>, LiveStatus>()
  const listeners = new Set<() => void>()
  const track = (live: Live<unknown>) => {
    const update = (status: LiveStatus) => {
      if (status === 'ended') lives.delete(live)
      else lives.set(live, status)
      for (const listener of listeners) listener()
    }
    live.onStatus(update)
    update(live.status)
  }

  return {
    query: createQuery(http),
    subscribe<Data, Variables>(
      document: Document<Data, Variables>,
      variables?: Variables,
      { signal, resume = 'auto' }: SubscribeOptions = {},
    ) {
      const query = textOf(document)
      const live = createLive<Data>({
        operation: { query, variables: { ...variables } },
        ...{ subscribe, retryDelay, sleepers, signal },
        rule: typeof resume === 'object' ? resume : resumes[operationOf(query).name],
        from: typeof resume === 'string' && resume !== 'auto' ? resume : undefined,
      })
      track(live)
      return live
    },
    get status() {
      const all = [...lives.values()]
      return (['offline', 'connecting'] as const).find((status) => all.includes(status)) ?? 'live'
    },
    get problem() {
      return [...lives.keys()].find(({ problem }) => problem)?.problem
    },
    onStatus(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
