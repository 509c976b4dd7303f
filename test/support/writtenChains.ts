import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bytesOf, toBech32 } from '#words/addresses/bytes'

// Chains whose transactions a test writes itself, behind indexers that serve them over HTTP, and a router that it scripts.

export interface WrittenEvent {
  readonly type: string
  readonly attributes: readonly { readonly key: string; readonly value: string }[]
}

export interface WrittenTransaction {
  readonly chainId: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly code?: number
  readonly messages: readonly object[]
  /** The events of each message. */
  readonly events: readonly (readonly WrittenEvent[])[]
  /** The events of the fee, which no message caused. */
  readonly feeEvents?: readonly WrittenEvent[]
  /** Accounts that the indexer lists it for besides those that its events and messages name. */
  readonly also?: readonly string[]
}

export const written = (type: string, values: Readonly<Record<string, string>>): WrittenEvent => ({
  type,
  attributes: Object.entries(values).map(([key, value]) => ({ key, value })),
})

/** An address of an account, by a number, on chains with this prefix. */
export const addressOf = (number: number, prefix = 'init'): string =>
  toBech32(createHash('sha256').update(`${number}`).digest('hex').slice(0, 40), prefix)

export interface WrittenChains extends AsyncDisposable {
  /** Adds transactions, and returns their hashes. */
  add(...transactions: readonly WrittenTransaction[]): string[]
  /** The URL of the indexer of a chain. */
  urlOf(chainId: string): string
  readonly routerUrl: string
  /** What the router says of a transaction, by its hash, or the HTTP status with which it fails. By default it does not know it. */
  readonly statuses: Map<string, object | number>
  /** The chains whose indexers fail. */
  readonly failing: Set<string>
  /** Takes transactions back, as a chain or an indexer that goes back does. */
  forget(...hashes: readonly string[]): void
  /** What was asked since the last look, as `chain target`. */
  requests(): string[]
}

interface Stored extends WrittenTransaction {
  readonly hash: string
  readonly sequence: number
  readonly named: ReadonlySet<string>
}

/** The bytes of all addresses in a text. */
const bytesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\b[a-z]{2,12}1[a-z0-9]{38}\b|\b0x[0-9a-f]{40}\b/g)].flatMap(([address]) => bytesOf(address) ?? [])

const indexed = ({ type, attributes }: WrittenEvent, more: WrittenEvent['attributes'] = []) => ({
  type,
  attributes: [...attributes, ...more].map((each) => ({ ...each, index: true })),
})

const toRecord = ({ hash, sequence, at, code = 0, messages, events, feeEvents = [] }: Stored) => ({
  ...{ txhash: hash, height: String(1_000 + sequence), codespace: '', code, data: '', raw_log: '', info: '' },
  ...{ gas_wanted: '1', gas_used: '1', timestamp: new Date(at).toISOString() },
  tx: {
    '@type': '/cosmos.tx.v1beta1.Tx',
    body: { messages, memo: '', timeout_height: '0' },
    auth_info: { signer_infos: [], fee: { amount: [], gas_limit: '1', payer: '', granter: '' } },
    signatures: [],
  },
  events: [
    ...feeEvents.map((each) => indexed(each)),
    ...events.flatMap((own, index) => own.map((each) => indexed(each, [{ key: 'msg_index', value: `${index}` }]))),
  ],
})

/** Serves the transactions of some chains, on ports of loopback. */
export async function startWrittenChains(): Promise<WrittenChains> {
  const stored: Stored[] = []
  const log: string[] = []
  const statuses = new Map<string, object | number>()
  const failing = new Set<string>()

  const listed = (chainId: string, query: URLSearchParams, isIn: (each: Stored) => boolean) => {
    const isReverse = query.get('pagination.reverse') !== 'false'
    const key = query.get('pagination.key')
    const bound = key ? Number(/\d+/.exec(Buffer.from(key, 'base64').toString())) : undefined
    const found = stored
      .filter((each) => each.chainId === chainId && isIn(each))
      .toSorted((a, b) => (isReverse ? b.sequence - a.sequence : a.sequence - b.sequence))
      .filter(({ sequence }) => bound === undefined || (isReverse ? sequence < bound : sequence > bound))
    const page = found.slice(0, Number(query.get('pagination.limit') ?? 100))
    const last = page.at(-1)?.sequence
    const next_key = last === undefined ? null : Buffer.from(`{"sequence":${last}}`).toString('base64')
    return { txs: page.map(toRecord), pagination: { next_key, total: '0' } }
  }

  const answer = (target: string): object | number | undefined => {
    const url = new URL(target, 'http://host')
    const [, chainId = '', route = ''] = /^\/([^/]+)(\/.*)$/.exec(url.pathname) ?? []
    if (chainId === 'router') {
      if (route === '/v2/tx/status') return statuses.get((url.searchParams.get('tx_hash') ?? '').toUpperCase())
      if (route === '/v2/info/chains') return { chains: [] }
      if (route === '/v2/fungible/assets') return { chain_to_assets_map: {} }
      return undefined
    }
    if (failing.has(chainId)) return 500
    const [, rest = ''] = /^\/indexer\/tx\/v1\/txs(.*)$/.exec(route) ?? []
    if (!route.startsWith('/indexer/tx/v1/txs')) return undefined
    const [, kind, value = ''] = /^\/(by_account|by_height)\/(.+)$/.exec(rest) ?? []
    if (kind === 'by_account') {
      const bytes = bytesOf(value)
      return listed(chainId, url.searchParams, ({ named }) => bytes !== null && named.has(bytes))
    }
    if (kind === 'by_height') {
      return listed(chainId, url.searchParams, ({ sequence }) => String(1_000 + sequence) === value)
    }
    if (rest === '') return listed(chainId, url.searchParams, () => true)
    const one = stored.find((each) => each.chainId === chainId && `/${each.hash}` === rest.toUpperCase())
    return one && { tx: toRecord(one) }
  }

  const server = createServer((request, response) => {
    const { url = '/' } = request
    log.push(url)
    const body = answer(url)
    const status = typeof body === 'number' ? body : body ? 200 : 404
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(typeof body === 'object' ? body : { code: 5, message: 'not found' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const urlOf = (name: string) => `http://127.0.0.1:${port}/${name}`
  return {
    ...{ statuses, failing, urlOf, routerUrl: urlOf('router') },
    add: (...transactions) =>
      transactions.map((transaction) => {
        const sequence = (stored.at(-1)?.sequence ?? 0) + 1
        const { chainId, messages, events, feeEvents = [], also = [] } = transaction
        const hash = createHash('sha256').update(`${chainId} ${sequence}`).digest('hex').toUpperCase()
        const named = new Set(bytesIn(JSON.stringify([messages, events, feeEvents, also])))
        stored.push({ ...transaction, sequence, hash, named })
        return hash
      }),
    forget(...hashes) {
      for (const hash of hashes) {
        const index = stored.findIndex((each) => each.hash === hash)
        if (index >= 0) stored.splice(index, 1)
      }
    },
    requests: () => log.splice(0),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
