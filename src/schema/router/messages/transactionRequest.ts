import { z } from 'zod'
import { builder } from '../../../engine/graphql/builder.ts'
import { decode } from '../../../engine/wire/compiledSchema.ts'
import { count, list, quantity, stringOrEmpty } from '../../../engine/wire/decode.ts'
import {
  chainIdString,
  isJsonObject,
  type JsonObject,
  lenientList,
  lenientString,
  lenientStrings,
} from '../../../engine/wire/lenient.ts'
import type { Optional } from '../../../engine/wire/optional.ts'
import { type AmountShape, AssetAmount } from '../../amount/assetAmount.ts'
import { ifSent, optionalChainField } from '../routerFields.ts'
import { ChainMessage, chainMessage } from './unsignedMessage.ts'

// Upstream

const cosmos = z.object({
  chain_id: z.string(),
  path: lenientStrings,
  signer_address: lenientString,
  msgs: z.array(chainMessage),
})

/** A single message. Older routers send this form. */
const olderCosmos = z
  .object({ chain_id: z.string(), path: lenientStrings, ...chainMessage.shape })
  .transform(({ chain_id, path, msg, msg_type_url }) => ({
    chain_id,
    path,
    signer_address: null,
    msgs: [{ msg, msg_type_url }],
  }))

/** Hex with `0x`, as EVM wallets expect it. Routers leave out the `0x`. */
const hex = stringOrEmpty
  .pipe(z.string().regex(/^(0x)?([0-9a-f]{2})*$/i))
  .transform((digits) => `0x${digits.replace(/^0x/i, '')}`)

// Read strictly, because it will be signed: an unreadable value or allowance must not become zero.
const evm = z.object({
  chain_id: chainIdString,
  to: z.string(),
  value: quantity.nullish().transform((value) => value ?? 0n),
  data: hex,
  signer_address: lenientString,
  required_erc20_approvals: list(z.object({ token_contract: z.string(), spender: z.string(), amount: quantity })),
})

const svm = z.object({ chain_id: z.string(), signer_address: lenientString, tx: z.string() })

interface Common {
  readonly chainId: Optional<string>
  readonly signer: Optional<string>
  readonly operationIndices: readonly number[]
}

/** A transaction to sign. `kind` is the family of its chain. */
type TransactionRequestShape = Common &
  (
    | { readonly kind: 'cosmos'; readonly body: z.output<typeof cosmos> }
    | { readonly kind: 'evm'; readonly body: z.output<typeof evm> }
    | { readonly kind: 'svm'; readonly body: z.output<typeof svm> }
    | { readonly kind: 'unknown'; readonly body: unknown }
  )

/** Fields that a transaction of an unknown kind may have too. */
const unknownKind = z.object({ chain_id: lenientString, signer_address: lenientString })

const indices = z.object({ operations_indices: lenientList(count.transform(Number)) })

/** Reads one entry of `txs`, or of the older `msgs`. An unknown kind keeps its whole body. */
export function readRequest(entry: unknown): TransactionRequestShape {
  const wrapper: JsonObject = isJsonObject(entry) ? entry : {}
  const operationIndices = decode(indices, wrapper).operations_indices
  const common = (body: { chain_id: string; signer_address: Optional<string> }): Common => ({
    chainId: body.chain_id,
    signer: body.signer_address,
    operationIndices,
  })
  if (wrapper.cosmos_tx || wrapper.multi_chain_msg) {
    const body = wrapper.cosmos_tx ? decode(cosmos, wrapper.cosmos_tx) : decode(olderCosmos, wrapper.multi_chain_msg)
    return { kind: 'cosmos', ...common(body), body }
  }
  if (wrapper.evm_tx) {
    const body = decode(evm, wrapper.evm_tx)
    return { kind: 'evm', ...common(body), body }
  }
  if (wrapper.svm_tx) {
    const body = decode(svm, wrapper.svm_tx)
    return { kind: 'svm', ...common(body), body }
  }
  const inner = Object.values(wrapper).find(isJsonObject) ?? {}
  const labels = decode(unknownKind, inner)
  return {
    kind: 'unknown',
    chainId: labels.chain_id,
    signer: labels.signer_address,
    operationIndices,
    body: entry,
  }
}

// Graph

const typeNames = {
  cosmos: 'CosmosTransactionRequest',
  evm: 'EvmTransactionRequest',
  svm: 'SvmTransactionRequest',
  unknown: 'UnknownTransactionRequest',
} as const

export const TransactionRequest = builder.interfaceRef<TransactionRequestShape>('TransactionRequest').implement({
  description: 'A transaction to sign. Send it when the previous one has arrived.',
  resolveType: ({ kind }) => typeNames[kind],
  fields: (t) => ({
    chainId: ifSent(t, 'ChainId', 'The chain to send it on.', ({ chainId }) => chainId),
    chain: optionalChainField(t, 'The chain', ({ chainId }) => chainId),
    signer: ifSent(t, 'Address', 'Address of the signer.', ({ signer }) => signer),
    operationIndices: t.value(
      ['UInt53'],
      'Operations that it executes: `RouteOperation.index`.',
      ({ operationIndices }) => operationIndices,
    ),
  }),
})

type Of<Kind> = Extract<TransactionRequestShape, { kind: Kind }>

builder.objectRef<Of<'cosmos'>>(typeNames.cosmos).implement({
  description: 'A transaction of a Cosmos chain.',
  interfaces: [TransactionRequest],
  fields: (t) => ({
    messages: t.value([ChainMessage], 'Messages of the transaction, in order.', ({ body }) => body.msgs),
    path: t.value(['String'], 'Chains that the asset passes with this signature.', ({ body }) => body.path),
  }),
})

type Approval = Of<'evm'>['body']['required_erc20_approvals'][number]

const Erc20Approval = builder.objectRef<Approval & AmountShape>('Erc20Approval').implement({
  description: 'An allowance to approve before the transaction.',
  interfaces: [AssetAmount],
  fields: (t) => ({
    tokenContract: t.value('Address', 'Contract address of the token.', ({ token_contract }) => token_contract),
    spender: t.value('Address', 'The account that may spend the token.', ({ spender }) => spender),
  }),
})

builder.objectRef<Of<'evm'>>(typeNames.evm).implement({
  description: 'A transaction of an EVM chain.',
  interfaces: [TransactionRequest],
  fields: (t) => ({
    to: t.value('Address', 'Address of the contract or account that it calls.', ({ body }) => body.to),
    value: t.value('BigInt', "Amount of the chain's native coin that it sends, in wei.", ({ body }) => body.value),
    data: t.value('Hex', 'Call data, with 0x.', ({ body }) => body.data),
    approvals: t.value(
      [Erc20Approval],
      'Allowances to approve first. Usually empty.',
      ({ body: { chain_id, required_erc20_approvals } }) =>
        required_erc20_approvals.map((approval) => ({
          ...approval,
          chainId: chain_id,
          denom: approval.token_contract,
        })),
    ),
  }),
})

builder.objectRef<Of<'svm'>>(typeNames.svm).implement({
  description: 'A transaction of Solana.',
  interfaces: [TransactionRequest],
  fields: (t) => ({
    transaction: t.value('String', 'The unsigned transaction, in base64.', ({ body }) => body.tx),
  }),
})

builder.objectRef<Of<'unknown'>>(typeNames.unknown).implement({
  description: 'A transaction of another kind.',
  interfaces: [TransactionRequest],
  fields: (t) => ({
    body: t.nullable('JSON', 'The transaction as the router sent it. Null if it sent none.', ({ body }) => body),
  }),
})
