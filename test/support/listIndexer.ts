import { execute, parse } from 'graphql'
import type { LiveContext } from '../../src/engine/graphql/builder.ts'
import { resolveLimits } from '../../src/engine/limits/limits.ts'
import type { Upstream } from '../../src/engine/upstream/client.ts'
import { GatewayError } from '../../src/engine/upstream/error.ts'
import type { ServedChain } from '../../src/engine/upstream/network.ts'
import { RequestScope } from '../../src/engine/upstream/requestScope.ts'
import { UpstreamHttpError } from '../../src/engine/upstream/upstreamError.ts'
import { Feeds } from '../../src/engine/watch/feeds.ts'
import { noPeers } from '../../src/engine/watch/peers.ts'
import { Poller } from '../../src/engine/watch/poller.ts'
import { type Cache, CacheStore } from '../../src/kit/cache/cache.ts'
import type { CacheRegion } from '../../src/kit/cache/region.ts'
import { systemClock } from '../../src/kit/clock/clock.ts'
import { createFairScheduler } from '../../src/kit/clock/fairScheduler.ts'
import { schema } from '../../src/schema/schema.ts'
import type { Row } from './listRows.ts'
import { fakeChain, networkOf } from './testServer.ts'
import { testSigner } from './testSigner.ts'
import type { Data } from './world.ts'

/** How an indexer serves one list. */
export interface ListBehavior {
  /** The most records of a page. */
  readonly cap: number
  /** What happens to a larger limit. */
  readonly overCap: 'cuts' | 'refuses'
  readonly fault: 'none' | 'missing' | 'fails' | 'ignores keys' | 'other keys'
}

export const plainList: ListBehavior = { cap: 1000, overCap: 'refuses', fault: 'none' }

/** The lists of a chain by the path before `by_height`, and how the lists of the chain and of blocks behave. */
export interface ListIndexer {
  readonly rows: ReadonlyMap<string, readonly Row[]>
  readonly ofChain: ListBehavior
  readonly ofBlock: ListBehavior
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** The response to a request, with status 200, or null for a 404. Throws for any other status. */
function answer({ rows, ofChain, ofBlock }: ListIndexer, target: string): object | null {
  const [path = '', search] = target.split('?')
  const query = new URLSearchParams(search)
  const [, list = '', id] = /^(.*\/(?:blocks|evm-txs|evm-internal-txs))\/([^/]+)$/.exec(path) ?? []
  const [, root = '', height] = /^(.*?)(?:\/by_height\/(\d+))?$/.exec(id ? list : path) ?? []
  const isOfId = ({ height, json }: Row) =>
    list.endsWith('blocks') ? String(height) === id : Object.values(json).includes(id)
  if (id && !list.endsWith('internal-txs')) return rows.get(list)?.find(isOfId)?.json ?? null
  const all = rows.get(root)
  if (!all) return null
  const isBlocks = root.endsWith('/blocks')
  const behavior = isBlocks || id ? plainList : height === undefined ? ofChain : ofBlock
  if (behavior.fault === 'missing') return null
  if (behavior.fault === 'fails') throw new UpstreamHttpError('chain', 500, '')
  const limit = Number(query.get('pagination.limit') ?? 100)
  if (limit > behavior.cap && behavior.overCap === 'refuses') {
    const text = `pagination.limit must be between 1 and ${behavior.cap}`
    throw new UpstreamHttpError('chain', 400, text)
  }
  if (id && !all.some(isOfId)) return null
  const isReverse = query.get('pagination.reverse') !== 'false'
  const key = behavior.fault === 'ignores keys' ? null : query.get('pagination.key')
  const bound = key ? Number(/-?\d+/.exec(Buffer.from(key, 'base64').toString())) : undefined
  const selected = all
    .filter((row) => (id ? isOfId(row) : height === undefined || row.height === Number(height)))
    .toSorted((a, b) => (isReverse ? b.number - a.number : a.number - b.number))
    .filter(({ number }) => bound === undefined || (isReverse ? number < bound : number > bound))
  const page = selected.slice(0, Math.min(limit, behavior.cap))
  const last = page.at(-1)?.number
  const field = isBlocks ? 'height' : 'sequence'
  const text = behavior.fault === 'other keys' ? `~${last}` : `{"${field}":${last}}`
  const isCounted = query.get('pagination.count_total') === 'true'
  return {
    [isBlocks ? 'blocks' : root.endsWith('internal-txs') ? 'internal_txs' : 'txs']: page.map(({ json }) => json),
    pagination: {
      next_key: last === undefined ? null : base64(text),
      total: isCounted ? String(selected.length) : '0',
    },
  }
}

/** A store whose regions are bounded below those of a gateway, since each makes room for all its entries at once. */
class SmallCaches extends CacheStore {
  override open<T>(region: CacheRegion<T>): Cache<T> {
    const { maxEntries } = region
    const bounds = maxEntries === undefined ? {} : { maxEntries: Math.min(maxEntries, 1_000) }
    return super.open({ ...region, ...bounds } as CacheRegion<T>)
  }
}

/** Executes documents over an indexer in this process, with the caches of one gateway. */
export function askIndexer(indexer: ListIndexer, now = () => 0) {
  const sent: string[] = []
  const cache = new SmallCaches({ now })
  const send: Upstream['send'] = async (request) => {
    sent.push(request.target)
    const json = answer(indexer, request.target)
    if (json === null) return null
    try {
      return request.read(JSON.parse(JSON.stringify(json)), '')
    } catch (cause) {
      throw new GatewayError('UPSTREAM_INVALID_RESPONSE', 'unexpected', { cause })
    }
  }
  const chain: ServedChain = { ...fakeChain('list-1', send), vm: 'EVM' }
  return {
    sent,
    async data(source: string, variableValues: Record<string, unknown> = {}): Promise<Data> {
      const contextValue: LiveContext = {
        service: { version: '0.0.0', isSandbox: false },
        network: networkOf(chain),
        clock: systemClock,
        cache,
        limits: resolveLimits({}),
        scheduler: createFairScheduler(systemClock),
        poller: new Poller({ cache }),
        feeds: new Feeds(),
        peers: noPeers,
        signer: testSigner,
        scope: new RequestScope(new AbortController().signal, { clock: systemClock, cache }),
        errorsBeside: [],
      }
      const document = parse(source)
      const { data, errors } = await execute({ schema, document, contextValue, variableValues })
      if (errors) throw new Error(JSON.stringify(errors), { cause: errors[0]?.originalError })
      return data
    },
  }
}
