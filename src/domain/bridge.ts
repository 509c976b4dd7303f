import { builder } from '../graph/builder.ts'

const bridges = {
  IBC: 'Inter-blockchain communication: light clients and relayers.',
  EUREKA: 'IBC between Cosmos and Ethereum.',
  OPINIT: 'The optimistic bridge between a hub and its rollups.',
  LAYER_ZERO: 'LayerZero.',
  STARGATE: 'Stargate.',
  AXELAR: 'Axelar.',
  CCTP: "Circle's bridge for USDC.",
  CCTP_V2: "The second version of Circle's bridge for USDC.",
  HYPERLANE: 'Hyperlane.',
  GO_FAST: 'Solvers that pay in advance.',
} as const

/** A bridge the graph has a name for. */
export type BridgeName = keyof typeof bridges | 'UNKNOWN'

const isBridge = (id: string): id is keyof typeof bridges => Object.hasOwn(bridges, id)

/** The name of a bridge id; null for none, `UNKNOWN` for one this gateway has not met. */
export function bridgeName(bridgeId: string | null): BridgeName | null {
  if (bridgeId === null) return null
  return isBridge(bridgeId) ? bridgeId : 'UNKNOWN'
}

/** Every bridge with a name, to be offered as a choice. */
export const bridgeNames = Object.keys(bridges).filter(isBridge)

const describe = (names: readonly (keyof typeof bridges)[]) =>
  Object.fromEntries(names.map((name) => [name, { description: bridges[name] }]))

export const Bridge = builder.enumType('Bridge', {
  description: 'What carries an asset from one chain to another.',
  values: {
    ...(describe(bridgeNames) as Record<keyof typeof bridges, { description: string }>),
    UNKNOWN: { description: 'A bridge newer than this gateway; `bridgeId` has its name.' },
  },
})
