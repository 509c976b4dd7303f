import type { Handler, Reply, Request } from '../http.ts'
import type { World } from '../world/world.ts'
import { balancesReply } from './balances.ts'
import { chainTransactions } from './chainTransactions.ts'
import { assetsReply, bridgesReply, chainsReply, venuesReply } from './info.ts'
import { parseJsonObject } from './jsonObject.ts'
import { messagesReply } from './messages.ts'
import { createNetwork } from './network.ts'
import { opHookReply } from './opHook.ts'
import { routeReply } from './quoteRoute.ts'
import { ReplyError, rpcError } from './replyError.ts'
import { createTracking } from './tracking.ts'

/** What a router stands on. */
export interface RouterOptions {
  readonly worlds: readonly World[]
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly seed: string
  /** The code of successful POSTs, default 200: real deployments differ. */
  readonly successStatus?: 200 | 201
}

/** A cross-chain router over the sandbox's chains and a few outside ones, as a request handler. */
export function createRouter(options: RouterOptions): Handler {
  const { worlds, clock, seed, successStatus = 200 } = options
  const network = createNetwork(worlds.map((world) => world.chain))
  const hub = worlds.find((world) => world.chain.isHub)?.chain.chainId
  const tracking = createTracking(network, chainTransactions(network, worlds), clock)

  const posted = (json: unknown): Reply => ({ status: successStatus, json })
  const found = (json: unknown): Reply => ({ status: 200, json })
  const track = ({ body }: Request): Reply => ({ ...tracking.track(body), status: successStatus })
  const routes: Readonly<Record<string, (request: Request) => Reply>> = {
    'GET /health': () => ({ status: 200, text: 'OK' }),
    'GET /v2/info/chains': ({ query }) => found(chainsReply(network, query)),
    'GET /v2/info/bridges': () => found(bridgesReply()),
    'POST /v2/info/balances': ({ body }) => posted(balancesReply(network, seed, body)),
    'GET /v2/fungible/assets': ({ query }) => found(assetsReply(network, query)),
    'GET /v2/fungible/venues': () => found(venuesReply(network, hub)),
    'POST /v2/fungible/route': ({ body }) =>
      posted(routeReply(network, seed, clock(), parseJsonObject(body))),
    'POST /v2/fungible/msgs': ({ body }) => posted(messagesReply(network, seed, clock(), body)),
    'POST /op-hook': ({ body }) => posted(opHookReply(network, body)),
    'POST /v2/tx/track': track,
    'POST /v2/tx/retry_track': track,
    'GET /v2/tx/status': ({ query }) => tracking.status(query),
  }

  return (request) => {
    try {
      const route = routes[`${request.method} ${request.path}`]
      if (route === undefined) throw rpcError(404, 5, 'Not Found')
      return route(request)
    } catch (error) {
      if (error instanceof ReplyError) return error.reply
      throw error
    }
  }
}
