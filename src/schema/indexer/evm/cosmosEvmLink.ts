import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { evmHash } from '../../../engine/graphql/scalars.ts'
import { readValue } from '../../../engine/upstream/upstreamError.ts'
import { countOrNull, optionalAmount } from '../../../engine/wire/decode.ts'
import { runsEvm } from '../../chain/evmSupport.ts'
import { Transaction, transactionShape } from '../transaction/transaction.ts'
import { contractMessage, loadAccountLink } from './accountLinks.ts'
import { loadTrace } from './connections.ts'
import { EvmTransaction, type EvmTransactionShape, evmTransactionShape } from './evmTransaction.ts'
import { isSignedAsEthereum, wrapsEvmTransaction } from './linkBlock.ts'
import { loadLinks, maxLinked } from './loadLinks.ts'
import { fetchInternalTransaction, type InternalTransactionRecord } from './wire.ts'

/** The cost of a link: both lists of a block. */
export const linkCost = 2 * callCost

const linkedByPosition = `Matched by position, gas and status. Null if the block does not fit, or has more than ${maxLinked.toLocaleString('en')} transactions.`

builder.objectField(Transaction, 'evmTransaction', (t) =>
  t.field({
    type: EvmTransaction,
    nullable: true,
    description: `The EVM transaction that it carries. Null if none. ${linkedByPosition}`,
    complexity: linkCost,
    resolve: async (shape, _args, context) => {
      const { chain, record } = shape
      if (!wrapsEvmTransaction(record) || !(await runsEvm(context, chain))) return null
      const receipt =
        (await loadAccountLink(context, shape)) ??
        (await loadLinks(context, chain, record.height)).receipts.get(record.txhash)
      return receipt ? evmTransactionShape(chain, receipt, { wrappingTransaction: record }) : null
    },
  }),
)

/** The Cosmos transaction that carries an EVM transaction. Undefined if none is linked to it. */
export async function findWrappingTransaction(
  { chain, record, wrappingTransaction }: EvmTransactionShape,
  context: Context,
) {
  if (wrappingTransaction) return wrappingTransaction
  const { wrappingTransactions } = await loadLinks(context, chain, record.blockNumber)
  return wrappingTransactions.get(evmHash(record.transactionHash))
}

/** The message that called or created the contract, if the wrapping transaction does nothing else. */
async function findMessage(shape: EvmTransactionShape, context: Context) {
  const wrappingTransaction = await findWrappingTransaction(shape, context)
  return wrappingTransaction && contractMessage(wrappingTransaction)
}

/** The top-level call of a transaction. Undefined if the indexer has no trace of it. */
async function topLevelCall(
  { chain, record }: EvmTransactionShape,
  context: Context,
): Promise<InternalTransactionRecord | undefined> {
  const trace = await loadTrace(context, chain, record, 1)
  if (trace) return trace.items.at(-1)
  const hash = evmHash(record.transactionHash)
  return (await fetchInternalTransaction(context, chain, hash, 0)) ?? undefined
}

const bytes = (value: unknown): string | null =>
  typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value) ? value : null

const fromMessageOrTrace = 'Null without message and trace.'

builder.objectFields(EvmTransaction, (t) => ({
  transaction: t.field({
    type: Transaction,
    nullable: true,
    description: `The Cosmos transaction that carries it. ${linkedByPosition}`,
    complexity: linkCost,
    resolve: async (shape, _args, context) => {
      const wrappingTransaction = await findWrappingTransaction(shape, context)
      return wrappingTransaction ? transactionShape(shape.chain, wrappingTransaction) : null
    },
  }),
  value: t.field({
    type: 'BigInt',
    nullable: true,
    description: `Amount of the fee token sent with the transaction, in its base unit. ${fromMessageOrTrace}`,
    complexity: linkCost + callCost,
    resolve: async (shape, _args, context) => {
      const message = await findMessage(shape, context)
      if (message) return readValue(shape.chain.chainId, optionalAmount.parse(message.value))
      return (await topLevelCall(shape, context))?.value ?? null
    },
  }),
  input: t.field({
    type: 'Hex',
    nullable: true,
    description: `Call data, or the code of a created contract. \`0x\` if empty. ${fromMessageOrTrace}`,
    complexity: linkCost + callCost,
    resolve: async (shape, _args, context) => {
      const message = await findMessage(shape, context)
      if (message) return bytes(message.input ?? message.code)
      return bytes((await topLevelCall(shape, context))?.input)
    },
  }),
  nonce: t.field({
    type: 'UInt53',
    nullable: true,
    description: 'Transactions that the sender signed before. Null unless signed as EVM, or beyond 2^53 - 1.',
    complexity: linkCost,
    resolve: async (shape, _args, context) => {
      const wrappingTransaction = await findWrappingTransaction(shape, context)
      if (!wrappingTransaction || !isSignedAsEthereum(wrappingTransaction)) return null
      const [signer] = wrappingTransaction.tx?.auth_info?.signer_infos ?? []
      return countOrNull(readValue(shape.chain.chainId, signer?.sequence))
    },
  }),
}))
