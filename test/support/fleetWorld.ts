import { parse, subscribe } from 'graphql'
import { pino } from 'pino'
import type { LiveContext } from '../../src/engine/graphql/builder.ts'
import type { Limits } from '../../src/engine/limits/limits.ts'
import { RequestScope } from '../../src/engine/upstream/requestScope.ts'
import { createGateway, type Gateway, type GatewayInternals, type GatewayOptions } from '../../src/gateway.ts'
import { schema } from '../../src/schema/schema.ts'
import type { CountingUpstream } from './countingUpstream.ts'
import type { Data } from './world.ts'

/** A gateway of a fleet, and its log. */
export interface Member extends AsyncDisposable {
  readonly gateway: Gateway
  readonly log: Record<string, unknown>[]
  /** Opens a subscription and collects what it gives. */
  watch(query: string, variables?: Record<string, unknown>): Promise<MemberWatch>
  /** Resolves when a line of the log has this beginning. */
  logged(text: string): Promise<void>
}

/** What a subscription has given so far. */
export interface MemberWatch {
  readonly events: Data[]
  readonly done: Promise<unknown>
  leave(): Promise<unknown>
}

/** Starts a gateway over an upstream, with the Redis at this URL. */
export async function startMember(
  upstream: Pick<CountingUpstream, 'url'>,
  redisUrl: string | undefined,
  limits: Partial<Limits> = { maxOpenPerClient: 100_000 },
  options: Partial<GatewayOptions> = {},
  internals: GatewayInternals = {},
): Promise<Member> {
  const lines: Record<string, unknown>[] = []
  const waiters = new Set<() => void>()
  const write = (line: string) => {
    lines.push(JSON.parse(line))
    for (const wake of waiters) wake()
  }
  const log = pino({ level: 'info' }, { write })
  const { url } = upstream
  const gateway = await createGateway(
    {
      chains: [{ chainId: 'fleet-1', url, vm: 'move' }],
      router: { url, maxRequests: 64 },
      ...(redisUrl !== undefined && { redis: { url: redisUrl } }),
      ...{ limits, log },
      ...options,
    },
    { ...internals, poller: { maxTargets: 100_000, ...internals.poller } },
  )
  return {
    gateway,
    log: lines,
    logged: (text) =>
      new Promise((resolve) => {
        const check = () => {
          if (!lines.some(({ msg }) => String(msg).startsWith(text))) return
          waiters.delete(check)
          resolve()
        }
        waiters.add(check)
        check()
      }),
    async watch(query, variables = {}) {
      const context: LiveContext = {
        ...gateway.shared,
        scope: new RequestScope(new AbortController().signal, gateway.shared),
        errorsBeside: [],
      }
      const events: Data[] = []
      const stream = await subscribe({
        ...{ schema, document: parse(query), variableValues: variables, contextValue: context },
      })
      if (!(Symbol.asyncIterator in stream)) throw new Error(JSON.stringify(stream.errors))
      const run = async () => {
        for await (const event of stream) events.push(event)
        return 'completed'
      }
      const done = run().catch((error: unknown) => error)
      return { events, done, leave: async () => stream.return(undefined) }
    },
    [Symbol.asyncDispose]: () => gateway.close(),
  }
}

/** The hash of a transfer by its number. */
export const hashOf = (number: number): string => number.toString(16).toUpperCase().padStart(64, '0')
