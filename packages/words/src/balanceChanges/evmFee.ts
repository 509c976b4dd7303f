import { isSameAddress } from '../addresses/bytes.ts'
import { type EvmLog, type TokenTransfer, transfersOf } from './evmTransfers.ts'

/** The account of the module that takes fees on chains of the Cosmos SDK: the start of sha256('fee_collector'). */
const feeCollector = '0xf1829676db577682e944fc3493d451b67ff3e29f'

/** The logs of a receipt, those of the fee apart from those of the call itself. */
export interface ReceiptLogs {
  readonly fee: readonly EvmLog[]
  readonly call: readonly EvmLog[]
}

/**
 * Tells the logs of the fee apart. MiniEVM moves the fee as a token: the sender pays it in the first log of a receipt,
 * and gets the rest back in the last one.
 */
export function receiptLogs(logs: readonly EvmLog[]): ReceiptLogs {
  const payment = onlyMove(logs[0])
  if (!payment || !isSameAddress(payment.to, feeCollector)) return { fee: [], call: logs }
  const rest = logs.slice(1)
  const refund = onlyMove(rest.at(-1))
  const isRefund = isSameAddress(refund?.from, feeCollector) && isSameAddress(refund?.to, payment.from)
  const end = isRefund ? rest.length - 1 : rest.length
  return { fee: [...logs.slice(0, 1), ...rest.slice(end)], call: rest.slice(0, end) }
}

/** The tokens that a log moves, if it moves those of one ERC-20 contract. */
function onlyMove(log: EvmLog | undefined): TokenTransfer | undefined {
  const [move, ...others] = log ? transfersOf(log) : []
  return others.length === 0 && move?.tokenId === null ? move : undefined
}
