import { inject, test } from 'vitest'
import { sandboxChains } from '../../packages/sandbox/src/chains.ts'
import {
  type Sandbox,
  type SandboxChain,
  type SandboxOptions,
  startSandbox,
} from '../../packages/sandbox/src/sandbox.ts'
import { createGateway, type Gateway, type GatewayInternals, type Limits } from '../../src/gateway.ts'
import { patientClock } from './patientClock.ts'

/** The moment tests play at. */
export const now = Date.UTC(2026, 10, 21, 12)

/** The sandbox's chains, so young that each has only this many blocks now. Tests of clocks count on even block times. */
export const youngChains = (blocks: number, at = now): SandboxChain[] =>
  sandboxChains.map((chain) => ({
    ...{ ...chain, isUneven: false },
    genesis: at - (blocks - 1) * chain.blockTime,
  }))

declare module 'vitest' {
  interface ProvidedContext {
    readonly isOdd: boolean
  }
}

/** Whether the worlds of this run are as odd as real services can be, unless a test says otherwise. */
export const isOddWorld = (): boolean => inject('isOdd') ?? false

/** `test` for a claim about records that an odd world changes. Other tests say what becomes of those. */
export const testOfPlainRecords = (): ReturnType<typeof test.skipIf> => test.skipIf(isOddWorld())

/** The chains of the sandbox by their virtual machine. */
export const chainIds = { MOVE: 'harbor-1', EVM: 'galley-1', WASM: 'lantern-1' } as const

/** One row for each chain, for `test.each`. */
export const everyChain = Object.entries(chainIds).map(([vm, chainId]) => ({ vm, chainId }))

export interface ErrorAnswer {
  readonly message: string
  readonly path?: (string | number)[]
  readonly extensions?: {
    code?: string
    service?: string
    reason?: string
    upstreamMessage?: string
    info?: string
  }
}

// Tests pick apart answers whose shape the document beside them gives.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Data = any

export interface Answer {
  readonly data?: Data
  readonly errors?: ErrorAnswer[]
}

/** A gateway over a sandbox, both on loopback. */
export interface World extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly url: string
  /** The parts that operations of the gateway share. */
  readonly shared: Gateway['shared']
  /** Sends a document over HTTP. */
  ask(query: string, variables?: Record<string, unknown>): Promise<Answer>
  /** The data of a document that has to succeed. */
  data(query: string, variables?: Record<string, unknown>): Promise<Data>
  /** The errors of a document that has to fail. */
  errors(query: string, variables?: Record<string, unknown>): Promise<ErrorAnswer[]>
  /** What the upstreams were asked since the last look. */
  requests(): string[]
  /** The answer of a document with what the upstreams were asked for it, as `service METHOD target`. */
  trace(query: string, variables?: Record<string, unknown>): Promise<Answer & { sent: string[] }>
  /** What an indexer itself answers to a GET of path and query; undefined for a 404. */
  rest(chainId: string, target: string): Promise<Data>
  /** Every record of an indexer's list, page by page along its own keys. */
  rows(chainId: string, path: string, query?: Record<string, string>): Promise<Data[]>
}

export interface WorldOptions extends SandboxOptions {
  /** Left out, the gateway has to find the VM of each chain by itself. */
  readonly vms?: 'configured' | 'probed'
  /** The gateway knows no more than the id and the URL of each chain, and no router. */
  readonly isBare?: boolean
  readonly limits?: Partial<Limits>
  readonly poller?: GatewayInternals['poller']
  readonly feeds?: GatewayInternals['feeds']
  /** The most requests open at once to the router. */
  readonly routerRequests?: number
  /** Whether the time of the gateway passes at its usual pace. Default: only if a test sets how long something may take. */
  readonly isTimed?: boolean
}

/** Starts a sandbox and a gateway over it, on free ports. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const sandbox = await startSandbox({
    clock: () => now,
    chains: youngChains(60),
    odd: isOddWorld(),
    ...options,
  })
  const { limits = {}, isTimed = 'timeoutMs' in limits || 'upstreamTimeoutMs' in limits } = options
  const gateway = await createGateway(
    {
      chains: sandbox.indexers.map(({ chainId, url, vm, feeAssets: _, ...known }) => ({
        ...{ chainId, url },
        ...(!options.isBare && known),
        vm: options.vms === 'probed' ? undefined : vm,
      })),
      router: options.isBare ? undefined : { url: sandbox.routerUrl, maxRequests: options.routerRequests },
      prices: options.isBare ? undefined : { url: sandbox.pricesUrl },
      limits,
    },
    {
      upstream: { backoff: () => 0 },
      poller: options.poller ?? {},
      feeds: options.feeds ?? {},
      ...(!isTimed && { clock: patientClock }),
    },
  )
  const ask = async (query: string, variables?: Record<string, unknown>): Promise<Answer> => {
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    return (await response.json()) as Answer
  }
  const requests = () => sandbox.requests.splice(0)
  const rest = async (chainId: string, target: string): Promise<Data> => {
    const base = sandbox.indexers.find((indexer) => indexer.chainId === chainId)?.url
    const response = await fetch(`${base}${target}`)
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`${response.status} for ${target}`)
    return response.json()
  }
  return {
    sandbox,
    url: gateway.url,
    shared: gateway.shared,
    ask,
    async data(query, variables) {
      const answer = await ask(query, variables)
      if (answer.errors) throw new Error(JSON.stringify(answer.errors))
      return answer.data
    },
    async errors(query, variables) {
      const answer = await ask(query, variables)
      if (!answer.errors) throw new Error(`no error in ${JSON.stringify(answer.data)}`)
      return answer.errors
    },
    requests,
    async trace(query, variables) {
      requests()
      const answer = await ask(query, variables)
      return { ...answer, sent: requests() }
    },
    rest,
    async rows(chainId, path, query = {}) {
      const rows: Data[] = []
      let key: string | null = null
      do {
        const paging = { 'pagination.limit': '1000', ...(key && { 'pagination.key': key }) }
        const body = await rest(chainId, `${path}?${new URLSearchParams({ ...query, ...paging })}`)
        const { pagination, ...lists } = body
        const [page] = Object.values<Data[]>(lists)
        rows.push(...(page ?? []))
        key = page?.length ? pagination.next_key : null
      } while (key)
      return rows
    },
    async [Symbol.asyncDispose]() {
      await gateway.close()
      await sandbox.close()
    },
  }
}
