import { addressHex } from './addresses.ts'
import { fieldReader, type JsonObject, parseJsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'
import { readAssetNames, resolveAssets } from './quote.ts'
import { needsHook } from './quoteRoute.ts'
import { invalidArgument } from './replyError.ts'
import { bestPath } from './search.ts'

const depositsAllowed = { maxTxs: 4, allowed: () => true }

/**
 * The reply to POST /op-hook: the rollup transaction that the receiver signs in advance. It converts
 * the arriving coin to its ERC-20 form. The status is 400 if the route between the assets needs none.
 */
export function opHookReply(network: Network, text: string): JsonObject {
  const fields = fieldReader(parseJsonObject(text))
  const sender = fields.text('source_address')
  const receiver = fields.text('dest_address')
  const names = readAssetNames(fields)
  fields.check()
  const { source, dest } = resolveAssets(network, names)
  const nominal = 10n ** BigInt(source.decimals)
  const deposit = bestPath(network, source, dest, nominal, depositsAllowed)?.find(needsHook)
  if (deposit === undefined) throw invalidArgument('op hook is not supported for this route')
  for (const [asset, address] of [
    [source, sender],
    [dest, receiver],
  ] as const) {
    const chain = network.chains.get(asset.chainId)
    if (chain === undefined || addressHex(chain, address) === undefined) {
      throw invalidArgument(`invalid address for chain ${asset.chainId}: ${address}`)
    }
  }
  const { to } = deposit.edge
  const call = {
    sender: receiver,
    contract_addr: to.contract ?? '',
    // wrap(address,uint256) with the whole amount that arrived.
    input: `0xbf376c7a${to.denom.slice(4).padStart(64, '0')}${'f'.repeat(64)}`,
    value: '0',
    access_list: [],
    auth_list: [],
  }
  const hook = [{ msg_type_url: '/minievm.evm.v1.MsgCall', msg: JSON.stringify(call) }]
  return { chain_id: to.chainId, hook }
}
