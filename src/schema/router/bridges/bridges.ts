import type { BridgeRoute } from '#words/bridges/bridgeSteps'
import { axelar } from './axelar.ts'
import { cctp, cctpV2 } from './cctp.ts'
import type { BridgeDefinition } from './defineBridge.ts'
import { eureka } from './eureka.ts'
import { goFast } from './goFast.ts'
import { hyperlane } from './hyperlane.ts'
import { ibc } from './ibc.ts'
import { layerZero, stargate } from './layerZero.ts'
import { opInit } from './opInit.ts'

/**
 * The bridges that the graph knows. Enum values, operation types, hop types, states, transaction kinds
 * and fees all come from this list: to add a bridge, write its file and list it here.
 */
export const bridges: readonly BridgeDefinition[] = [
  ibc,
  eureka,
  opInit,
  layerZero,
  stargate,
  axelar,
  cctp,
  cctpV2,
  hyperlane,
  goFast,
]

/** The bridges by their ids. */
export const bridgeById: ReadonlyMap<string, BridgeDefinition> = new Map(bridges.map((bridge) => [bridge.id, bridge]))

/** The bridge of a route that the events of a chain name. */
export const bridgeOfRoute = (route: BridgeRoute): BridgeDefinition | undefined =>
  bridges.find(({ recorded }) => recorded?.hasRoute(route))
