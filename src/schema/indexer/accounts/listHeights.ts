import type { GraphQLResolveInfo } from 'graphql'
import { builder, type Context } from '../../../engine/graphql/builder.ts'
import { selectedFields } from '../../../engine/graphql/selection.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { loadHeight } from '../height.ts'

/** The newest height of an indexer before its list was read. */
export interface ListHeight {
  readonly chainId: string
  readonly height: Promise<bigint | null>
}

/** Reads the newest heights of indexers before their lists, if they are selected. */
export interface ListHeights {
  /** Resolves when the height of a chain was read, once. */
  readBefore(chain: ServedChain): Promise<void>
  /** Those read so far. */
  readonly all: readonly ListHeight[]
}

export const heightsField = 'indexedHeights'

/** Opens the heights of a page of a list over several chains. */
export function openListHeights(context: Context, info: GraphQLResolveInfo): ListHeights {
  const heights = new Map<string, Promise<bigint | null>>()
  const isSelected = selectedFields(info).has(heightsField)
  return {
    async readBefore(chain) {
      if (!isSelected || heights.has(chain.chainId)) return
      const height = loadHeight(context, chain)
      heights.set(chain.chainId, height)
      // A height that cannot be read is an error of its own field.
      await height.catch(() => {})
    },
    get all() {
      return [...heights].map(([chainId, height]) => ({ chainId, height }))
    },
  }
}

export const ChainHeight = builder.objectRef<ListHeight>('ChainHeight').implement({
  description: 'A height of a chain.',
  fields: (t) => ({
    chainId: t.value('ChainId', 'Chain ID.', ({ chainId }) => chainId),
    height: t.ifKnown('UInt53', 'Newest height before the list was read.', ({ height }) => height),
  }),
})
