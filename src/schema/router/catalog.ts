import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Upstream } from '../../upstream/client.ts'
import {
  chainIdString,
  lenient,
  lenientBoolean,
  lenientInt,
  lenientList,
  lenientString,
} from '../../upstream/lenient.ts'
import { get } from '../../upstream/request.ts'
import { UpstreamHttpError } from '../../upstream/upstreamError.ts'

/** An asset on the wire. */
export const asset = z.object({
  denom: z.string().min(1),
  chain_id: chainIdString,
  origin_denom: lenientString,
  origin_chain_id: lenientString,
  symbol: lenientString,
  recommended_symbol: lenientString,
  name: lenientString,
  logo_uri: lenientString,
  decimals: lenientInt,
  token_contract: lenientString,
  description: lenientString,
  coingecko_id: lenientString,
  hidden: lenientBoolean,
})
export type AssetBody = z.output<typeof asset>

const chain = z.object({
  chain_id: chainIdString,
  chain_name: lenientString,
  pretty_name: lenientString,
  chain_type: lenientString,
  logo_uri: lenientString,
  bech32_prefix: lenientString,
  fee_assets: lenientList(z.object({ denom: z.string() })),
  supports_memo: lenientBoolean,
  is_testnet: lenientBoolean,
  hidden: lenientBoolean,
})
export type RouterChainBody = z.output<typeof chain>

const chains = z.object({ chains: lenientList(chain) })

const assets = z.object({
  chain_to_assets_map: z
    .record(z.string(), lenient(z.object({ assets: lenientList(asset) })))
    .nullish(),
})

/** All records of one kind, in the router's order, and by key. */
export interface Lookup<T> {
  readonly all: readonly T[]
  find(key: string): T | null
}

/** What a router knows of chains and assets, remembered between operations. */
export interface RouterCatalog {
  chains(): Promise<Lookup<RouterChainBody>>
  /** The assets on one chain; none for a chain the router does not know. */
  assets(chainId: string): Promise<Lookup<AssetBody>>
}

/** Milliseconds for which a list counts as fresh. An older one is given while a new one is fetched. */
const fresh = 5 * 60_000

/** Milliseconds before a list that could not be renewed is asked for again. */
const pause = 10_000

/** How many lists are kept. Some chains have thousands of assets. */
const maxLists = 256

const books = new WeakMap<Upstream, RouterCatalog>()

/** The book of a router. Each list is fetched once for all who want it, and kept. */
export function catalogOf(router: Upstream): RouterCatalog {
  const known = books.get(router)
  if (known) return known
  const made = createBook(router)
  books.set(router, made)
  return made
}

function createBook(router: Upstream): RouterCatalog {
  // No operation's signal: what one client walks away from, others wait for.
  const ask = <T extends z.ZodType>(path: string, schema: T, query: Record<string, string>) =>
    router.send(get(path, schema, { query }), new AbortController().signal)

  const listChains = remember(1, async () => {
    const found = await ask('/v2/info/chains', chains, { include_evm: 'true', include_svm: 'true' })
    return indexBy(found?.chains ?? [], (one) => one.chain_id)
  })
  const listAssets = remember(maxLists, async (chainId) => {
    const found = await ask('/v2/fungible/assets', assets, {
      chain_ids: chainId,
      include_evm_assets: 'true',
      include_svm_assets: 'true',
      include_cw20_assets: 'true',
    }).catch(noneIfRefused)
    const listed = found?.chain_to_assets_map?.[chainId]?.assets ?? []
    return indexBy(listed, (one) => denomKey(one.denom))
  })
  return {
    chains: () => listChains(''),
    assets: async (chainId) => {
      const { all, find } = await listAssets(chainId)
      return { all, find: (denom) => find(denomKey(denom)) }
    },
  }
}

interface Kept<T> {
  value?: T
  reading?: Promise<T> | undefined
  renewAt: number
}

/** Reads each key once for all who ask at a time, and gives what was read last while it is read anew. */
function remember<T>(max: number, read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const all = new LRUCache<string, Kept<T>>({ max })
  const renew = async (kept: Kept<T>, key: string): Promise<T> => {
    try {
      kept.value = await read(key)
      kept.renewAt = performance.now() + fresh
      return kept.value
    } catch (error) {
      if (kept.value !== undefined) kept.renewAt = performance.now() + pause
      throw error
    } finally {
      kept.reading = undefined
    }
  }
  return async (key) => {
    const kept = all.get(key) ?? { renewAt: 0 }
    all.set(key, kept)
    if (!kept.reading && performance.now() >= kept.renewAt) {
      kept.reading = renew(kept, key)
      // Nobody waits for it where there is an older value to give.
      kept.reading.catch(() => {})
    }
    return kept.value ?? kept.reading ?? renew(kept, key)
  }
}

const indexBy = <T>(all: readonly T[], keyOf: (one: T) => string): Lookup<T> => {
  const byKey = new Map(all.map((one) => [keyOf(one), one]))
  return { all, find: (key) => byKey.get(key) ?? null }
}

/** EVM contracts are written in any case; other denoms mean what they say. */
const denomKey = (denom: string): string =>
  /^(evm\/|0x)/i.test(denom) ? denom.toLowerCase() : denom

function noneIfRefused(error: unknown): null {
  if (error instanceof UpstreamHttpError && error.status === 400) return null
  throw error
}
