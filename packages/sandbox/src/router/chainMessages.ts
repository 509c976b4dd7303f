import {
  contractAccount,
  entryContract,
  type Hop,
  messagingValue,
  moveCall,
  nanoseconds,
  receiverHex,
  type TransactionOptions,
} from './calls.ts'
import { callFor, contractCall, memo } from './memo.ts'
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
  const { sender, receiver } = hop
  const vm = network.chains.get(from.chainId)?.vm
  const amount = { denom: from.denom, amount: `${hop.amountIn}` }
  switch (via.kind) {
    case 'transfer':
      return [
        message('/ibc.applications.transfer.v1.MsgTransfer', {
          source_port: 'transfer',
          source_channel: via.channel,
          token: amount,
          sender,
          receiver,
          timeout_height: {},
          timeout_timestamp: nanoseconds(options),
          memo: rest.length === 0 ? '' : JSON.stringify(memo(network, rest, options)),
        }),
      ]
    case 'op_init_transfer':
      return [
        via.deposit
          ? message('/opinit.ophost.v1.MsgInitiateTokenDeposit', {
              sender,
              bridge_id: `${via.bridgeId}`,
              to: receiver,
              amount,
              data: options.hook,
            })
          : message('/opinit.opchild.v1.MsgInitiateTokenWithdrawal', {
              sender,
              to: receiver,
              amount,
            }),
      ]
    case 'swap': {
      if (vm !== 'move') return [execute(network, hop, contractCall(network, hops, options))]
      // The DEX of the hub cannot forward what it pays out, so the next step is a message of its own.
      const swap = moveCall(hop, 'dex', 'swap_script', options)
      return [message('/initia.move.v1.MsgExecute', swap), ...messagesFor(network, rest, options)]
    }
    case 'cctp_transfer':
      return [
        message('/circle.cctp.v1.MsgDepositForBurn', {
          from: sender,
          amount: `${hop.amountIn}`,
          destination_domain: 0,
          mint_recipient: Buffer.from(receiverHex(network, hop).padStart(64, '0'), 'hex').toString('base64'),
          burn_token: from.denom,
        }),
      ]
    default:
      if (vm === 'move') {
        return [message('/initia.move.v1.MsgExecute', moveCall(hop, 'oft', 'send', options))]
      }
      if (vm === 'evm') {
        return [
          message('/minievm.evm.v1.MsgCall', {
            sender,
            contract_addr: entryContract(hop),
            input: `0x${callFor(network, hop, rest, options)}`,
            value: `${messagingValue(network, hop)}`,
            access_list: [],
            auth_list: [],
          }),
        ]
      }
      return [execute(network, hop, contractCall(network, hops, options))]
  }
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
