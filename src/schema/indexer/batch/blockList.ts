import type { Context } from '../../../engine/graphql/builder.ts'
import type { WholeList } from '../../../engine/pagination/run.ts'
import { createLoader, memoByUpstream } from '../../../engine/upstream/loader.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import type { BlockRecord } from '../block/wire.ts'
import { type ListedBlock, readNearbyBlocks } from './nearbyBlocks.ts'
import type { ListByBlock } from './wholeLists.ts'

/** The list of a block, or a part of it, that a field needs. */
export interface WantedList {
  readonly height: bigint
  /** Names the part. Left out for the whole list. */
  readonly part?: string
  /** The number of records that are needed, or an estimate of it. */
  readonly size: number
  /** Whether so few of them are requested that the list is not worth reading whole. */
  readonly isTooLong?: boolean
}

/** Records that are worth reading beyond those requested, to save the request for a block. */
const maxSurplus = 5

/**
 * How to read the whole list of a block, for a page of that many records. Undefined for a block that has none,
 * or whose record is not known.
 */
export const loadWholeBlock = <T>(
  context: Context,
  chain: ServedChain,
  list: ListByBlock<T>,
  block: BlockRecord | undefined,
) =>
  block !== undefined && block.tx_count > 0n
    ? (count: number): Promise<WholeList<T> | null> => {
        const size = Number(block.tx_count)
        const isTooLong = size > count + maxSurplus
        return loadBlockList(context, chain, list, { height: block.height, size, isTooLong })
      }
    : undefined

/**
 * Reads the whole list of a block together with those of nearby blocks that are requested in the same
 * tick. Null if it has to be read on its own: it is long or too far from others, or the list of the chain
 * does not show exactly as many records of the block as the block has.
 */
export function loadBlockList<T>(
  context: Context,
  chain: ServedChain,
  list: ListByBlock<T>,
  wanted: WantedList,
): Promise<WholeList<T> | null> {
  const load = memoByUpstream(context.scope, list.chainPath, chain.indexer, () =>
    createLoader<WantedList, WholeList<T>>({
      keyOf: listKey,
      many: async (all) => {
        const lists = await readNearbyBlocks(context, chain, list, blocksOf(all))
        const found = all.flatMap((one) => {
          const whole = lists.get(one.height)
          return whole ? [[listKey(one), whole] as const] : []
        })
        return new Map(found)
      },
      one: async () => null,
    }),
  )
  return load(wanted)
}

const listKey = ({ height, part = '', isTooLong = false }: WantedList): string => `${height} ${part} ${isTooLong}`

/** The blocks of lists. The parts of one block are read together, and each saves a request. */
function blocksOf(wanted: readonly WantedList[]): ListedBlock[] {
  const blocks = new Map<bigint, ListedBlock>()
  for (const { height, size, isTooLong = false } of wanted) {
    const known = blocks.get(height) ?? { height, size: 0, requestsSaved: 0, isTooLong: true }
    const { size: others, requestsSaved } = known
    blocks.set(
      height,
      isTooLong ? known : { height, size: others + size, requestsSaved: requestsSaved + 1, isTooLong: false },
    )
  }
  return [...blocks.values()]
}
