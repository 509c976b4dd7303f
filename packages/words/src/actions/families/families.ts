import type { ActionFamily } from '../family.ts'
import { ibcForward } from '../ibc/ibcForward.ts'
import { ibcReceive } from '../ibc/ibcReceive.ts'
import { ibcRefund } from '../ibc/ibcRefund.ts'
import { ibcTransfer } from '../ibc/ibcTransfer.ts'
import { authz } from './authz.ts'
import { cw20 } from './cw20.ts'
import { cw721 } from './cw721.ts'
import { evmMessages } from './evmMessages.ts'
import { feeGrant } from './feeGrant.ts'
import { governance } from './governance.ts'
import { initiaProtocols } from './initiaProtocols.ts'
import { moveCall } from './moveCall.ts'
import { moveDex } from './moveDex.ts'
import { moveNft, moveObject } from './moveNft.ts'
import { opInit } from './opInit.ts'
import { oracle } from './oracle.ts'
import { rewards } from './rewards.ts'
import { send } from './send.ts'
import { staking } from './staking.ts'
import { standard } from './standard.ts'
import { wasmContract } from './wasmContract.ts'
import { wasmSwap } from './wasmSwap.ts'

/**
 * The known families of actions. The first family that reads the type and knows the message describes it, so
 * families of unknown calls come last. To add an action, write its file and list it here.
 */
export const families: readonly ActionFamily[] = [
  send,
  staking,
  rewards,
  governance,
  authz,
  feeGrant,
  ibcTransfer,
  ibcForward,
  ibcReceive,
  ibcRefund,
  opInit,
  oracle,
  initiaProtocols,
  moveDex,
  moveNft,
  moveObject,
  moveCall,
  cw20,
  cw721,
  wasmSwap,
  wasmContract,
  evmMessages,
  standard,
]
