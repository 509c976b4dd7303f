import type { PrepareQuery } from '../operations/generated/operations.ts'
import { PortolanError } from '../portolanError.ts'

/** Bytes in hex, with 0x, as EVM wallets take them. */
export type Hex = `0x${string}`

/** A message of a Cosmos transaction. */
export interface CosmosMessage {
  /** Protobuf type, such as `/ibc.applications.transfer.v1.MsgTransfer`. */
  readonly typeUrl: string
  /** The fields as JSON text, with exact integers. They are named and written as in Amino JSON. */
  readonly raw: string
}

/** A transaction of a Cosmos chain. Fee, sequence and signature are the wallet's. */
export interface CosmosTransaction {
  readonly kind: 'cosmos'
  readonly chainId: string
  /** Null if the router does not name it. */
  readonly signer: string | null
  readonly messages: readonly CosmosMessage[]
}

/** A transaction of an EVM chain. Fee, nonce and signature are the wallet's. */
export interface EvmTransaction {
  readonly kind: 'evm'
  /** The number of the chain, as text. */
  readonly chainId: string
  /** Null if the router does not name it. */
  readonly signer: string | null
  readonly to: Hex
  /** Amount of the native coin, in wei. */
  readonly value: bigint
  readonly data: Hex
}

/** An amount of a token that a contract has to be allowed to spend. */
export interface Approval {
  readonly tokenContract: Hex
  readonly spender: Hex
  /** In base units. */
  readonly amount: bigint
}

/** A transaction of a route, with the approvals that it needs first. */
export type RouteTransaction = CosmosTransaction | (EvmTransaction & { readonly approvals: readonly Approval[] })

type SentByGateway = NonNullable<PrepareQuery['transferMessages']>['transactions'][number]

/**
 * Reads a transaction of the gateway.
 * @throws PortolanError if it is of a kind that cannot be signed here.
 */
export function readTransaction(transaction: SentByGateway): RouteTransaction {
  const { chainId, signer } = transaction
  if (chainId !== null && transaction.__typename === 'CosmosTransactionRequest') {
    return { kind: 'cosmos', chainId, signer, messages: transaction.messages }
  }
  if (chainId !== null && transaction.__typename === 'EvmTransactionRequest') {
    const { to, value, data, approvals } = transaction
    return {
      ...{ kind: 'evm', chainId, signer },
      ...{ to: hexOf(to), value: BigInt(value), data: hexOf(data), approvals: approvals.map(readApproval) },
    }
  }
  throw new PortolanError('NO_SIGNER', `No signer takes a ${transaction.__typename} of the chain ${chainId}.`)
}

type ApprovalByGateway = Extract<SentByGateway, { __typename: 'EvmTransactionRequest' }>['approvals'][number]

function readApproval({ tokenContract, spender, amount }: ApprovalByGateway): Approval {
  if (amount === null) throw new PortolanError('HTTP', 'An approval has no amount.')
  return { tokenContract: hexOf(tokenContract), spender: hexOf(spender), amount: BigInt(amount) }
}

/** The transaction that gives an approval: a call of `approve(address,uint256)`. */
export function approvalCall({ chainId, signer }: EvmTransaction, approval: Approval): EvmTransaction {
  const word = (digits: string) => digits.padStart(64, '0')
  const data: Hex = `0x095ea7b3${word(approval.spender.slice(2).toLowerCase())}${word(approval.amount.toString(16))}`
  return { kind: 'evm', chainId, signer, to: approval.tokenContract, value: 0n, data }
}

function hexOf(text: string): Hex {
  if (!/^0x([0-9a-f]{2})*$/i.test(text)) throw new PortolanError('HTTP', `Not hex: ${text}`)
  return text as Hex
}
