import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A router and an indexer that count what they are asked. */
export interface CountingUpstream extends AsyncDisposable {
  readonly url: string
  /** Ends the transfers whose hash the rule names. */
  complete(isComplete: (hash: string) => boolean): void
  /** Whether the router knows only the transfers that it was asked to track. By default it knows all. */
  knowsTracked: boolean
  /** The newest block of the chain. */
  height: number
  /** Milliseconds that each response takes. */
  latencyMs: number
  /** The status of each response, unless it is not found. */
  status: number
  /** What was asked since the last look, as `METHOD target`. */
  requests(): string[]
  /** The most requests of one kind that were open at once. */
  readonly mostInFlight: { router: number; indexer: number }
}

const blockAt = (height: number) => ({
  ...{ chain_id: 'fleet-1', hash: `${height}`.padStart(64, 'A'), height: String(height) },
  timestamp: new Date(Date.UTC(2026, 0, 1) + height * 1_000).toISOString(),
  ...{ proposer: null, gas_used: '0', gas_wanted: '0', tx_count: '0', total_fee: [] },
})

export async function startCountingUpstream(): Promise<CountingUpstream> {
  const log: string[] = []
  const mostInFlight = { router: 0, indexer: 0 }
  const inFlight = { router: 0, indexer: 0 }
  let isComplete = (_hash: string) => false
  const state = { height: 100, latencyMs: 10, knowsTracked: false, status: 200 }
  const tracked = new Set<string>()
  const answer = (method: string, url: URL, body: string): unknown => {
    const hash = url.searchParams.get('tx_hash') ?? ''
    if (method === 'POST') {
      tracked.add(JSON.parse(body).tx_hash)
      return { explorer_link: 'https://example.com' }
    }
    if (url.pathname === '/v2/tx/status') {
      if (state.knowsTracked && !tracked.has(hash)) return undefined
      return { state: isComplete(hash) ? 'STATE_COMPLETED_SUCCESS' : 'STATE_PENDING' }
    }
    if (url.pathname === '/indexer/block/v1/blocks') {
      const limit = Number(url.searchParams.get('pagination.limit') ?? 1)
      const blocks = Array.from({ length: limit }, (_, back) => blockAt(state.height - back))
      return { blocks, pagination: { next_key: null, total: String(state.height) } }
    }
    return undefined
  }
  const server = createServer((request, response: ServerResponse) => {
    const { method = '', url = '/' } = request
    const body = text(request)
    log.push(`${method} ${url}`)
    const kind = url.startsWith('/v2') ? 'router' : 'indexer'
    inFlight[kind] += 1
    mostInFlight[kind] = Math.max(mostInFlight[kind], inFlight[kind])
    let isOver = false
    response.on('close', () => {
      if (!isOver) inFlight[kind] -= 1
      isOver = true
    })
    setTimeout(async () => {
      const json = answer(method, new URL(url, 'http://x'), await body)
      response.writeHead(json === undefined ? 404 : state.status, {
        'content-type': 'application/json',
      })
      response.end(JSON.stringify(json ?? { code: 5, message: 'tx not found', details: [] }))
    }, state.latencyMs)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    mostInFlight,
    complete(rule) {
      isComplete = rule
    },
    requests: () => log.splice(0),
    get knowsTracked() {
      return state.knowsTracked
    },
    set knowsTracked(knowsTracked) {
      state.knowsTracked = knowsTracked
    },
    get height() {
      return state.height
    },
    set height(height) {
      state.height = height
    },
    get latencyMs() {
      return state.latencyMs
    },
    set latencyMs(latencyMs) {
      state.latencyMs = latencyMs
    },
    get status() {
      return state.status
    },
    set status(status) {
      state.status = status
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
