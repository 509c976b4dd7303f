import type { Context } from '../../../graphql/builder.ts'
import { evmHash } from '../../../graphql/scalars.ts'
import type { WholeList } from '../../../pagination/run.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { loadBlockList } from '../batch/blockList.ts'
import {
  type InternalTransactionRecord,
  internalTransactionsByBlock,
  type ReceiptRecord,
} from './wire.ts'

type Trace = WholeList<InternalTransactionRecord>

/** Calls of a trace to expect. Longer traces are read on their own. */
const usualLength = 8

/**
 * Reads the whole trace of an EVM transaction together with the traces of nearby blocks that are
 * requested in the same tick. Null if it has to be read on its own.
 */
export async function loadTrace(
  context: Context,
  chain: ServedChain,
  { transactionHash, blockNumber: height }: ReceiptRecord,
  count: number,
): Promise<Trace | null> {
  const hash = evmHash(transactionHash)
  const wanted = { height, part: hash, size: Math.min(count, usualLength) }
  const calls = await loadBlockList(context, chain, internalTransactionsByBlock, wanted)
  const trace = calls && traceOf(calls, hash)
  return trace && context.scope.releaseAtEnd(trace)
}

/** The trace of a transaction among the calls of its block. Null without all its calls. */
function traceOf({ items, firstKey }: Trace, hash: string): Trace | null {
  const start = items.findIndex((call) => evmHash(call.hash) === hash)
  const trace = items.filter((call) => evmHash(call.hash) === hash)
  // Only calls that follow each other have known numbers. They are numbered from 0, and the last one comes first.
  const isWhole = trace.every(
    (call, i) => items[start + i] === call && call.index === trace.length - 1 - i,
  )
  return start >= 0 && isWhole ? { items: trace, firstKey: firstKey - BigInt(start) } : null
}
