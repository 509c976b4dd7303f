import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Steps } from '#kit/steps'
import { evmHash } from '../../../engine/graphql/scalars.ts'
import { signModeOf, type TransactionRecord } from '../transaction/wire.ts'
import type { ReceiptRecord } from './wire.ts'

// No field of a Cosmos transaction names the EVM transaction that it carries, nor the other way round. The
// link is the position: MiniEVM makes the EVM transactions of a block, in order, from those Cosmos
// transactions that were signed as EVM transactions, also if they failed, and from all others that succeeded
// and made a contract emit a log (`extractEthTxInfo` in the indexer of MiniEVM). The hash of an EVM transaction of
// the second kind can be computed, and proves the link wherever it stands.

/** The EVM transactions of a block and the Cosmos transactions that carry them. */
export interface BlockLinks {
  /** By the hash of the EVM transaction: lower case with `0x`. */
  readonly wrappingTransactions: ReadonlyMap<string, TransactionRecord>
  /** By the hash of the Cosmos transaction, as its record has it. */
  readonly receipts: ReadonlyMap<string, ReceiptRecord>
}

/** Whether a Cosmos transaction was signed as an EVM transaction. */
export const isSignedAsEthereum = ({ tx }: TransactionRecord): boolean => {
  const signers = tx?.auth_info?.signer_infos ?? []
  return signers.length === 1 && signModeOf(signers[0]) === 'SIGN_MODE_ETHEREUM'
}

/** Whether a Cosmos transaction carries an EVM transaction. */
export const wrapsEvmTransaction = (record: TransactionRecord): boolean =>
  isSignedAsEthereum(record) || (record.code === 0 && hasEvmLog(record))

const hasEvmLog = ({ events }: TransactionRecord): boolean =>
  events.some(({ type, attributes }) => type === 'evm' && attributes.some(({ key }) => key === 'log'))

interface Pair {
  readonly transaction: TransactionRecord
  readonly receipt: ReceiptRecord
}

/**
 * Links all transactions of a block, both lists in execution order. The gas and the status of each pair
 * confirm the positions. If one pair does not fit, or another one is proven, its neighbors may be wrong too:
 * only what is proven is then linked.
 */
export function* linkBlock(
  transactions: readonly TransactionRecord[],
  receipts: readonly ReceiptRecord[],
): Steps<BlockLinks> {
  const wrappingTransactions: TransactionRecord[] = []
  for (const transaction of transactions) {
    yield
    if (wrapsEvmTransaction(transaction)) wrappingTransactions.push(transaction)
  }
  const ordered = receipts.toSorted((a, b) => Number(indexOf(a) - indexOf(b)))
  const pairs = wrappingTransactions.flatMap((transaction, i): Pair[] => {
    const receipt = ordered[i]
    return receipt && fits(transaction, receipt) ? [{ transaction, receipt }] : []
  })
  const isWhole = pairs.length === wrappingTransactions.length && pairs.length === receipts.length
  const proven = yield* provenPairs(wrappingTransactions, receipts)
  const linked = new Map(pairs.map(({ transaction, receipt }) => [transaction, receipt]))
  const isProven = proven.every(({ transaction, receipt }) => linked.get(transaction) === receipt)
  return toLinks(isWhole && isProven ? pairs : proven)
}

/** The pairs of transactions that were not signed as EVM transactions, by the hashes of those made of them. */
function* provenPairs(
  wrappingTransactions: readonly TransactionRecord[],
  receipts: readonly ReceiptRecord[],
): Steps<Pair[]> {
  const byHash = new Map(receipts.map((receipt) => [evmHash(receipt.transactionHash), receipt]))
  const pairs: Pair[] = []
  for (const transaction of wrappingTransactions) {
    yield
    const hash = isSignedAsEthereum(transaction) ? undefined : madeHash(transaction)
    const receipt = hash === undefined ? undefined : byHash.get(hash)
    if (receipt) pairs.push({ transaction, receipt })
  }
  return pairs
}

function toLinks(pairs: readonly Pair[]): BlockLinks {
  return {
    wrappingTransactions: new Map(
      pairs.map(({ transaction, receipt }) => [evmHash(receipt.transactionHash), transaction]),
    ),
    receipts: new Map(pairs.map(({ transaction, receipt }) => [transaction.txhash, receipt])),
  }
}

/** The position of an EVM transaction in its block. Records without one keep their order. */
const indexOf = ({ transactionIndex }: ReceiptRecord): bigint => transactionIndex ?? 0n

const fits = ({ gas_used, code }: TransactionRecord, { gasUsed, status }: ReceiptRecord): boolean =>
  gas_used === gasUsed && status === (code === 0 ? 1n : 0n)

// Of a Cosmos transaction that was not signed as an EVM transaction, MiniEVM makes a legacy transaction without a
// signature, whose data is the Cosmos hash (`extractEthTxInfo` in its indexer). Its hash can be computed: it is
// that of the RLP of `[0, 0, 0, "", 0, <Cosmos hash>, 0, 0, 0]`, a list of 41 bytes.
const head = `e9${'80'.repeat(5)}a0`
const tail = '80'.repeat(3)

/**
 * The hash of the EVM transaction that MiniEVM makes of a transaction that was not signed as one: lower case with
 * `0x`. Undefined if the text is not a Cosmos hash.
 */
export const madeHash = ({ txhash }: Pick<TransactionRecord, 'txhash'>): string | undefined =>
  /^[0-9a-f]{64}$/i.test(txhash) ? `0x${bytesToHex(keccak_256(hexToBytes(head + txhash + tail)))}` : undefined
