import { addressHex } from './addresses.ts'
import { calldata } from './calls.ts'
import { fieldReader, type JsonObject, parseJsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'
import { invalidArgument, rpcError, validationError } from './replyError.ts'

/** Most tokens in one request. */
const maxTokens = 30

/** Packets that are not delivered in this time are returned, in milliseconds. */
const packetLifetime = 1_800_000

/** The reply to POST /nft: the messages that send tokens of a collection to an address on any sandbox chain. */
export function nftReply(network: Network, now: number, text: string): JsonObject {
  const body = parseJsonObject(text)
  const fields = fieldReader(body)
  const [fromChain, toChain] = [fields.text('from_chain_id'), fields.text('to_chain_id')]
  const sender = fields.text('from_address')
  const receiver = fields.text('to_address')
  const collection = fields.text('collection_address')
  const tokens = fields.list('token_ids').filter((id) => typeof id === 'string')
  const objects = fields.has('object_addresses') ? fields.list('object_addresses') : []
  fields.check()
  if (tokens.length === 0 || tokens.length > maxTokens) {
    throw validationError([`token_ids must contain 1 to ${maxTokens} elements`])
  }
  const hexOf = (chainId: string, address: string): string => {
    const chain = network.chains.get(chainId)
    if (chain?.vm === undefined) throw rpcError(404, 5, 'chain ID not supported')
    const hex = addressHex(chain, address)
    if (hex === undefined) throw invalidArgument(`invalid address for chain ${chainId}: ${address}`)
    return hex
  }
  const [fromHex, toHex] = [hexOf(fromChain, sender), hexOf(toChain, receiver)]
  if (fromChain !== toChain) {
    const packet = {
      source_port: 'nft-transfer',
      source_channel: 'channel-1',
      class_id: typeof body.class_id === 'string' ? body.class_id : collection,
      token_ids: tokens,
      sender,
      receiver,
      timeout_height: {},
      timeout_timestamp: `${BigInt(now + packetLifetime) * 1_000_000n}`,
      memo: '',
    }
    return { msgs: [message('/ibc.applications.nft_transfer.v1.MsgTransfer', packet)] }
  }
  const vm = network.chains.get(fromChain)?.vm
  return {
    msgs: tokens.map((token, index) => {
      if (vm === 'evm') {
        const id = /^\d+$/.test(token) ? BigInt(token) : 0n
        const input = `0x${calldata('transferFrom(address,address,uint256)', [fromHex, toHex, id])}`
        return message('/minievm.evm.v1.MsgCall', {
          sender,
          contract_addr: collection,
          input,
          value: '0',
          access_list: [],
          auth_list: [],
        })
      }
      if (vm === 'wasm') {
        const msg = { transfer_nft: { recipient: receiver, token_id: token } }
        const call = { sender, contract: collection, msg, funds: [] }
        return message('/cosmwasm.wasm.v1.MsgExecuteContract', call)
      }
      return message('/initia.move.v1.MsgExecuteJSON', {
        sender,
        module_address: '0x1',
        module_name: 'object',
        function_name: 'transfer_call',
        ...{
          type_args: ['0x1::nft::Nft'],
          // An NFT of a Move chain is an object with an address of its own.
          args: [JSON.stringify(objects[index] ?? token), JSON.stringify(receiver)],
        },
      })
    }),
  }
}

const message = (typeUrl: string, value: JsonObject): JsonObject => ({ typeUrl, value })
