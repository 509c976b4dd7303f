import { makeAccount } from '../../src/address.ts'
import { sandboxChains } from '../../src/chains.ts'
import type { Reply } from '../../src/http.ts'
import { createRouter } from '../../src/router/router.ts'
import { createSandboxNetwork } from '../../src/router/sandboxNetwork.ts'
import { createWorld } from '../../src/world/world.ts'

/** The network of the router in these tests. */
export const network = createSandboxNetwork(sandboxChains)
/** Its assets. */
export const assets = [...network.assets.values()]

/** The denom of an asset by chain and symbol. `prefix` selects one of its forms. */
export function denom(chainId: string, symbol: string, prefix = ''): string {
  const match = assets.find(
    (asset) =>
      asset.chainId === chainId && asset.token.symbol === symbol && asset.denom.startsWith(prefix) && !asset.hidden,
  )
  if (match === undefined) throw new Error(`no ${symbol} on ${chainId}`)
  return match.denom
}

/** The value at a path of keys. Undefined if the path ends early. */
export function dig(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )
}

/** The value if it is a list, otherwise an empty list. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

const startTime = Date.UTC(2026, 9, 1)
let now = startTime
const clock = () => now
/** The chains of the router, on the clock that `start` resets. */
export const worlds = sandboxChains.map((chain) => createWorld(chain, 'portolan', clock))

/** A router without tracked transactions. Resets the clock. */
export function start(options: { successStatus?: 200 | 201; isRestartable?: boolean } = {}) {
  now = startTime
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
  return list(dig(reply.json, 'operations')).map((operation) => Object.keys(operation ?? {})[0] ?? '')
}

/** The test account's address in the form of a chain. */
export function addressOn(chainId: string): string {
  const prefixes: Record<string, string> = { 'osmosis-1': 'osmo', 'noble-1': 'noble' }
  const account = makeAccount(prefixes[chainId] ?? 'init', 20, 'traveller')
  return chainId === '1' ? account.hex : account.bech32
}

/** The body of a messages request for the reply to a route request. */
export function messagesFor(reply: Reply): Record<string, unknown> {
  const chains = list(dig(reply.json, 'required_chain_addresses'))
  return {
    ...(typeof reply.json === 'object' ? reply.json : {}),
    address_list: chains.map((chainId) => addressOn(`${chainId}`)),
    slippage_tolerance_percent: '0.5',
  }
}
