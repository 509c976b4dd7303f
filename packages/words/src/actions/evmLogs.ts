import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { ChainEvent } from '../balanceChanges/events.ts'
import { type EvmLog, logIn, type TokenTransfer, transfersOf } from '../balanceChanges/evmTransfers.ts'
import { eventsOfType } from './events.ts'

/** A call of an EVM contract, or a payment to any account. */
export interface EvmCall {
  readonly actor: string | null
  readonly target: string | null
  /** The call data in hex. Null if it is not known. */
  readonly input: string | null
  readonly logs: readonly EvmLog[]
  readonly isSuccessful: boolean
}

const hashOf = (declaration: string): string => `0x${bytesToHex(keccak_256(utf8ToBytes(declaration)))}`

/** The selector of a function: its first four bytes. */
export const selectorOf = (declaration: string): string => hashOf(declaration).slice(0, 10)

/** The logs that contracts emit for allowances. */
export const approvalTopics = {
  one: hashOf('Approval(address,address,uint256)'),
  all: hashOf('ApprovalForAll(address,address,bool)'),
}

/** The logs that pools of Uniswap and its forks emit for a swap. */
export const swapTopics: readonly string[] = [
  'Swap(address,uint256,uint256,uint256,uint256,address)',
  'Swap(address,address,int256,int256,uint160,uint128,int24)',
].map(hashOf)

/** The logs in the events of a Cosmos transaction. Attributes that are not logs are left out. */
export const logsInEvents = (events: readonly ChainEvent[]): readonly EvmLog[] =>
  eventsOfType(events, 'evm')
    .flatMap(({ attributes }) => attributes)
    .flatMap(({ key, value }) => (key === 'log' ? (logIn(value) ?? []) : []))

const transfersByLogs = new WeakMap<readonly EvmLog[], readonly TokenTransfer[]>()

/** Token transfers that logs report, in order. They are read once for each list of logs. */
export function transfersIn(logs: readonly EvmLog[]): readonly TokenTransfer[] {
  const known = transfersByLogs.get(logs) ?? logs.flatMap((log) => transfersOf(log))
  transfersByLogs.set(logs, known)
  return known
}

/** The name of a log, as the hash of its declaration. */
export const topicOf = ({ topics: [first] }: EvmLog): string | undefined => first?.toLowerCase()
