import { builder } from '../../../graphql/builder.ts'

const bridges = {
  IBC: { description: 'Inter-blockchain communication: light clients and relayers.' },
  EUREKA: { description: 'IBC between Cosmos and Ethereum.' },
  OPINIT: { description: 'The optimistic bridge between a hub and its rollups.' },
  LAYER_ZERO: { description: 'LayerZero.' },
  STARGATE: { description: 'Stargate.' },
  AXELAR: { description: 'Axelar.' },
  CCTP: { description: "Circle's bridge for USDC." },
  CCTP_V2: { description: "The second version of Circle's bridge for USDC." },
  HYPERLANE: { description: 'Hyperlane.' },
  GO_FAST: { description: 'Solvers that pay in advance.' },
} as const

/** A bridge the graph has a name for. */
export type BridgeName = keyof typeof bridges | 'UNKNOWN'

const isBridge = (id: string): id is keyof typeof bridges => Object.hasOwn(bridges, id)

/** The name of a bridge id; null for none, `UNKNOWN` for one this gateway has not met. */
export function bridgeName(bridgeId: string | null): BridgeName | null {
  if (bridgeId === null) return null
  return isBridge(bridgeId) ? bridgeId : 'UNKNOWN'
}

export const Bridge = builder.enumType('Bridge', {
  description: 'What carries an asset from one chain to another.',
  values: {
    ...bridges,
    UNKNOWN: { description: 'A bridge newer than this gateway; its raw name stands beside.' },
  },
})
