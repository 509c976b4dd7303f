import type { Context } from '../../../graphql/builder.ts'
import { evmHash } from '../../../graphql/scalars.ts'
import type { WholeList } from '../../../pagination/run.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { createLoader, memoByUpstream } from '../../../upstream/requestScope.ts'
import { type ListedBlock, readNearbyBlocks } from '../block/runs.ts'
import {
  type InternalTransactionRecord,
  internalTransactionsByBlock,
  type ReceiptRecord,
} from './wire.ts'

/** A trace to load: the internal transactions of one EVM transaction. */
interface TraceKey {
  /** Lower case with `0x`. */
  readonly hash: string
  readonly height: bigint
  /** How many calls are requested. */
  readonly count: number
}

type Trace = WholeList<InternalTransactionRecord>

/** Calls of a trace to expect. Longer traces are read on their own. */
const usualLength = 8

/**
 * Reads the whole trace of an EVM transaction together with the traces of nearby blocks that are
 * requested in the same tick. Null if it has to be read on its own.
 */
export function loadTrace(
  context: Context,
  chain: ServedChain,
  { transactionHash, blockNumber }: ReceiptRecord,
  count: number,
): Promise<Trace | null> {
  const load = memoByUpstream(context.scope, 'traces', chain.indexer, () =>
    createLoader<TraceKey, Trace>({
      keyOf: ({ hash }) => hash,
      many: async (keys) => {
        const blocks = blocksOf(keys)
        const lists = await readNearbyBlocks(context, chain, internalTransactionsByBlock, blocks)
        const traces = [...lists.values()].flatMap(tracesOf)
        for (const [, trace] of traces) context.scope.releaseAtEnd(trace)
        return new Map(traces)
      },
      one: async () => null,
    }),
  )
  return load({ hash: evmHash(transactionHash), height: blockNumber, count })
}

/** The blocks of the traces, each with the number of calls to expect. */
function blocksOf(keys: readonly TraceKey[]): ListedBlock[] {
  const blocks = new Map<bigint, ListedBlock>()
  for (const { height, count } of keys) {
    const { size = 0, saves = 0 } = blocks.get(height) ?? {}
    const expected = Math.min(count, usualLength)
    blocks.set(height, { height, size: size + expected, saves: saves + 1, isLong: false })
  }
  return [...blocks.values()]
}

/** The traces of a block by the hashes of their transactions. One without all its calls is left out. */
function tracesOf({ items, firstKey }: Trace): [string, Trace][] {
  const traces = new Map<string, { items: InternalTransactionRecord[]; firstKey: bigint }>()
  const split = new Set<string>()
  let previous: string | undefined
  for (const [i, call] of items.entries()) {
    const hash = evmHash(call.hash)
    // Only calls that follow each other have known numbers.
    if (hash !== previous && traces.has(hash)) split.add(hash)
    const trace = traces.get(hash) ?? { items: [], firstKey: firstKey - BigInt(i) }
    trace.items.push(call)
    traces.set(hash, trace)
    previous = hash
  }
  // Calls are numbered from 0, and the last one comes first here.
  const isWhole = ({ items }: Trace) =>
    items.every(({ index }, i) => index === items.length - 1 - i)
  return [...traces].filter(([hash, trace]) => !split.has(hash) && isWhole(trace))
}
