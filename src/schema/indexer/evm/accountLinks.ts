import type { Steps } from '#kit/steps'
import { bytesOf } from '#words/addresses/bytes'
import type { EvmLog } from '#words/balanceChanges/evmTransfers'
import type { Context } from '../../../engine/graphql/builder.ts'
import { evmHash } from '../../../engine/graphql/scalars.ts'
import { upstreamKey } from '../../../engine/upstream/client.ts'
import { createLoader } from '../../../engine/upstream/loader.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import type { TransactionShape } from '../transaction/transaction.ts'
import { signersOf } from '../transaction/transactionSigner.ts'
import type { MessageRecord, TransactionRecord } from '../transaction/wire.ts'
import { readEventLogs } from './eventLogs.ts'
import { isSignedAsEthereum, madeHash } from './linkBlock.ts'
import { newestReceipts } from './newestReceipts.ts'
import { accountReceiptsPath, type ReceiptRecord } from './wire.ts'

// A page of the transactions of an account has blocks that are far from each other, and both lists of each cost
// two requests. The list of the receipts of the account costs one. It has the receipts with the account as
// sender, recipient, created contract, or in a log. A transaction signed as an EVM transaction is linked to a receipt
// if exactly one has the same sender, target, gas and logs: the list contains the right one, so a single match is it.
// The receipt of any other transaction has no sender and no recipient. It is found by its hash.

/** The fewest blocks whose lists cost more than the list of the account. */
const minBlocks = 2

/** The message of a transaction that does nothing but call or create one contract. */
export function contractMessage({ tx }: TransactionRecord): MessageRecord | undefined {
  const [message, ...others] = tx?.body?.messages ?? []
  const isOnly = message && others.length === 0
  return isOnly && /^\/minievm\.evm\.v1\.Msg(Call|Create)$/.test(message['@type']) ? message : undefined
}

/**
 * The receipt of a transaction that is in the list of an account. Null if it is not certain by the receipts
 * of the account, or if few transactions of the account are asked for.
 */
export async function loadAccountLink(
  context: Context,
  { chain, record, listedFor }: TransactionShape,
): Promise<ReceiptRecord | null> {
  if (listedFor === undefined) return null
  const name = `links of ${listedFor} of ${upstreamKey(chain.indexer)}`
  const load = context.scope.memory.get(name, () =>
    createLoader<TransactionRecord, ReceiptRecord>({
      keyOf: ({ txhash }) => txhash,
      many: (records) => linkRecords(context, chain, listedFor, records),
      one: async () => null,
    }),
  )
  return load(record)
}

async function linkRecords(
  context: Context,
  chain: ServedChain,
  account: string,
  records: readonly TransactionRecord[],
): Promise<ReadonlyMap<string, ReceiptRecord>> {
  const newest = await newestReceipts(context, chain, accountReceiptsPath(account), {
    heights: records.map(({ height }) => height),
    minBlocks,
  })
  if (newest?.from === undefined) return new Map()
  const { receipts, from } = newest
  const links = new Map<string, ReceiptRecord>()
  for (const record of records) {
    if (record.height < from) continue
    const steps = onlyMatch(chain, record, { account, receipts })
    const receipt = await context.scope.work.run(steps)
    if (receipt) links.set(record.txhash, receipt)
  }
  return links
}

/** The only receipt that matches a transaction, or the one whose hash is derived from it. */
function* onlyMatch(
  chain: ServedChain,
  record: TransactionRecord,
  list: { readonly account: string; readonly receipts: readonly ReceiptRecord[] },
): Steps<ReceiptRecord | undefined> {
  const message = contractMessage(record)
  if (!isSignedAsEthereum(record)) {
    const hash = madeHash(record)
    return list.receipts.find(({ transactionHash }) => evmHash(transactionHash) === hash)
  }
  const sender = bytesOf(signersOf(chain, record)[0]?.address ?? '')
  // The list has all receipts that the account sent, to any target.
  if (sender === null || (!message && sender !== bytesOf(list.account))) return undefined
  const target = typeof message?.contract_addr === 'string' ? bytesOf(message.contract_addr) : null
  const logs = yield* logsOf(record)
  const created = createdBy(record)
  const matches = list.receipts.filter(
    (receipt) =>
      receipt.blockNumber === record.height &&
      receipt.gasUsed === record.gas_used &&
      receipt.status === (record.code === 0 ? 1n : 0n) &&
      bytesOf(receipt.from ?? '') === sender &&
      (!message || bytesOf(receipt.to ?? '') === target) &&
      bytesOf(receipt.contractAddress ?? '') === created &&
      logsText(receipt.logs) === logs,
  )
  return matches.length === 1 ? matches[0] : undefined
}

/** The address of the contract that the events of a transaction say it created. */
function createdBy({ events }: TransactionRecord): string | null {
  const attributes = events.flatMap(({ type, attributes }) => (type === 'create' ? attributes : []))
  return bytesOf(attributes.find(({ key }) => key === 'contract')?.value ?? '')
}

/** The parts of logs that events and receipts share, as one text. */
const logsText = (logs: readonly EvmLog[]): string =>
  JSON.stringify(logs.map(({ address, topics, data }) => [address, topics, data])).toLowerCase()

/** The EVM logs in the events of a transaction. Undefined if one cannot be read. */
function* logsOf({ events, code }: TransactionRecord): Steps<string | undefined> {
  const logs = code === 0 ? yield* readEventLogs(events) : []
  const known = logs.filter((log) => log !== null)
  return known.length === logs.length ? logsText(known) : undefined
}
