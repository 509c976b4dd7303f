import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { makeAccount } from '../address.ts'
import { addressHex } from './addresses.ts'
import { contractAddress } from './assets.ts'
import { messagingFee } from './bridges/common.ts'
import { bridgeOf, operationKeyOf } from './edges.ts'
import type { Network } from './network.ts'
import type { PathStep } from './search.ts'

/** A step with the addresses of its sender and receiver. */
export interface Hop extends PathStep {
  readonly sender: string
  readonly receiver: string
}

/** Options that apply to all transactions of a route. */
export interface TransactionOptions {
  /** The tolerated loss of a swap, in millionths of the amount. */
  readonly slippage: bigint
  /** The signed rollup transaction that a deposit carries, in base64. Empty for none. */
  readonly hook: string
  /** Time after which undelivered packets are returned, in milliseconds since 1970. */
  readonly timeoutAt: number
}

/** A call in ABI encoding: the selector, then one 32-byte word for each argument. Hex without 0x. */
export function calldata(signature: string, words: readonly (bigint | string)[]): string {
  const selector = bytesToHex(keccak_256(utf8ToBytes(signature))).slice(0, 8)
  const text = (word: bigint | string): string => (typeof word === 'string' ? word : word.toString(16))
  return selector + words.map((word) => text(word).padStart(64, '0')).join('')
}

/** The contract that a hop calls, as 0x hex. */
export function entryContract({ edge: { via, from } }: Hop): string {
  const contract = 'bridge' in via ? via.contract : undefined
  return contract ?? contractAddress('entry point', from.chainId)
}

/** The contract that a hop calls, in the form of its chain. */
export function contractAccount(network: Network, hop: Hop): string {
  const { edge } = hop
  const prefix = network.chains.get(edge.from.chainId)?.bech32Prefix ?? ''
  return prefix === '' ? entryContract(hop) : makeAccount(prefix, 32, 'entry', operationKeyOf(edge)).bech32
}

/** A call of a Move entry function. Arguments are in base64. */
export function moveCall(hop: Hop, module: string, name: string, options: TransactionOptions): object {
  const { from, to, via } = hop.edge
  const args = [from.denom, to.denom, hop.amountIn, minimumOut(hop.amountOut, options), hop.receiver]
  if ('bridge' in via) args.push(...(via.bridge.moveArguments?.(options) ?? []))
  return {
    sender: hop.sender,
    module_address: '0x1',
    module_name: module,
    function_name: name,
    type_args: [],
    args: args.map((arg) => Buffer.from(`${arg}`).toString('base64')),
  }
}

/** The messaging fee of a hop, in base units of the fee token of the sending chain. */
export function messagingValue(network: Network, { edge }: Hop): bigint {
  return bridgeOf(edge)?.hasMessagingFee ? messagingFee(network, edge.from.chainId).amount : 0n
}

/** The receiver in hex without 0x. */
export function receiverHex(network: Network, { edge, receiver }: Hop): string {
  const chain = network.chains.get(edge.to.chainId)
  return (chain && addressHex(chain, receiver)) ?? ''
}

/** The minimum amount that a swap must pay out. */
export function minimumOut(amount: bigint, { slippage }: TransactionOptions): bigint {
  return (amount * (1_000_000n - slippage)) / 1_000_000n
}

/** The timeout of packets, in nanoseconds since 1970. */
export function nanoseconds({ timeoutAt }: TransactionOptions): string {
  return `${timeoutAt}000000`
}
