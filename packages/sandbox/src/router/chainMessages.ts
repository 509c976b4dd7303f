import { contractAccount, entryContract, type Hop, messagingValue, moveCall, type TransactionOptions } from './calls.ts'
import { callFor, contractCall } from './memo.ts'
import type { Network } from './network.ts'

/** A message of a native transaction. `msg` is its body as JSON text. */
export interface Message {
  readonly msg_type_url: string
  readonly msg: string
}

/** The messages that start the hops on a chain with native transactions. */
export function messagesFor(network: Network, hops: readonly Hop[], options: TransactionOptions): readonly Message[] {
  const [hop, ...rest] = hops
  if (hop === undefined) return []
  const { via, from } = hop.edge
  const vm = network.chains.get(from.chainId)?.vm
  const native = 'bridge' in via ? via.bridge.message?.(network, via, { hop, rest }, options) : undefined
  if (native) return [native]
  if (!('bridge' in via)) {
    if (vm !== 'move') return [execute(network, hop, contractCall(network, hops, options))]
    // The DEX of the hub cannot forward what it pays out, so the next step is a message of its own.
    const swap = moveCall(hop, 'dex', 'swap_script', options)
    return [message('/initia.move.v1.MsgExecute', swap), ...messagesFor(network, rest, options)]
  }
  if (vm === 'move') return [message('/initia.move.v1.MsgExecute', moveCall(hop, 'oft', 'send', options))]
  if (vm === 'evm') {
    const call = {
      sender: hop.sender,
      contract_addr: entryContract(hop),
      input: `0x${callFor(network, hop, rest, options)}`,
      value: `${messagingValue(network, hop)}`,
      access_list: [],
      auth_list: [],
    }
    return [message('/minievm.evm.v1.MsgCall', call)]
  }
  return [execute(network, hop, contractCall(network, hops, options))]
}

function execute(network: Network, hop: Hop, msg: Record<string, unknown>): Message {
  return message('/cosmwasm.wasm.v1.MsgExecuteContract', {
    sender: hop.sender,
    contract: contractAccount(network, hop),
    msg,
    funds: [{ denom: hop.edge.from.denom, amount: `${hop.amountIn}` }],
  })
}

/** A message with its body as JSON text. */
export function message(msg_type_url: string, body: object): Message {
  return { msg_type_url, msg: JSON.stringify(body) }
}
