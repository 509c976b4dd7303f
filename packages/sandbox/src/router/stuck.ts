import type { Bridge, StuckHops, StuckState } from './bridges/bridge.ts'
import { bridges } from './bridges/bridges.ts'
import type { ChainTransactions } from './chainTransactions.ts'
import { bridgeOf, type Edge } from './edges.ts'
import { hopEntry } from './hops.ts'
import type { JsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'

/** A transfer over one bridge that stays in one state for ever. */
export interface Stuck extends Omit<StuckState, 'state'> {
  readonly bridge: Bridge
  /** The key of the hop in a status. */
  readonly key: string
  /** The word of the bridge for its state. */
  readonly hopState: string
  readonly state: 'STATE_PENDING' | 'STATE_PENDING_ERROR' | 'STATE_COMPLETED_ERROR'
  readonly body: StuckHops['body']
}

/**
 * All endings of hashes whose transfers stay in one state. After `dead`, the first digit chooses the bridge and the second
 * one its state: `dead12` is a packet over Eureka in TRANSFER_PENDING_ERROR.
 */
export const stuckEndings: ReadonlyMap<string, Stuck> = new Map(
  bridges.flatMap((bridge) =>
    bridge.stuck.flatMap((hops) =>
      Object.keys(hops.states).map((hopState, index) => [`dead${hops.digit}${index}`, stuckIn(bridge, hops, hopState)]),
    ),
  ),
)

function stuckIn(bridge: Bridge, { hopKey = bridge.hopKey, states, body }: StuckHops, hopState: string): Stuck {
  return { state: 'STATE_PENDING', ...states[hopState], bridge, key: hopKey, hopState, body }
}

/** The transfer that a hash in lower case stands for, if it stays in one state. Undefined for all other hashes. */
export const stuckOf = (hash: string): Stuck | undefined => stuckEndings.get(hash.slice(-6))

/** The transfer of a hash that stays in one state, from its first status on. */
export function stuckBody(
  network: Network,
  transactions: ChainTransactions,
  { chainId, hash, trackedAt }: { readonly chainId: string; readonly hash: string; readonly trackedAt: number },
  { bridge, key, hopState, state, body, isReceived, isReturned, isReleased }: Stuck,
): JsonObject {
  const edge = findEdge(network, chainId, bridge)
  if (edge === undefined) throw new RangeError(`no way over ${key}`)
  const { from, to } = edge
  const sent = transactions.entry(chainId, hash, trackedAt)
  const hasFailed = state !== 'STATE_PENDING'
  const relayed = (chain: string, salt: string) => transactions.relay(chain, trackedAt, `${hash}/${salt}`, trackedAt)
  const received = isReceived ? relayed(to.chainId, '0') : null
  const returned = isReturned ? relayed(from.chainId, '0/back') : null
  const held = isReturned ? from : isReleased ? to : undefined
  const amount = String(25n * 10n ** BigInt(from.decimals))
  return {
    state,
    transfer_sequence: [
      hopEntry(key, from.chainId, to.chainId, {
        state: hopState,
        ...body({ sent, received, returned, hasFailed }),
      }),
    ],
    next_blocking_transfer: hasFailed ? null : { transfer_sequence_index: 0 },
    transfer_asset_release: held
      ? { chain_id: held.chainId, denom: held.denom, amount, released: state === 'STATE_COMPLETED_ERROR' }
      : null,
    error: hasFailed ? { type: 'STATUS_ERROR_TRANSFER', message: 'transfer failed on the way' } : null,
  }
}

/** A way over a bridge, from the chain if it has one. */
function findEdge({ edges }: Network, chainId: string, bridge: Bridge): Edge | undefined {
  const ways = edges.filter((edge) => bridgeOf(edge) === bridge)
  return ways.find(({ from }) => from.chainId === chainId) ?? ways[0]
}
