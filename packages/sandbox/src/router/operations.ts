import { contractAddress } from './assets.ts'
import { operationKeyOf, priceImpact } from './edges.ts'
import type { JsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'
import type { PathStep } from './search.ts'

/** How the request wants operations to be written. */
export interface OperationStyle {
  readonly exactOut: boolean
  readonly splitRoutes: boolean
  /** Expiry of the relay fees, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** The steps of a path in groups of one operation each. Consecutive swaps at one venue are one operation. */
export function groupSteps(steps: readonly PathStep[]): readonly (readonly PathStep[])[] {
  const groups: PathStep[][] = []
  for (const step of steps) {
    const open = groups.at(-1)
    const before = open?.at(-1)?.edge.via
    const { via } = step.edge
    const joins = before !== undefined && 'venue' in before && 'venue' in via && before.venue === via.venue
    if (joins && operationKeyOf(step.edge) === 'swap') open?.push(step)
    else groups.push([step])
  }
  return groups
}

/** The operations of a path, without the signature of the quote. */
export function operationsOf(
  network: Network,
  steps: readonly PathStep[],
  style: OperationStyle,
): readonly JsonObject[] {
  return groupSteps(steps).map((group) => {
    const [first, last] = ends(group)
    const key = operationKeyOf(first.edge)
    return {
      [key]: key === 'swap' ? swapBody(group, style) : crossBody(network, first, style.expiresAt),
      tx_index: first.txIndex,
      amount_in: `${first.amountIn}`,
      amount_out: `${last.amountOut}`,
    }
  })
}

/** The first and the last step of a group, which is never empty. */
export function ends(group: readonly PathStep[]): readonly [PathStep, PathStep] {
  const first = group[0]
  const last = group.at(-1)
  if (first === undefined || last === undefined) throw new RangeError('an empty group of steps')
  return [first, last]
}

function swapBody(group: readonly PathStep[], style: OperationStyle): JsonObject {
  const [first, last] = ends(group)
  const { via, from } = first.edge
  const venue = { name: 'venue' in via ? via.venue : '', chain_id: from.chainId }
  const swapOperations = group.map(({ edge }) => ({
    pool: 'pool' in edge.via ? edge.via.pool : '',
    denom_in: edge.from.denom,
    denom_out: edge.to.denom,
  }))
  const impact = impactOf(group).toFixed(4)
  const amountIn = `${first.amountIn}`
  const estimate = `${last.amountOut}`
  const how = style.exactOut
    ? {
        swap_out: {
          swap_venue: venue,
          swap_operations: swapOperations,
          swap_amount_out: estimate,
          price_impact_percent: impact,
        },
      }
    : style.splitRoutes
      ? {
          smart_swap_in: {
            swap_venue: venue,
            swap_routes: [{ swap_amount_in: amountIn, denom_in: from.denom, swap_operations: swapOperations }],
            estimated_amount_out: estimate,
          },
        }
      : {
          swap_in: {
            swap_venue: venue,
            swap_operations: swapOperations,
            swap_amount_in: amountIn,
            price_impact_percent: impact,
            estimated_amount_out: estimate,
          },
        }
  return {
    ...how,
    estimated_affiliate_fee: `0${last.edge.to.denom}`,
    from_chain_id: from.chainId,
    chain_id: from.chainId,
    denom_in: from.denom,
    denom_out: last.edge.to.denom,
    swap_venues: [venue],
  }
}

/** The combined price impact of steps, in percent. */
export function impactOf(steps: readonly PathStep[]): number {
  const remaining = steps.reduce((rest, { edge, amountIn }) => rest * (1 - priceImpact(edge, amountIn) / 100), 1)
  return (1 - remaining) * 100
}

function crossBody(network: Network, step: PathStep, expiresAt: number): JsonObject {
  const { via, from, to } = step.edge
  if (!('bridge' in via)) {
    return {
      input_token: from.contract ?? '',
      amount_in: `${step.amountIn}`,
      swap_calldata: contractAddress('swap', via.pool, `${step.amountIn}`).slice(2),
      amount_out: `${step.amountOut}`,
      from_chain_id: from.chainId,
      denom_in: from.denom,
      denom_out: to.denom,
      swap_venues: [{ name: via.venue, chain_id: from.chainId }],
    }
  }
  const common = {
    from_chain_id: from.chainId,
    to_chain_id: to.chainId,
    denom_in: from.denom,
    denom_out: to.denom,
    bridge_id: via.bridge.id,
  }
  return via.bridge.operation({ network, way: via, step, common, expiresAt })
}
