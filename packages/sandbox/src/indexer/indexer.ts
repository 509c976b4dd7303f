import type { Handler, Reply } from '../http.ts'
import { withOddRecords } from '../odd/oddRecords.ts'
import type { World } from '../world/world.ts'
import { blockRoutes } from './blocks.ts'
import { evmRoutes } from './evm.ts'
import { holderRoutes } from './holders.ts'
import { HttpError } from './httpError.ts'
import type { Route, RouteContext } from './httpRoute.ts'
import { opaqueKeys, plainKeys } from './keys.ts'
import { nftRoutes } from './nfts.ts'
import { readPageRequest } from './paging.ts'
import { swaggerDocument } from './swagger.ts'
import { transactionRoutes } from './transactions.ts'

/** A request handler for the REST API of one chain's indexer. */
export function createIndexer(world: World): Handler {
  const { chain, fixtures } = world
  const routes: readonly Route[] = [
    ...blockRoutes,
    ...transactionRoutes,
    ...evmRoutes,
    ...nftRoutes,
    ...(chain.quirks?.richListOff ? [] : holderRoutes),
  ]
  const described = routes.filter(({ path }) => chain.vm === 'evm' || !path.includes('/evm-'))
  const document: Route = {
    path: '/swagger/doc.json',
    summary: 'This document',
    isList: false,
    answer: () => swaggerDocument(`${chain.prettyName} indexer`, described),
  }
  const match = matcher([...routes, document])
  const codec = chain.quirks?.opaqueKeys ? opaqueKeys(`${fixtures.seed} ${chain.chainId}`) : plainKeys

  const handler: Handler = ({ method, path, query }) => {
    if (isSwitchedOff(world, path)) {
      return { status: 404, text: 'evm routes are not available on this chain' }
    }
    const matched = match(path)
    if (!matched) return { status: 404, text: `Cannot ${method} ${path}` }
    if (method !== 'GET' && method !== 'HEAD') {
      return { status: 405, text: 'Method Not Allowed', headers: { allow: 'GET, HEAD' } }
    }
    const page = () => readPageRequest(query, chain.quirks, codec)
    return answer(matched.route, { world, query, page }, matched.parameters)
  }
  return chain.quirks?.oddRecords ? withOddRecords(handler) : handler
}

function answer(route: Route, context: RouteContext, [first = '', second = '']: string[]): Reply {
  const headers = { 'x-cache': 'miss' }
  try {
    return { status: 200, json: route.answer(context, first, second), headers }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return { status: error.status, text: error.message, headers }
  }
}

/** Whether the chain does not serve an EVM route. The indexer checks this before it looks at the method. */
function isSwitchedOff({ chain }: World, path: string): boolean {
  const gated = /^\/indexer\/tx\/v1\/(evm-txs|evm-internal-txs)(\/|$)/i.exec(path)?.[1]
  if (gated === undefined) return false
  if (chain.vm !== 'evm') return true
  return chain.quirks?.internalTxOff === true && gated.toLowerCase() === 'evm-internal-txs'
}

/** Finds the route of a path. Letter case is ignored and one trailing slash is allowed. */
function matcher(routes: readonly Route[]) {
  const patterns = routes.map((route) => {
    const source = route.path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '([^/]+)')
    return { route, pattern: new RegExp(`^${source}/?$`, 'i') }
  })
  return (path: string) => {
    for (const { route, pattern } of patterns) {
      const match = pattern.exec(path)
      if (match) return { route, parameters: match.slice(1) }
    }
    return undefined
  }
}
