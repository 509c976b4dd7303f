import {
  calldata,
  contractAccount,
  type Hop,
  minimumOut,
  moveCall,
  nanoseconds,
  receiverHex,
  type TransactionOptions,
} from './calls.ts'
import { operationKeyOf } from './edges.ts'
import type { Network } from './network.ts'

/** The memo that tells the chain of the first hop what to do with arriving coins. */
export function memo(network: Network, hops: readonly Hop[], options: TransactionOptions): unknown {
  const [hop, ...rest] = hops
  if (hop === undefined) return undefined
  const { via, from } = hop.edge
  if ('bridge' in via && via.bridge.memo) return via.bridge.memo(network, via, { hop, rest }, options)
  if (network.chains.get(from.chainId)?.vm === 'move') {
    const call = moveCall(hop, 'bridge' in via ? 'entry' : 'dex', operationKeyOf(hop.edge), options)
    const next = memo(network, rest, options)
    return {
      move: { message: call, ...(next === undefined ? {} : { next: JSON.stringify(next) }) },
    }
  }
  const call = {
    contract: contractAccount(network, hop),
    msg: contractCall(network, hops, options),
  }
  return network.chains.get(from.chainId)?.type === 'evm' ? { evm: call } : { wasm: call }
}

/** The message to a contract that swaps or bridges, with the steps that follow. */
export function contractCall(
  network: Network,
  hops: readonly Hop[],
  options: TransactionOptions,
): Record<string, unknown> {
  const swaps: Hop[] = []
  for (const hop of hops) {
    if (operationKeyOf(hop.edge) !== 'swap') break
    swaps.push(hop)
  }
  const rest = hops.slice(swaps.length)
  const last = swaps.at(-1)
  if (last === undefined) {
    const [hop, ...after] = hops
    const then = { receiver: hop?.receiver, denom: hop?.edge.to.denom }
    return { [`${hop && operationKeyOf(hop.edge)}`]: { ...then, next: memo(network, after, options) } }
  }
  const { via } = last.edge
  return {
    swap_and_action: {
      user_swap: {
        swap_exact_asset_in: {
          swap_venue_name: 'venue' in via ? via.venue : '',
          operations: swaps.map(({ edge }) => ({
            pool: 'pool' in edge.via ? edge.via.pool : '',
            denom_in: edge.from.denom,
            denom_out: edge.to.denom,
          })),
        },
      },
      min_asset: {
        native: { denom: last.edge.to.denom, amount: `${minimumOut(last.amountOut, options)}` },
      },
      timeout_timestamp: nanoseconds(options),
      post_swap_action: memo(network, rest, options) ?? { transfer: { to_address: last.receiver } },
      affiliates: [],
    },
  }
}

/** The call data that starts a bridge transfer on an EVM, as hex without 0x. */
export function callFor(network: Network, hop: Hop, rest: readonly Hop[], options: TransactionOptions): string {
  const then = rest.length === 0 ? '' : JSON.stringify(memo(network, rest, options))
  const words = [hop.amountIn, minimumOut(hop.amountOut, options), receiverHex(network, hop)]
  return calldata(`${operationKeyOf(hop.edge)}(uint256,uint256,bytes32)`, words) + Buffer.from(then).toString('hex')
}
