import type { Context } from '../../../graphql/builder.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { memoByUpstream } from '../../../upstream/requestScope.ts'
import type { Listed } from '../../../wire/decode.ts'
import type { ListByBlock } from './runs.ts'

/** The lists of blocks that pages of this operation have shown whole, by height, in execution order. */
const listsOf = <T>(context: Context, chain: ServedChain, { chainPath }: ListByBlock<T>) =>
  memoByUpstream(
    context.scope,
    `whole lists of ${chainPath}`,
    chain.indexer,
    () => new Map<bigint, readonly Listed<T>[]>(),
  )

/** Keeps the whole list of a block for the rest of the operation, so that nothing requests it again. */
export const keepWholeList =
  <T>(context: Context, chain: ServedChain, list: ListByBlock<T>, height: bigint) =>
  (items: readonly Listed<T>[]): void =>
    void listsOf(context, chain, list).set(height, items)

/** The whole list of a block. Undefined unless a page has shown it. */
export const keptWholeList = <T>(
  context: Context,
  chain: ServedChain,
  list: ListByBlock<T>,
  height: bigint,
): readonly Listed<T>[] | undefined => listsOf(context, chain, list).get(height)
