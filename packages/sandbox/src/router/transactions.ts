import type { RouterAsset } from './assets.ts'
import { calldata, entryContract, type Hop, messagingValue, type TransactionOptions } from './calls.ts'
import { type Message, message, messagesFor } from './chainMessages.ts'
import { callFor } from './memo.ts'
import type { Network } from './network.ts'
import { rpcError } from './replyError.ts'

/** A transaction to sign. Its key names the kind of wallet. */
export type Transaction =
  | {
      readonly cosmos_tx: {
        readonly chain_id: string
        readonly path: readonly string[]
        readonly signer_address: string
        readonly msgs: readonly Message[]
      }
    }
  | {
      readonly evm_tx: {
        readonly chain_id: string
        readonly to: string
        /** Wei, decimal. */
        readonly value: string
        /** Hex without 0x. */
        readonly data: string
        readonly signer_address: string
        readonly required_erc20_approvals: readonly {
          readonly token_contract: string
          readonly spender: string
          readonly amount: string
        }[]
      }
    }

/** The transaction that starts some hops. It acts on the first chain, and a memo holds the remaining hops. */
export function buildTransaction(network: Network, hops: readonly Hop[], options: TransactionOptions): Transaction {
  const [first, ...rest] = hops
  if (first === undefined) throw rpcError(500, 2, 'internal server error')
  const chain = network.chains.get(first.edge.from.chainId)
  if (chain?.type === 'evm') return evmTransaction(network, first, rest, options)
  const path = [first.edge.from.chainId]
  for (const { edge } of hops) if (edge.to.chainId !== path.at(-1)) path.push(edge.to.chainId)
  return {
    cosmos_tx: {
      chain_id: first.edge.from.chainId,
      path,
      signer_address: first.sender,
      msgs: messagesFor(network, hops, options),
    },
  }
}

/** The transaction that sends an asset to an address on the same chain. */
export function bankSend(
  network: Network,
  asset: RouterAsset,
  amount: bigint,
  [sender = '', receiver = '']: readonly string[],
): Transaction {
  const chain_id = asset.chainId
  if (network.chains.get(chain_id)?.type === 'evm') {
    const native = asset.contract === undefined
    const to = asset.contract ?? receiver
    const data = native ? '' : calldata('transfer(address,uint256)', [receiver.slice(2), amount])
    const value = native ? `${amount}` : '0'
    const evm_tx = { chain_id, to, value, data, signer_address: sender }
    return { evm_tx: { ...evm_tx, required_erc20_approvals: [] } }
  }
  const body = {
    from_address: sender,
    to_address: receiver,
    amount: [{ denom: asset.denom, amount: `${amount}` }],
  }
  const msgs = [message('/cosmos.bank.v1beta1.MsgSend', body)]
  return { cosmos_tx: { chain_id, path: [chain_id], signer_address: sender, msgs } }
}

function evmTransaction(network: Network, hop: Hop, rest: readonly Hop[], options: TransactionOptions): Transaction {
  const { from } = hop.edge
  const to = entryContract(hop)
  const native = from.contract === undefined
  const fee = [hop, ...rest.filter((next) => next.edge.from.chainId === from.chainId)].reduce(
    (sum, next) => sum + messagingValue(network, next),
    0n,
  )
  return {
    evm_tx: {
      chain_id: from.chainId,
      to,
      value: `${(native ? hop.amountIn : 0n) + fee}`,
      data: callFor(network, hop, rest, options),
      signer_address: hop.sender,
      required_erc20_approvals:
        from.contract === undefined ? [] : [{ token_contract: from.contract, spender: to, amount: `${hop.amountIn}` }],
    },
  }
}
