import { assetKey, type RouterAsset } from './assets.ts'
import { type Edge, quote } from './edges.ts'
import type { Network } from './network.ts'

/** An edge of a path, with its amounts in base units. */
export interface PathStep {
  readonly edge: Edge
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Index of the transaction that carries the step, from 0. */
  readonly txIndex: number
}

/** Restrictions on a path. */
export interface Bounds {
  readonly maxTxs: number
  readonly allowed: (edge: Edge) => boolean
}

/** The maximum length of a path. Every hop is one more thing that can fail. */
export const maxHops = 6

interface Label {
  readonly asset: RouterAsset
  readonly amount: bigint
  readonly txs: number
  readonly seconds: number
  /** Whether the next step can be part of the same transaction. */
  readonly open: boolean
  readonly visited: ReadonlySet<string>
  readonly steps: readonly PathStep[]
}

/**
 * The path that delivers most. Undefined if none delivers anything. Among equal paths, the one with
 * fewer transactions, then fewer hops, then the shorter duration.
 *
 * The search goes hop by hop and keeps only the best amount of each state. That is enough: a larger
 * amount never delivers less, so a path through a smaller amount cannot overtake.
 */
export function bestPath(
  network: Network,
  from: RouterAsset,
  to: RouterAsset,
  amount: bigint,
  bounds: Bounds,
): readonly PathStep[] | undefined {
  const start = assetKey(from.chainId, from.denom)
  const goal = assetKey(to.chainId, to.denom)
  let frontier: readonly Label[] = [
    { asset: from, amount, txs: 1, seconds: 0, open: true, visited: new Set([start]), steps: [] },
  ]
  let best: Label | undefined
  for (let hop = 0; hop < maxHops && frontier.length > 0; hop++) {
    const reached = new Map<string, Label>()
    for (const label of frontier) {
      for (const edge of network.edgesFrom.get(keyOf(label.asset)) ?? []) {
        if (!bounds.allowed(edge) || label.visited.has(keyOf(edge.to))) continue
        const next = cross(label, edge)
        if (next.amount <= 0n || next.txs > bounds.maxTxs) continue
        const state = `${keyOf(edge.to)} ${next.txs} ${next.open}`
        const rival = reached.get(state)
        if (rival === undefined || beats(next, rival)) reached.set(state, next)
      }
    }
    const arrived = [...reached.values()].filter((label) => keyOf(label.asset) === goal)
    for (const label of arrived) if (best === undefined || beats(label, best)) best = label
    frontier = [...reached.values()].filter((label) => keyOf(label.asset) !== goal)
  }
  return best?.steps
}

/**
 * The smallest amount whose best path delivers at least `amountOut`. Undefined if no amount does: a
 * pool cannot be emptied.
 */
export function leastAmountIn(
  network: Network,
  from: RouterAsset,
  to: RouterAsset,
  amountOut: bigint,
  bounds: Bounds,
): bigint | undefined {
  const delivers = (amount: bigint): boolean => {
    const last = bestPath(network, from, to, amount, bounds)?.at(-1)
    return last !== undefined && last.amountOut >= amountOut
  }
  let enough = 1n
  for (let doublings = 0; !delivers(enough); doublings++) {
    if (doublings > 127) return undefined
    enough *= 2n
  }
  let short = enough / 2n
  while (enough - short > 1n) {
    const middle = (short + enough) / 2n
    if (delivers(middle)) enough = middle
    else short = middle
  }
  return enough
}

function keyOf(asset: RouterAsset): string {
  return assetKey(asset.chainId, asset.denom)
}

function cross(label: Label, edge: Edge): Label {
  const amountOut = quote(edge, label.amount)
  const txs = label.open ? label.txs : label.txs + 1
  const step = { edge, amountIn: label.amount, amountOut, txIndex: txs - 1 }
  return {
    asset: edge.to,
    amount: amountOut,
    txs,
    seconds: label.seconds + edge.seconds,
    open: edge.carriesOn,
    visited: new Set([...label.visited, keyOf(edge.to)]),
    steps: [...label.steps, step],
  }
}

function beats(label: Label, rival: Label): boolean {
  if (label.amount !== rival.amount) return label.amount > rival.amount
  if (label.txs !== rival.txs) return label.txs < rival.txs
  if (label.steps.length !== rival.steps.length) return label.steps.length < rival.steps.length
  return label.seconds < rival.seconds
}
