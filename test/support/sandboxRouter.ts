import { makeAccount } from '../../src/sandbox/address.ts'
import { sandboxChains } from '../../src/sandbox/chains.ts'
import type { Reply } from '../../src/sandbox/http.ts'
import { createNetwork } from '../../src/sandbox/router/network.ts'
import { createRouter } from '../../src/sandbox/router/router.ts'
import { createWorld } from '../../src/sandbox/world/world.ts'

/** The network the router of these tests knows. */
export const network = createNetwork(sandboxChains)
/** Its assets. */
export const assets = [...network.assets.values()]

/** The asset of a chain by symbol; `prefix` tells its forms apart. */
export function denom(chainId: string, symbol: string, prefix = ''): string {
  const found = assets.find(
    (asset) =>
      asset.chainId === chainId &&
      asset.token.symbol === symbol &&
      asset.denom.startsWith(prefix) &&
      !asset.hidden,
  )
  if (found === undefined) throw new Error(`no ${symbol} on ${chainId}`)
  return found.denom
}

/** The value at a path of keys, undefined where the path breaks off. */
export function dig(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  )
}

/** The value if it is a list, else an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

const dawn = Date.UTC(2026, 9, 1)
let now = dawn
const clock = () => now
/** The worlds behind the router, by the clock that `start` sets back. */
export const worlds = sandboxChains.map((chain) => createWorld(chain, 'portolan', clock))

/** A router that has tracked nothing yet, with the clock set back. */
export function start(options: { successStatus?: 200 | 201 } = {}) {
  now = dawn
  const handle = createRouter({ worlds, clock, seed: 'portolan', ...options })
  const send = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const [bare = '', query = ''] = path.split('?')
    const text = body === undefined ? '' : JSON.stringify(body)
    return handle({
      method,
      path: bare,
      query: new URLSearchParams(query),
      body: text,
      headers: {},
    })
  }
  const post = (path: string, body: unknown) => send('POST', path, body)
  const get = (path: string) => send('GET', path)
  const pass = (ms: number) => {
    now += ms
  }
  const route = (from: readonly [string, string], to: readonly [string, string], more: object) =>
    post('/v2/fungible/route', {
      source_asset_chain_id: from[0],
      source_asset_denom: from[1],
      dest_asset_chain_id: to[0],
      dest_asset_denom: to[1],
      ...more,
    })
  return { post, get, pass, route }
}

/** The keys of a route's operations. */
export function kinds(reply: Reply): readonly string[] {
  return list(dig(reply.json, 'operations')).map(
    (operation) => Object.keys(operation ?? {})[0] ?? '',
  )
}

/** The traveller's address in the form of a chain. */
export function addressOn(chainId: string): string {
  const prefixes: Record<string, string> = { 'osmosis-1': 'osmo', 'noble-1': 'noble' }
  const account = makeAccount(prefixes[chainId] ?? 'init', 20, 'traveller')
  return chainId === '1' ? account.hex : account.bech32
}

/** The messages request that follows a route reply. */
export function messagesFor(reply: Reply): Record<string, unknown> {
  const chains = list(dig(reply.json, 'required_chain_addresses'))
  return {
    ...(typeof reply.json === 'object' ? reply.json : {}),
    address_list: chains.map((chainId) => addressOn(`${chainId}`)),
    slippage_tolerance_percent: '0.5',
  }
}
