import { z } from 'zod'
import { builder } from '../../../graphql/builder.ts'
import { list, quantity, stringOrEmpty } from '../../../upstream/decode.ts'
import {
  chainIdString,
  isJsonObject,
  type JsonObject,
  lenientList,
  lenientString,
  lenientStrings,
} from '../../../upstream/lenient.ts'
import { chainField, routerChainField } from '../chainFields.ts'
import { ChainMessage, chainMessage } from './unsignedMessage.ts'

// Upstream

const cosmos = z.object({
  chain_id: z.string(),
  path: lenientStrings,
  signer_address: lenientString,
  msgs: z.array(chainMessage),
})

/** A single message, as older routers answer. */
const olderCosmos = z
  .object({ chain_id: z.string(), path: lenientStrings })
  .and(chainMessage)
  .transform(({ chain_id, path, msg, msg_type_url }) => ({
    chain_id,
    path,
    signer_address: null,
    msgs: [{ msg, msg_type_url }],
  }))

/** Hex as EVM wallets take it; routers leave the `0x` out. */
const hex = stringOrEmpty
  .pipe(z.string().regex(/^(0x)?([0-9a-f]{2})*$/i))
  .transform((digits) => `0x${digits.replace(/^0x/i, '')}`)

// What is to be signed is read strictly: a value or an allowance that cannot be read is no zero.
const evm = z.object({
  chain_id: chainIdString,
  to: z.string(),
  value: quantity.nullish().transform((value) => value ?? 0n),
  data: hex,
  signer_address: lenientString,
  required_erc20_approvals: list(
    z.object({ token_contract: z.string(), spender: z.string(), amount: quantity }),
  ),
})

const svm = z.object({ chain_id: z.string(), signer_address: lenientString, tx: z.string() })

interface Common {
  readonly chainId: string | null
  readonly signer: string | null
  readonly operationIndices: readonly number[]
}

/** A transaction to sign, told apart by `kind`. */
export type TransactionRequestShape = Common &
  (
    | { readonly kind: 'cosmos'; readonly body: z.output<typeof cosmos> }
    | { readonly kind: 'evm'; readonly body: z.output<typeof evm> }
    | { readonly kind: 'svm'; readonly body: z.output<typeof svm> }
    | { readonly kind: 'unknown'; readonly body: unknown }
  )

const indices = z.object({ operations_indices: lenientList(z.number().int()) })

/** Reads one entry of `txs`, or of the older `msgs`. A kind nobody knows keeps its body. */
export function readRequest(entry: unknown): TransactionRequestShape {
  const around: JsonObject = isJsonObject(entry) ? entry : {}
  const operationIndices = indices.parse(around).operations_indices
  const common = (body: { chain_id: string; signer_address: string | null }) => ({
    chainId: body.chain_id,
    signer: body.signer_address,
    operationIndices,
  })
  if (around.cosmos_tx || around.multi_chain_msg) {
    const body = around.cosmos_tx
      ? cosmos.parse(around.cosmos_tx)
      : olderCosmos.parse(around.multi_chain_msg)
    return { kind: 'cosmos', ...common(body), body }
  }
  if (around.evm_tx) {
    const body = evm.parse(around.evm_tx)
    return { kind: 'evm', ...common(body), body }
  }
  if (around.svm_tx) {
    const body = svm.parse(around.svm_tx)
    return { kind: 'svm', ...common(body), body }
  }
  const inner = Object.values(around).find(isJsonObject) ?? {}
  const named = z.object({ chain_id: lenientString, signer_address: lenientString }).parse(inner)
  return {
    kind: 'unknown',
    chainId: named.chain_id,
    signer: named.signer_address,
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

export const TransactionRequest = builder
  .interfaceRef<TransactionRequestShape>('TransactionRequest')
  .implement({
    description:
      'A transaction to sign and to send, in the order of the list; each after the former arrived.',
    resolveType: ({ kind }) => typeNames[kind],
    fields: (t) => ({
      chainId: t.exposeString('chainId', {
        nullable: true,
        description: 'The chain to send it on.',
      }),
      chain: chainField(t, 'That chain', ({ chainId }) => chainId),
      routerChain: routerChainField(
        t,
        "The router's record of that chain.",
        ({ chainId }) => chainId,
      ),
      signer: t.exposeString('signer', {
        nullable: true,
        description: 'The address that has to sign it; null where the router does not tell.',
      }),
      operationIndices: t.field({
        type: ['Int'],
        description: 'Which operations of the route it carries out, by `RouteOperation.index`.',
        resolve: ({ operationIndices }) => [...operationIndices],
      }),
    }),
  })

type Of<Kind> = Extract<TransactionRequestShape, { kind: Kind }>

builder.objectRef<Of<'cosmos'>>(typeNames.cosmos).implement({
  description: 'A chain-native transaction of the interchain.',
  interfaces: [TransactionRequest],
  fields: (t) => ({
    messages: t.field({
      type: [ChainMessage],
      description: 'Its messages; their order matters.',
      resolve: ({ body }) => body.msgs,
    }),
    path: t.stringList({
      description: 'The chains the asset passes with this one signature, in order.',
      resolve: ({ body }) => body.path,
    }),
  }),
})

const Erc20Approval = builder
  .objectRef<Of<'evm'>['body']['required_erc20_approvals'][number]>('Erc20Approval')
  .implement({
    description: 'An allowance that has to be given before the transaction is sent.',
    fields: (t) => ({
      tokenContract: t.exposeString('token_contract', { description: 'The token.' }),
      spender: t.exposeString('spender', { description: 'Who may take it.' }),
      amount: t.field({
        type: 'BigInt',
        nullable: true,
        description: 'How much, in base units; null where the router sends no number.',
        resolve: (one) => one.amount,
      }),
    }),
  })

builder.objectRef<Of<'evm'>>(typeNames.evm).implement({
  description: 'A transaction of an EVM chain.',
  interfaces: [TransactionRequest],
  fields: (t) => ({
    to: t.string({
      description: 'The contract or account it calls.',
      resolve: ({ body }) => body.to,
    }),
    value: t.field({
      type: 'BigInt',
      description: "How much of the chain's own coin it sends along, in wei.",
      resolve: ({ body }) => body.value,
    }),
    data: t.field({
      type: 'Hex',
      description: 'The call, with 0x.',
      resolve: ({ body }) => body.data,
    }),
    approvals: t.field({
      type: [Erc20Approval],
      description: 'Allowances to give before; none in most cases.',
      resolve: ({ body }) => body.required_erc20_approvals,
    }),
  }),
})

builder.objectRef<Of<'svm'>>(typeNames.svm).implement({
  description: 'A transaction of Solana.',
  interfaces: [TransactionRequest],
  fields: (t) => ({
    transaction: t.string({
      description: 'The transaction in base64, ready to be signed.',
      resolve: ({ body }) => body.tx,
    }),
  }),
})

builder.objectRef<Of<'unknown'>>(typeNames.unknown).implement({
  description: 'A transaction of a kind newer than this gateway.',
  interfaces: [TransactionRequest],
  fields: (t) => ({
    body: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The transaction as the router sent it.',
      resolve: ({ body }) => body,
    }),
  }),
})
