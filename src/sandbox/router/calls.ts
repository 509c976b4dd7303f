import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { makeAccount } from '../address.ts'
import { addressHex } from './addresses.ts'
import { contractAddress } from './assets.ts'
import { messagingFee } from './bridges.ts'
import type { Network } from './network.ts'
import type { Step } from './search.ts'

/** A step with the addresses at its ends. */
export interface Hop extends Step {
  readonly sender: string
  readonly receiver: string
}

/** What holds for all transactions of a route. */
export interface TransactionOptions {
  /** Millionths of an amount a swap may fall short by. */
  readonly slippage: bigint
  /** The signed rollup transaction a deposit carries, base64; '' for none. */
  readonly hook: string
  /** Unix milliseconds after which packets on their way are returned. */
  readonly timeoutAt: number
}

/** A call in the ABI's encoding: the selector, then one 32-byte word per argument. */
export function calldata(signature: string, words: readonly (bigint | string)[]): string {
  const selector = bytesToHex(keccak_256(utf8ToBytes(signature))).slice(0, 8)
  const text = (word: bigint | string): string =>
    typeof word === 'string' ? word : word.toString(16)
  return selector + words.map((word) => text(word).padStart(64, '0')).join('')
}

/** The contract a hop calls, 0x. */
export function entryContract({ edge }: Hop): string {
  return 'contract' in edge.via
    ? edge.via.contract
    : contractAddress('entry point', edge.from.chainId)
}

/** The contract a hop calls, as its chain spells it. */
export function contractAccount(network: Network, hop: Hop): string {
  const { edge } = hop
  const prefix = network.chains.get(edge.from.chainId)?.bech32Prefix ?? ''
  return prefix === '' ? entryContract(hop) : makeAccount(prefix, 32, 'entry', edge.via.kind).bech32
}

/** A call of a Move entry function; arguments are base64. */
export function moveCall(
  hop: Hop,
  module: string,
  name: string,
  options: TransactionOptions,
): object {
  const { from, to, via } = hop.edge
  const args = [
    from.denom,
    to.denom,
    hop.amountIn,
    minimumOut(hop.amountOut, options),
    hop.receiver,
  ]
  if (via.kind === 'op_init_transfer') args.push(options.hook)
  return {
    sender: hop.sender,
    module_address: '0x1',
    module_name: module,
    function_name: name,
    type_args: [],
    args: args.map((arg) => Buffer.from(`${arg}`).toString('base64')),
  }
}

/** What the hop's messengers charge in the sending chain's fee token. */
export function messagingValue(network: Network, { edge }: Hop): bigint {
  const paid = ['stargate_transfer', 'layer_zero_transfer', 'hyperlane_transfer']
  return paid.includes(edge.via.kind) ? messagingFee(network, edge.from.chainId).amount : 0n
}

/** The receiver in hex without 0x. */
export function receiverHex(network: Network, { edge, receiver }: Hop): string {
  const chain = network.chains.get(edge.to.chainId)
  return (chain && addressHex(chain, receiver)) ?? ''
}

/** The least a swap may pay out. */
export function minimumOut(amount: bigint, { slippage }: TransactionOptions): bigint {
  return (amount * (1_000_000n - slippage)) / 1_000_000n
}

/** The moment packets time out, in the nanoseconds chains count. */
export function nanoseconds({ timeoutAt }: TransactionOptions): string {
  return `${timeoutAt}000000`
}
