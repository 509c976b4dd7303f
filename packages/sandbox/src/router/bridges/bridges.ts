import { axelar } from './axelar.ts'
import type { Bridge } from './bridge.ts'
import { cctp } from './cctp.ts'
import { eureka } from './eureka.ts'
import { goFast } from './goFast.ts'
import { hyperlane } from './hyperlane.ts'
import { ibc } from './ibc.ts'
import { layerZero } from './layerZero.ts'
import { opInit } from './opInit.ts'
import { stargate } from './stargate.ts'

/** The bridges that the router knows. To add one, write its file, list it here, and give it a way in `sandboxNetwork.ts`. */
export const bridges: readonly Bridge[] = [ibc, opInit, axelar, cctp, hyperlane, goFast, stargate, layerZero, eureka]
