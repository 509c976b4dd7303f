import type { SandboxChain } from '../../chains.ts'
import { bridgeIdOf } from '../fixtures.ts'
import { channelTo } from './network.ts'
import { challengeMs } from './outputs.ts'

/** What leads from a chain to the others of its network. */
export interface SandboxConnections {
  /** The channels for coins that lead from this chain to others of the sandbox, whose ids they have. */
  readonly ibcChannels: readonly { readonly chainId: string; readonly portId: string; readonly channelId: string }[]
  /** The number of its bridge on the hub. Undefined if it is no rollup. */
  readonly opInitBridgeId: string | undefined
  /** Seconds from an output until its withdrawals can be claimed. On the hub, those of all its bridges. */
  readonly opInitFinalizationSeconds: number | undefined
}

/** Finds what leads from a chain to the others of its network. Nothing does without a hub. */
export function findConnections(chain: SandboxChain, network: readonly SandboxChain[]): SandboxConnections {
  const hub = network.find(({ isHub }) => isHub)
  const others = hub === undefined ? [] : hub.chainId === chain.chainId ? network.filter((one) => one !== hub) : [hub]
  const isRollup = hub !== undefined && hub.chainId !== chain.chainId
  return {
    ibcChannels: others.map((other) => ({
      chainId: other.chainId,
      portId: 'transfer',
      channelId: channelTo(chain, other),
    })),
    opInitBridgeId: isRollup ? String(bridgeIdOf(chain)) : undefined,
    opInitFinalizationSeconds: hub ? challengeMs / 1_000 : undefined,
  }
}
