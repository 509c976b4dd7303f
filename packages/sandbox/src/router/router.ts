import type { Handler, Reply, Request } from '../http.ts'
import type { World } from '../world/world.ts'
import { balancesReply } from './balances.ts'
import { chainTransactions } from './chainTransactions.ts'
import { destinationsReply, recommendationsReply } from './destinations.ts'
import { assetsReply, bridgesReply, chainsReply, venuesReply } from './info.ts'
import { parseJsonObject } from './jsonObject.ts'
import { messagesReply } from './messages.ts'
import { nftReply } from './nft.ts'
import { opHookReply } from './opHook.ts'
import { assetsBetweenReply, originsReply } from './pairs.ts'
import { routeReply } from './quoteRoute.ts'
import { recordedTransactions } from './recordedTransfer.ts'
import { ReplyError, rpcError } from './replyError.ts'
import { createSandboxNetwork } from './sandboxNetwork.ts'
import { createTracking } from './tracking.ts'

/** How to create a router. */
export interface RouterOptions {
  readonly worlds: readonly World[]
  /** The current time, in milliseconds since 1970. */
  readonly clock: () => number
  readonly seed: string
  /** Status of successful POST requests. Real deployments differ. Default: 200. */
  readonly successStatus?: 200 | 201
  /** Whether a transfer of a hash that no chain has begins again when it is tracked, once it has ended or nobody watches it. Default: false. */
  readonly isRestartable?: boolean
}

/** A request handler for a cross-chain router over the sandbox chains and a few outside chains. */
export function createRouter(options: RouterOptions): Handler {
  const { worlds, clock, seed, successStatus = 200, isRestartable = false } = options
  const network = createSandboxNetwork(worlds.map((world) => world.chain))
  const hub = worlds.find((world) => world.chain.isHub)?.chain.chainId
  const transactions = chainTransactions(network, worlds)
  const recorded = recordedTransactions(network, worlds, transactions)
  const tracking = createTracking(network, transactions, recorded, clock, isRestartable)

  const created = (json: unknown): Reply => ({ status: successStatus, json })
  const ok = (json: unknown): Reply => ({ status: 200, json })
  const track = ({ body }: Request): Reply => ({ ...tracking.track(body), status: successStatus })
  const routes: Readonly<Record<string, (request: Request) => Reply>> = {
    'GET /health': () => ({ status: 200, text: 'OK' }),
    'GET /v2/info/chains': ({ query }) => ok(chainsReply(network, query)),
    'GET /v2/info/bridges': () => ok(bridgesReply()),
    'POST /v2/info/balances': ({ body }) => created(balancesReply(network, worlds, seed, body)),
    'GET /v2/fungible/assets': ({ query }) => ok(assetsReply(network, query)),
    'GET /v2/fungible/venues': () => ok(venuesReply(network, hub)),
    'POST /v2/fungible/assets_from_source': ({ body }) => created(destinationsReply(network, body)),
    'POST /v2/fungible/assets_between_chains': ({ body }) => created(assetsBetweenReply(network, body)),
    'POST /v2/fungible/ibc_origin_assets': ({ body }) => created(originsReply(network, body)),
    'POST /v2/fungible/recommend_assets': ({ body }) => created(recommendationsReply(network, body)),
    'POST /v2/fungible/route': ({ body }) => created(routeReply(network, seed, clock(), parseJsonObject(body))),
    'POST /v2/fungible/msgs': ({ body }) => created(messagesReply(network, seed, clock(), body)),
    'POST /nft': ({ body }) => created(nftReply(network, clock(), body)),
    'POST /op-hook': ({ body }) => created(opHookReply(network, body)),
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
