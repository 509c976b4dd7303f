import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import {
  createGateway,
  type Gateway,
  type GatewayInternals,
  type GatewayOptions,
  type ServiceOptions,
} from '../../src/gateway.ts'

/** One line of a log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly level: number }

/** A log at level debug, and its lines. */
export function recordLog() {
  const lines: LogLine[] = []
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line)) })
  return { log, lines, above: (level: number) => lines.filter((line) => line.level > level) }
}

/** A gateway over one indexer that the test writes, and its log. */
export interface LoggedGateway extends AsyncDisposable, ReturnType<typeof recordLog> {
  readonly gateway: Gateway
  /** The requests that the indexer received. */
  readonly received: IncomingMessage[]
}

/** Starts an indexer on loopback that runs `handle`, and a gateway for its chain `a-1`. */
export async function startLoggedGateway(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  options: Partial<GatewayOptions> & Pick<ServiceOptions, 'headers' | 'maxRequests'> = {},
  internals: GatewayInternals = {},
): Promise<LoggedGateway> {
  const received: IncomingMessage[] = []
  const indexer = createServer((request, response) => {
    received.push(request)
    handle(request, response)
  })
  await new Promise<void>((resolve) => indexer.listen(0, '127.0.0.1', resolve))
  const { port } = indexer.address() as AddressInfo
  const { headers, maxRequests, ...rest } = options
  const record = recordLog()
  const gateway = await createGateway(
    {
      chains: [{ chainId: 'a-1', url: `http://127.0.0.1:${port}`, vm: 'wasm', headers, maxRequests }],
      log: record.log,
      signingKeys: ['0123456789abcdef0123456789abcdef'],
      ...rest,
    },
    { upstream: { backoff: () => 0 }, ...internals },
  )
  return {
    ...record,
    gateway,
    received,
    async [Symbol.asyncDispose]() {
      await gateway.close()
      indexer.closeAllConnections()
      await new Promise((resolve) => indexer.close(resolve))
    },
  }
}
