import type { z } from 'zod'
import type { Context } from '../../../engine/graphql/builder.ts'
import type { WholeList } from '../../../engine/pagination/run.ts'
import { memoByUpstream } from '../../../engine/upstream/loader.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import type { Path } from '../../../engine/upstream/request.ts'
import type { Listed, Page } from '../../../engine/wire/decode.ts'

/** A list of a chain in the order of its blocks, and the part of it that is the list of a block. */
export interface ListByBlock<T> {
  readonly chainPath: string
  readonly blockPath: (height: bigint) => Path
  readonly page: z.ZodType<Page<Listed<T>>>
  readonly heightOf: (record: T) => bigint
  /** Whether blocks say how many records of this list they have. The sizes of others are estimates. */
  readonly hasExactCounts: boolean
}

/** The whole lists of blocks that this operation has read, by height. Each returns it in execution order. */
const listsOf = <T>(context: Context, chain: ServedChain, { chainPath }: ListByBlock<T>) =>
  memoByUpstream(
    context.scope,
    `whole lists of ${chainPath}`,
    chain.indexer,
    () => new Map<bigint, () => readonly Listed<T>[]>(),
  )

/** Keeps the whole list of a block for the rest of the operation, so that nothing requests it again. */
export const keepWholeList =
  <T>(context: Context, chain: ServedChain, list: ListByBlock<T>, height: bigint) =>
  (items: readonly Listed<T>[]): void =>
    void listsOf(context, chain, list).set(height, () => items)

/** Keeps the whole lists of a run of blocks, as `keepWholeList` does. */
export function keepRun<T>(
  context: Context,
  chain: ServedChain,
  list: ListByBlock<T>,
  run: readonly (readonly [height: bigint, whole: WholeList<Listed<T>>])[],
): void {
  const lists = listsOf(context, chain, list)
  for (const [height, whole] of run) lists.set(height, () => whole.items.toReversed())
}

/** The whole list of a block. Undefined unless the operation has read it. */
export const keptWholeList = <T>(
  context: Context,
  chain: ServedChain,
  list: ListByBlock<T>,
  height: bigint,
): readonly Listed<T>[] | undefined => listsOf(context, chain, list).get(height)?.()
