import type { ActionFamily } from '../family.ts'
import { authz } from './authz.ts'
import { cw20 } from './cw20.ts'
import { cw721 } from './cw721.ts'
import { evmMessages } from './evmMessages.ts'
import { feeGrant } from './feeGrant.ts'
import { governance } from './governance.ts'
import { ibcReceive } from './ibcReceive.ts'
import { ibcTransfer } from './ibcTransfer.ts'
import { moveCall } from './moveCall.ts'
import { moveDex } from './moveDex.ts'
import { moveNft, moveObject } from './moveNft.ts'
import { opInit } from './opInit.ts'
import { oracle } from './oracle.ts'
import { rewards } from './rewards.ts'
import { send } from './send.ts'
import { staking } from './staking.ts'
import { wasmContract } from './wasmContract.ts'
import { wasmSwap } from './wasmSwap.ts'

/**
 * The families of actions that are known. Of those that read a type, the first that knows the message describes it, so
 * calls of which nothing is known come last. To add an action, write its file and list it here.
 */
export const families: readonly ActionFamily[] = [
  send,
  staking,
  rewards,
  governance,
  authz,
  feeGrant,
  ibcTransfer,
  ibcReceive,
  opInit,
  oracle,
  moveDex,
  moveNft,
  moveObject,
  moveCall,
  cw20,
  cw721,
  wasmSwap,
  wasmContract,
  evmMessages,
]
